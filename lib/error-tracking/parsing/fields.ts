import type { Fields } from "../../event/fields.ts";
import type { Faults } from "./faults.ts";

/** Says why an event is no exception at all: it is stored with this sentence, and without an issue. */
export class ParseError extends Error {
  override readonly name = "ParseError";
}

/** Where in an event something is read, and who is told of what is wrong there. */
export interface Place {
  readonly path: string;
  readonly faults: Faults;
}

/**
 * Readers of what a client sent. A key that is missing or null is absent; so is a value of another type, which is told as a fault.
 * Only types are asked: no method of a client's value is called, so nothing that an object calls `toString` is ever run.
 */
export const optionalText = (of: Fields, key: string, place: Place): string | undefined => {
  const value = of[key];
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? storable(value) : wrong(place, key, "a string");
};

export const optionalFlag = (of: Fields, key: string, place: Place): boolean | undefined => {
  const value = of[key];
  if (value === undefined || value === null) return undefined;
  return typeof value === "boolean" ? value : wrong(place, key, "true or false");
};

export const optionalInteger = (of: Fields, key: string, place: Place): number | undefined => {
  const value = of[key];
  if (value === undefined || value === null) return undefined;
  return Number.isSafeInteger(value) ? Number(value) : wrong(place, key, "a whole number");
};

const MOST_LINE = 0xffff_ffff;

/** A line or column: from 0 to what four bytes hold. Java says by others that it knows none. */
export const optionalLine = (of: Fields, key: string, place: Place): number | undefined => {
  const value = optionalInteger(of, key, place);
  return value !== undefined && (value < 0 || value > MOST_LINE) ? wrong(place, key, "a line or column number") : value;
};

export const textList = (of: Fields, key: string, place: Place): readonly string[] => {
  const value = of[key];
  if (value === undefined || value === null) return [];
  const isTexts = Array.isArray(value) && value.every((line: unknown) => typeof line === "string");
  return isTexts ? value.map(storable) : (wrong(place, key, "a list of strings") ?? []);
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

const wrong = ({ path, faults }: Place, key: string, wanted: string): undefined => {
  faults.note(`${path}: ${key} must be ${wanted}`);
};
