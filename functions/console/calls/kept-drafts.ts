const PREFIX = "analytics-draft ";

/** What somebody wrote on this device and no server has: undefined where nothing is kept, or what is kept cannot be read. */
export const keptDraft = (name: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
};

/** Keeps what can be written as JSON. A device without room for it keeps nothing. */
export const keepDraft = (name: string, draft: unknown): void => {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch {
    // The device is full, or keeps nothing: the draft lives as long as its page.
  }
};

export const forgetDrafts = (): void => {
  for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
};
