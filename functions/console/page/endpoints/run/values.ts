/** A value as text: texts as they are, unless they read as something else, and all else as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === "string" && parsed(value) === undefined ? value : JSON.stringify(value);

/** The value that a text says: JSON where it is some, else the text itself. */
export const textValue = (text: string): unknown => {
  const value = parsed(text);
  return value === undefined ? text : value;
};

/** JSON has no undefined. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
