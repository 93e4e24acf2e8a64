import type { Native, NativeRow } from "../native.ts";

/**
 * Bytes of JSON that a row takes at least, with the comma behind it: what is counted while rows are made, so that none is made that
 * can no longer be sent. Escapes, letters of several bytes and objects add to it.
 */
export const leastBytes = (row: NativeRow): number => row.reduce<number>((sum, value) => sum + leastValueBytes(value) + 1, 2);

/** As text, with its quotes. */
const DATE_BYTES = 12;
/** `null` and `true`. */
const WORD_BYTES = 4;

const leastValueBytes = (value: Native): number => {
  if (value === null || typeof value === "boolean") return WORD_BYTES;
  if (typeof value === "string") return value.length + 2;
  if (typeof value === "number" || typeof value === "bigint") return leastDigits(Math.abs(Number(value)));
  if ("items" in value) return value.items.reduce<number>((sum, item) => sum + leastValueBytes(item) + 1, 1);
  if ("fields" in value) return value.fields.reduce((sum, [, field]) => sum + leastValueBytes(field) + 1, 1);
  // Keys may become one, so nothing but the brackets is certain.
  if ("entries" in value) return 2;
  return DATE_BYTES;
};

const MOST_PLAIN = 1e15;
/** `0.5` and `1e9`; and `1e+21`. */
const LEAST_FRACTION = 3;
const LEAST_POWER = 5;

const leastDigits = (value: number): number => {
  if (value < 10) return 1;
  if (value >= MOST_PLAIN) return Number.isFinite(value) ? LEAST_POWER : WORD_BYTES;
  if (!Number.isInteger(value)) return LEAST_FRACTION;
  return Math.min(15, 1 + Math.floor(Math.log10(value)));
};
