/** Whether a key press belongs to a field, a dialog or an editor and means no command. */
export const isTyping = (event: KeyboardEvent): boolean => {
  if (event.metaKey || event.ctrlKey || event.altKey) return true;
  const [target] = event.composedPath();
  // A box that is ticked takes no text.
  if (target instanceof HTMLInputElement && target.type === "checkbox") return !!target.closest("dialog");
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || !!target.closest("dialog"))
  );
};
