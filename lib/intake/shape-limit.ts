import { tooLarge } from "../event/refused.ts";
import { MAX_DEPTH, MAX_OBJECT_SHAPES } from "./limits.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Bits of the set of steps seen: at the limit 3 in 100 new ones are taken for old, which is exact enough. */
const SEEN_BITS = 2 ** 23;
const PRIME = 0x01000193;

/**
 * Bounds what the shapes of a text's objects cost a parser. The engine keeps a class for every different order of property names
 * that it meets, step by step: objects of the same names are nearly free, and a megabyte of new names becomes fifty in memory.
 * Counts the steps (a name after the names before it) that differ, and throws `Refused` (413) for too many. Only for a text that
 * `measureJson` has passed and that holds more values than the limit. `seed` keeps a sender from preparing names that look alike.
 */
export const limitShapes = (text: Uint8Array, seed: number): void => {
  const seen = new Uint8Array(SEEN_BITS / 8);
  const shapes = new Int32Array(MAX_DEPTH + 1);
  const isObject = new Uint8Array(MAX_DEPTH + 1);
  const { length } = text;
  let depth = 0;
  let nameComes = false;
  let steps = 0;
  for (let at = 0; at < length; at++) {
    const byte = text[at];
    if (byte === QUOTE) {
      let hash = seed;
      for (at++; at < length && text[at] !== QUOTE; at++) {
        if (text[at] === BACKSLASH) at++;
        if (nameComes) hash = Math.imul(hash ^ (text[at] ?? 0), PRIME);
      }
      if (!nameComes) continue;
      nameComes = false;
      const shape = mixed((shapes[depth] ?? 0) ^ hash);
      shapes[depth] = shape;
      const place = (shape >>> 3) % seen.length;
      const bit = 1 << (shape & 7);
      if (((seen[place] ?? 0) & bit) !== 0) continue;
      seen[place] = (seen[place] ?? 0) | bit;
      steps++;
      if (steps > MAX_OBJECT_SHAPES) throw tooLarge("the request holds too many different property names");
    } else if (byte === COMMA) nameComes = isObject[depth] === 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth++;
      shapes[depth] = seed;
      isObject[depth] = byte === OPEN_OBJECT ? 1 : 0;
      nameComes = byte === OPEN_OBJECT;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth = Math.max(0, depth - 1);
      nameComes = false;
    }
  }
};

const mixed = (hash: number): number => {
  const half = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  const whole = Math.imul(half ^ (half >>> 15), 0x846ca68b | 0);
  return whole ^ (whole >>> 16);
};
