import { Refused, tooLarge } from "../../../lib/event/refused.ts";
import { MAX_DEPTH, MAX_MARKS } from "../limits.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

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
 * One pass over JSON text before it is parsed, because parsing is what a hostile shape makes expensive: a hundred levels of
 * nesting or millions of tiny values cost far more memory than bytes. Throws `Refused`; says nothing about whether it is JSON.
 */
export const measureJson = (text: Uint8Array): JsonMeasures => {
  let depth = 0;
  let marks = 0;
  let longestInList = 0;
  let longestInBatch = 0;
  let listStart = 0;
  let batchStart = 0;
  const { length } = text;
  for (let at = 0; at < length; at++) {
    const meaning = MEANINGS[text[at] ?? 0];
    if (meaning === NOTHING) continue;
    if (meaning === STRING) {
      // To the quote that ends the string; inline, because as a function of its own it takes half as long again.
      for (at++; at < length; at++) {
        const byte = text[at];
        if (byte === QUOTE) break;
        if (byte === BACKSLASH) at++;
      }
    } else if (meaning === COMMA) {
      marks++;
      if (marks > MAX_MARKS) throw tooManyValues();
    } else if (meaning === OPEN) {
      marks++;
      if (marks > MAX_MARKS) throw tooManyValues();
      depth++;
      if (depth > MAX_DEPTH) throw new Refused(400, `failed to parse request: nested deeper than ${MAX_DEPTH} levels`);
      if (depth === LIST_DEPTH) listStart = at;
      if (depth === BATCH_DEPTH) batchStart = at;
    } else {
      if (depth === LIST_DEPTH) longestInList = Math.max(longestInList, at + 1 - listStart);
      if (depth === BATCH_DEPTH) longestInBatch = Math.max(longestInBatch, at + 1 - batchStart);
      depth--;
    }
  }
  return { marks, longestInList, longestInBatch };
};

const tooManyValues = (): Refused => tooLarge(`the request holds more than ${MAX_MARKS} values`);
