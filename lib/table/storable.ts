/** What the table does not take of a value: the way to it, and why. */
export interface Unstorable {
  readonly way: readonly (string | number)[];
  readonly why: string;
}

/** An item is a level itself, and has 32. */
const MOST_LEVELS = 30;

/** An item has 400 KB, with its keys and what it holds besides. */
const MOST_BYTES = 350_000;

/** The first part of a JSON value that an item cannot hold as it is; null where it takes all of it. */
export const unstorable = (value: unknown): Unstorable | null => {
  const part = unstorablePart(value, []);
  if (part !== null) return part;
  if (Buffer.byteLength(JSON.stringify(value) ?? "") <= MOST_BYTES) return null;
  return { way: [], why: `this is larger than ${MOST_BYTES} bytes` };
};

const unstorablePart = (value: unknown, way: readonly (string | number)[]): Unstorable | null => {
  if (typeof value === "number" && !isStorable(value)) return { way, why: UNSTORABLE_NUMBER };
  if (typeof value !== "object" || value === null) return null;
  if (way.length > MOST_LEVELS) return { way, why: `this is nested deeper than ${MOST_LEVELS} levels` };
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, inner] of entries) {
    const found = unstorablePart(inner, [...way, key]);
    if (found !== null) return found;
  }
  return null;
};

export const UNSTORABLE_NUMBER = "this number is too large or too small to be kept: send it as text";

/** The least magnitude that the table keeps. */
const LEAST = 1e-130;

/** Whether the table keeps a number; it gives back larger ones as others than were put. */
export const isStorable = (number: number): boolean =>
  number === 0 || (Math.abs(number) >= LEAST && Math.abs(number) <= Number.MAX_SAFE_INTEGER);
