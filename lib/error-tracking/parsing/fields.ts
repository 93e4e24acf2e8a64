import type { Fields } from "../../event/fields.ts";

/** Says what is wrong with an exception: the event is stored with this sentence. */
export class ParseError extends Error {
  override readonly name = "ParseError";
}

/**
 * Readers of what a client sent. A key that is missing or null is absent; a value of another type is an error with the key's place.
 * Only types are asked: no method of a client's value is called, so nothing that an object calls `toString` is ever run.
 */
export const optionalText = (of: Fields, key: string, place: string): string | undefined => {
  const value = of[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrong(place, key, "a string");
  return storable(value);
};

export const requiredText = (of: Fields, key: string, place: string): string => {
  const value = optionalText(of, key, place);
  if (value === undefined) throw new ParseError(`${place} has no ${key}`);
  return value;
};

export const optionalFlag = (of: Fields, key: string, place: string): boolean | undefined => {
  const value = of[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw wrong(place, key, "true or false");
  return value;
};

export const optionalInteger = (of: Fields, key: string, place: string): number | undefined => {
  const value = of[key];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value)) throw wrong(place, key, "a whole number");
  return Number(value);
};

const MOST_LINE = 0xffff_ffff;

/** A line or column: from 0 to what four bytes hold. */
export const optionalLine = (of: Fields, key: string, place: string): number | undefined => {
  const value = optionalInteger(of, key, place);
  if (value !== undefined && (value < 0 || value > MOST_LINE)) throw wrong(place, key, "a line or column number");
  return value;
};

export const textList = (of: Fields, key: string, place: string): readonly string[] => {
  const value = of[key];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong(place, key, "a list of strings");
  return value.map((line: unknown) => {
    if (typeof line !== "string") throw wrong(place, key, "a list of strings");
    return storable(line);
  });
};

/** Text without what a store or reader refuses. */
export const storable = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text).toWellFormed();

/** The text, cut so that it has at most `most` bytes, the three dots at its end included. */
export const cutToBytes = (text: string, most: number): string => {
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text.slice(0, most));
  let end = Math.min(bytes.length, most - DOTS.length);
  // A byte that continues a character is not where one may be cut.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end) + DOTS;
};

const DOTS = "...";

const wrong = (place: string, key: string, wanted: string): ParseError => new ParseError(`${place}: ${key} must be ${wanted}`);
