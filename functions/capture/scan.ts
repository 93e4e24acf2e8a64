import { Refused } from "../../lib/lake/refused.ts";
import { MAX_DEPTH, MAX_MARKS, tooLarge } from "./limits.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Depth at which the events of a list, and those of a batch envelope, open. */
const LIST_DEPTH = 2;
const BATCH_DEPTH = 3;

export interface Scanned {
  /** Bytes of the longest value that opens where the events of a list open, and where those of a batch envelope open. */
  readonly longestInList: number;
  readonly longestInBatch: number;
}

/**
 * One pass over JSON text before it is parsed, because parsing is what a hostile shape makes expensive: a hundred levels of
 * nesting or millions of tiny values cost far more memory than bytes. Throws `Refused`; says nothing about whether it is JSON.
 */
export const scan = (text: Uint8Array): Scanned => {
  let depth = 0;
  let marks = 0;
  let longestInList = 0;
  let longestInBatch = 0;
  let listStart = 0;
  let batchStart = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) at = endOfString(text, at + 1);
    else if (byte === COMMA) marks++;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      marks++;
      depth++;
      if (depth > MAX_DEPTH) throw new Refused(400, `failed to parse request: nested deeper than ${MAX_DEPTH} levels`);
      if (depth === LIST_DEPTH) listStart = at;
      if (depth === BATCH_DEPTH) batchStart = at;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === LIST_DEPTH) longestInList = Math.max(longestInList, at + 1 - listStart);
      if (depth === BATCH_DEPTH) longestInBatch = Math.max(longestInBatch, at + 1 - batchStart);
      depth--;
    }
  }
  if (marks > MAX_MARKS) throw tooLarge(`the request holds more than ${MAX_MARKS} values`);
  return { longestInList, longestInBatch };
};

/** Position of the quote that ends a string whose first character is at `at`. */
const endOfString = (text: Uint8Array, at: number): number => {
  let end = at;
  while (end < text.length && text[end] !== QUOTE) end += text[end] === BACKSLASH ? 2 : 1;
  return end;
};
