import { constants, zstdDecompressSync } from "node:zlib";

/** What an uploaded file holds: a chunk with its map, or a map of byte code. */
export interface SymbolFile {
  /** The code that runs, which function names are looked for in; empty for byte code. */
  readonly code: string;
  /** JSON text of the source map. */
  readonly map: string;
}

/** Why an uploaded file resolves nothing, as a sentence for whoever looks at a frame of its chunk. */
export class UnusableFile extends Error {
  override readonly name = "UnusableFile";
}

/** A larger file is not opened: with what is made of it, it would take the memory that events need. */
export const MOST_OPENED_BYTES = 64 * 1024 * 1024;

const MAGIC = Buffer.from("posthog_error_tracking");
const TYPE_AT = MAGIC.length + 4;
const VERSION_1_BYTES = TYPE_AT + 4;
const VERSION_2_BYTES = VERSION_1_BYTES + 1;

const SOURCE_AND_MAP = 2;
const HERMES_MAP = 3;

/** Kinds of files that the command line tool uploads as well, and that say nothing of JavaScript. */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [4, "a ProGuard mapping"],
  [5, "an Apple dSYM"],
  [6, "ELF debug information"],
]);

/**
 * Opens a file as `posthog-cli` makes it: the magic word, version and kind as little-endian numbers of four bytes, from version 2 on
 * a byte for the compression, then the payload. A plain source map is taken as well. Throws `UnusableFile`.
 */
export const openContainer = (bytes: Uint8Array): SymbolFile => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length > MOST_OPENED_BYTES) throw tooLarge();
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) {
    if (file[0] === 0x7b) return { code: "", map: file.toString("utf8") };
    throw new UnusableFile("The uploaded file is no symbol set of posthog-cli and no source map.");
  }
  if (file.length < VERSION_2_BYTES) throw cutShort();
  const version = file.readUInt32LE(MAGIC.length);
  const type = file.readUInt32LE(TYPE_AT);
  if (version !== 1 && version !== 2) throw new UnusableFile(`The uploaded file has format ${version}, which this release cannot read.`);
  const payload = version === 1 ? file.subarray(VERSION_1_BYTES) : unpacked(file[VERSION_1_BYTES] ?? 0, file.subarray(VERSION_2_BYTES));
  if (type === HERMES_MAP) return { code: "", map: payload.toString("utf8") };
  if (type !== SOURCE_AND_MAP) throw new UnusableFile(`The uploaded file is ${OTHERS.get(type) ?? `of kind ${type}`}, not a source map.`);
  const [code, rest] = readPart(payload);
  const [map] = readPart(rest);
  return { code, map };
};

const NO_COMPRESSION = 0;
const ZSTD = 1;

const unpacked = (compression: number, payload: Buffer): Buffer => {
  if (compression === NO_COMPRESSION) return payload;
  if (compression !== ZSTD)
    throw new UnusableFile(`The uploaded file is compressed in a way (${compression}) that this release cannot read.`);
  try {
    return zstdDecompressSync(payload, { maxOutputLength: MOST_OPENED_BYTES, params: { [constants.ZSTD_d_windowLogMax]: 27 } });
  } catch (fault) {
    if (fault instanceof RangeError) throw tooLarge();
    throw new UnusableFile("The uploaded file is damaged: it cannot be decompressed.");
  }
};

/** A text behind its length in eight bytes, and what follows it. */
const readPart = (payload: Buffer): readonly [string, Buffer] => {
  if (payload.length < 8) throw cutShort();
  const end = 8 + Number(payload.readBigUInt64LE(0));
  if (end > payload.length) throw cutShort();
  return [payload.toString("utf8", 8, end), payload.subarray(end)];
};

const cutShort = (): UnusableFile => new UnusableFile("The uploaded file is damaged: it ends too early.");
const tooLarge = (): UnusableFile =>
  new UnusableFile(`The source map is too large to be used: with its code it has more than ${MOST_OPENED_BYTES / 1024 / 1024} MB.`);
