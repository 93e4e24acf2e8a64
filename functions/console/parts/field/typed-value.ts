import { isLongWholeNumber } from "../../../../lib/core/exact-json.ts";

/**
 * The value that somebody typed: numbers, true, false, null, lists and texts in double quotes are JSON, all else is a text. So is a number
 * that would lose digits: an id of twenty digits is meant to the last of them.
 */
export const typedValue = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    const isRounded = typeof value === "number" && (isLongWholeNumber(text.trim()) || !Number.isFinite(value));
    return isRounded ? text : value;
  } catch {
    return text;
  }
};

/** A value as it is typed: texts as they are, unless they read as something else, and all else as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === "string" && typedValue(value) === value ? value : JSON.stringify(value);
