import { Refused } from "../../event/refused.ts";

/** Codes that are no entry of the dictionary: a character of 8 bits follows, one of 16 bits follows, the text ends. */
const LITERAL_8 = 0;
const LITERAL_16 = 1;
const END = 2;
const FIRST_ENTRY = 3;

/**
 * Decodes lz-string's base64 form into UTF-8, at most `maxBytes` of it. Our own decoder because a bound has to hold while it
 * decodes: a few kilobytes can stand for gigabytes, and keeping every dictionary entry as a string of its own multiplies that.
 * Here an entry is a place in the output, because it always is the previous piece and the character that followed it.
 */
export const decodeLz64 = (text: Buffer, maxBytes: number): Buffer => {
  const decoded = decodeUnits(text, { maxUnits: maxBytes, beyond: "refuse" }).toString("utf16le");
  if (Buffer.byteLength(decoded) > maxBytes) throw tooLarge();
  return Buffer.from(decoded);
};

/** The beginning of what such a text stands for: about `maxBytes` of it, or as far as the text goes where it is cut or broken. */
export const decodeLz64Beginning = (text: Buffer, maxBytes: number): Buffer =>
  Buffer.from(decodeUnits(text, { maxUnits: maxBytes, beyond: "stop" }).toString("utf16le"));

/** Fewer units than this are copied one by one: the engine's own copy is for the long ones. */
const LEAST_COPIED = 32;

interface Bound {
  readonly maxUnits: number;
  /** What becomes of a text that is longer, or does not end as it should. */
  readonly beyond: "refuse" | "stop";
}

/** The UTF-16 code units of the text, little endian, at most `maxUnits`. */
const decodeUnits = (text: Buffer, { maxUnits, beyond }: Bound): Buffer => {
  const bits = bitReader(text);
  let output = new Uint16Array(Math.min(maxUnits, Math.max(1024, text.length)));
  let length = 0;
  const push = (start: number, count: number): void => {
    if (length + count > maxUnits) throw tooLarge();
    if (length + count > output.length) output = grown(output, length + count, maxUnits);
    // A piece may run into what it is writing: what is there of it is copied, and then that again.
    if (count < LEAST_COPIED) for (let at = 0; at < count; at++) output[length + at] = output[start + at] ?? 0;
    else
      for (let at = 0; at < count; at += length - start)
        output.copyWithin(length + at, start, start + Math.min(count - at, length - start));
    length += count;
  };
  const pushLiteral = (unit: number): void => {
    if (length + 1 > maxUnits) throw tooLarge();
    if (length + 1 > output.length) output = grown(output, length + 1, maxUnits);
    output[length++] = unit;
  };

  let entries = new Int32Array(2048);
  let size = FIRST_ENTRY;
  let width = 3;
  let codesLeft = 4;
  const add = (start: number, count: number): void => {
    if (2 * size + 2 > entries.length) entries = grownEntries(entries);
    entries[2 * size] = start;
    entries[2 * size + 1] = count;
    size++;
  };
  const countCode = (): void => {
    codesLeft--;
    if (codesLeft > 0) return;
    codesLeft = 2 ** width;
    width++;
  };

  const decodeCodes = (): void => {
    const first = bits(2);
    if (first === END) return;
    if (first > LITERAL_16) throw broken();
    pushLiteral(bits(first === LITERAL_8 ? 8 : 16));
    add(0, 1);
    let previous = 0;
    for (;;) {
      let code = bits(width);
      if (code === END) return;
      const start = length;
      const previousLength = start - previous;
      if (code <= LITERAL_16) {
        pushLiteral(bits(code === LITERAL_8 ? 8 : 16));
        code = size;
        add(start, 1);
        countCode();
      } else if (code < size) push(entries[2 * code] ?? 0, entries[2 * code + 1] ?? 0);
      else if (code === size) push(previous, previousLength + 1);
      else throw broken();
      add(previous, previousLength + 1);
      countCode();
      previous = start;
    }
  };
  try {
    decodeCodes();
  } catch (fault) {
    if (beyond === "refuse" || !(fault instanceof Refused)) throw fault;
  }
  return Buffer.from(output.buffer, 0, 2 * length);
};

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
const DIGIT_BITS = 6;
/** Value of each byte as a digit, the padding counting as 0, with its low bit as the high one; 255 for a byte that is none. */
const DIGIT_VALUES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = DIGITS.indexOf(String.fromCharCode(byte));
  return value === -1 ? 255 : Number.parseInt([...(value % 64).toString(2).padStart(DIGIT_BITS, "0")].reverse().join(""), 2);
});

/** Reads numbers of at most 26 bits: digits give their high bit first, numbers take their low bit first. */
const bitReader = (text: Buffer): ((count: number) => number) => {
  let at = 0;
  /** Bits that were not taken yet, the next one lowest. */
  let bits = 0;
  let left = 0;
  return (count) => {
    while (left < count) {
      const digit = at < text.length ? (DIGIT_VALUES[text[at++] ?? 0] ?? 255) : 255;
      if (digit === 255) throw broken();
      bits |= digit << left;
      left += DIGIT_BITS;
    }
    const value = bits & ((1 << count) - 1);
    bits >>>= count;
    left -= count;
    return value;
  };
};

const grown = (units: Uint16Array<ArrayBuffer>, needed: number, max: number): Uint16Array<ArrayBuffer> => {
  const larger = new Uint16Array(Math.min(max, Math.max(needed, 2 * units.length)));
  larger.set(units);
  return larger;
};

const grownEntries = (entries: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(2 * entries.length);
  larger.set(entries);
  return larger;
};

const broken = (): Refused => new Refused(400, "failed to decode request: invalid LZ64 data");
const tooLarge = (): Refused => new Refused(413, "maximum event size exceeded: the request is too large when decompressed");
