import type { JsonBounds } from "../core/json-scan.ts";
import { isFields } from "../event/fields.ts";
import { Refused, tooLarge } from "../event/refused.ts";
import { MAX_DEPTH, MAX_EVENTS, MAX_MARKS } from "./limits.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;

/** The meaning of a byte outside strings; nearly all mean nothing, so one look-up decides nearly every step. */
const NOTHING = 0;
const STRING = 1;
const COMMA = 2;
const OPEN = 3;
const CLOSE = 4;
const MEANINGS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return STRING;
  const character = String.fromCharCode(byte);
  if (character === ",") return COMMA;
  if ("{[".includes(character)) return OPEN;
  return "}]".includes(character) ? CLOSE : NOTHING;
});

/** Depth at which the events of a list, and those of a batch envelope, open. */
const LIST_DEPTH = 2;
const BATCH_DEPTH = 3;

export interface JsonMeasures {
  /** Commas and openers outside strings: at least as many as there are values. */
  readonly marks: number;
  /** Bytes of the longest value that opens where the events of a list open, and where those of a batch envelope open. */
  readonly longestInList: number;
  readonly longestInBatch: number;
}

/**
 * One pass over JSON text before it is parsed, because parsing is what a hostile shape makes expensive: a hundred levels of nesting,
 * millions of tiny values or hundreds of thousands of events cost far more memory than bytes. Throws `Refused`; says nothing about whether
 * it is JSON.
 */
export const measureJson = (text: Uint8Array): JsonMeasures => {
  let depth = 0;
  let marks = 0;
  let longestInList = 0;
  let longestInBatch = 0;
  let listStart = 0;
  let batchStart = 0;
  /** How deep the events of the list lie that is open, and how many of them there were; 0 where there is no such list. */
  let eventDepth = 0;
  let events = 0;
  const { length } = text;
  for (let at = 0; at < length; at++) {
    const byte = text[at] ?? 0;
    const meaning = MEANINGS[byte];
    if (meaning === NOTHING) {
      // Megabytes of spaces, or of one digit, in a fraction of the time.
      while (at + 1 < length && text[at + 1] === byte) at++;
      continue;
    }
    if (meaning === STRING) {
      // To the quote that ends the string; inline, because as a function of its own it takes half as long again.
      for (at++; at < length; at++) {
        const inside = text[at];
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) at++;
      }
    } else if (meaning === COMMA) {
      marks++;
      if (marks > MAX_MARKS) throw beyondBounds("values");
    } else if (meaning === OPEN) {
      marks++;
      if (marks > MAX_MARKS) throw beyondBounds("values");
      depth++;
      if (depth > MAX_DEPTH) throw beyondBounds("depth");
      if (depth === LIST_DEPTH) listStart = at;
      if (depth === BATCH_DEPTH) batchStart = at;
      if (depth === eventDepth) {
        events++;
        if (events > MAX_EVENTS) throw tooLarge(`the request holds more than ${MAX_EVENTS} events`);
      } else if (depth === 1 || (depth === LIST_DEPTH && eventDepth !== LIST_DEPTH)) {
        eventDepth = text[at] === OPEN_LIST && (depth === 1 || isBatch(text, at)) ? depth + 1 : 0;
        events = 0;
      }
    } else {
      if (depth === LIST_DEPTH) longestInList = Math.max(longestInList, at + 1 - listStart);
      if (depth === BATCH_DEPTH) longestInBatch = Math.max(longestInBatch, at + 1 - batchStart);
      depth--;
    }
  }
  return { marks, longestInList, longestInBatch };
};

/**
 * The bound of depth alone, of what a text says that is too short to go beyond any other: to walk its values takes an eighth of what its text
 * does. Objects are walked by `for in`, because the engine remembers the names of a shape from one to the next, where `Object.values` makes
 * a list for each; lists are not, because `for in` makes a text of each place. Throws `Refused`.
 */
export const checkDepth = (value: unknown, left = MAX_DEPTH): void => {
  if (Array.isArray(value)) {
    if (left === 0) throw beyondBounds("depth");
    for (const inner of value) if (typeof inner === "object") checkDepth(inner, left - 1);
  } else if (isFields(value)) {
    if (left === 0) throw beyondBounds("depth");
    for (const name in value) {
      const inner = value[name];
      if (typeof inner === "object") checkDepth(inner, left - 1);
    }
  }
};

/** Whether the value that opens at a place is called `batch`; one whose name is written with escapes is not seen. */
const isBatch = (text: Uint8Array, open: number): boolean => {
  let at = open - 1;
  while (isSpace(text[at])) at--;
  if (text[at] !== COLON_BYTE) return false;
  at--;
  while (isSpace(text[at])) at--;
  return BATCH_NAME.every((byte, index) => text[at + 1 - BATCH_NAME.length + index] === byte);
};

const COLON_BYTE = 0x3a;
const BATCH_NAME = Buffer.from('"batch"');
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** What a text may nest and hold. */
export const JSON_BOUNDS: JsonBounds = { maxDepth: MAX_DEPTH, maxValues: MAX_MARKS };

/** The refusal of a text that goes beyond one of them. */
export const beyondBounds = (bound: "depth" | "values"): Refused =>
  bound === "depth"
    ? new Refused(400, `failed to parse request: nested deeper than ${MAX_DEPTH} levels`)
    : tooLarge(`the request holds more than ${MAX_MARKS} values`);
