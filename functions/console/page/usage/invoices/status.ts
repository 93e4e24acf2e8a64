/** A state as a word. */
export const statusWord = ({ status }: { readonly status: string }): string => status.replaceAll("_", " ");
