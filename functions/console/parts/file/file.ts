/** Has the browser save a file; the name is made one that every system takes. */
export const saveFile = (name: string, content: Blob): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name.replaceAll(/[^\p{Letter}\p{Number}.]+/gu, "-");
  link.click();
  URL.revokeObjectURL(link.href);
};

/** Has the browser save the file at an address, which says itself that it is one to be saved. */
export const saveFrom = (url: string): void => location.assign(url);
