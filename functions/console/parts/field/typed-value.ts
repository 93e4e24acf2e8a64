/**
 * The value that somebody typed: numbers, true, false, null, lists and texts in double quotes are JSON, all else is a text. So is a number
 * that would lose digits: an id of twenty digits is meant to the last of them.
 */
export const typedValue = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "number" && isInexact(value) ? text : value;
  } catch {
    return text;
  }
};

/** Whether other digits can have led to a number: whole ones beyond 2^53, and those that are too large for one. */
const isInexact = (value: number): boolean => !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value));

/** A value as it is typed: texts as they are, unless they read as something else, and all else as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === "string" && typedValue(value) === value ? value : JSON.stringify(value);
