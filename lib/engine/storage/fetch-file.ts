import { copyFile, type FileHandle, link, mkdir, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { FooterPlace } from "../../lake/catalogue.ts";
import type { Objects } from "../../ports/objects.ts";
import type { Footers } from "./footers.ts";
import { bytesIn, columnLayout, columnSizes, type Layout, mergeRanges } from "./layout.ts";

/** An object to have on the disk. Without `footerBytes` its end is read to find the footer. */
export interface FileRequest {
  readonly key: string;
  readonly bytes: number;
  readonly footerBytes?: number;
  /** The footer in base64, or where it lies. */
  readonly footer?: string;
  readonly footerAt?: FooterPlace;
  readonly columns: readonly string[] | "all";
}

/** The part of an object that is on the disk. */
export interface LocalFile {
  readonly path: string;
  /** Bytes on the disk, holes not counted. */
  held: number;
  /** Where the columns lie of a file of which only some may be there. */
  layout: Layout | undefined;
  /** The bytes of each column of a file in place, a sixth of the memory of a layout: a laptop has thousands of them. */
  sizes: ReadonlyMap<string, number> | undefined;
  whole: boolean;
  readonly present: Set<string>;
  pins: number;
  /** The tail of what is being done to the file: one change at a time. */
  busy: Promise<unknown>;
}

/** A file up to this size is fetched in one piece: another request costs more than its bytes. */
export const WHOLE_BYTES = 65_536;

/** Whole files are fetched in pieces of this size. */
const PIECE_BYTES = 4_194_304;

/** Where the footer's length is not known, the first guess at it. */
const FOOTER_GUESS = 16_384;

const FOOTER_END = 8;
const MAGIC = new TextEncoder().encode("PAR1");

/** Bytes fetched, and bytes of the column chunks that are needed. */
export interface FetchCost {
  readonly fetched: number;
  readonly needed: number;
}

export const NOTHING: FetchCost = { fetched: 0, needed: 0 };

type FetchRange = (key: string, from: number, to: number) => Promise<Uint8Array>;

/** The object store, from far away. */
export interface Remote {
  readonly fetchRange: FetchRange;
  readonly footers: Footers;
}

/** Fetches what is wanted of an object and is not on the disk yet. One call at a time for a file. */
export const fetchFile = async (objects: Objects, file: LocalFile, wanted: FileRequest, remote: Remote): Promise<FetchCost> => {
  const stored = objects.localPath(wanted.key);
  if (stored !== undefined) {
    if (!file.whole) await linkInto(stored, file, wanted.bytes);
    return { fetched: 0, needed: await neededOfLinked(file, wanted) };
  }
  if (file.whole) return { fetched: 0, needed: neededBytes(file, wanted) };
  if (wanted.columns === "all" || wanted.bytes <= WHOLE_BYTES) {
    await fetchWhole(file, wanted, remote.fetchRange);
    return { fetched: wanted.bytes, needed: wanted.bytes };
  }
  return fetchColumns(file, wanted, wanted.columns, remote);
};

const neededBytes = (file: LocalFile, wanted: FileRequest): number => {
  if (!file.layout || wanted.columns === "all") return wanted.bytes;
  return wanted.columns.reduce((sum, column) => sum + bytesIn(file.layout?.get(column) ?? []), 0);
};

/** A file in place has its own footer. */
export const NONE_BESIDE: Footers = { read: async () => undefined };

/** The bytes that a function which fetches columns would need: said of files in place, too, so that a laptop shows what a deployed run reads. */
const neededOfLinked = async (file: LocalFile, wanted: FileRequest): Promise<number> => {
  if (wanted.columns === "all" || wanted.bytes <= WHOLE_BYTES) return wanted.bytes;
  if (!file.sizes) {
    await using handle = await open(file.path);
    const readTail = async (_: string, from: number, to: number): Promise<Uint8Array> =>
      (await handle.read({ buffer: Buffer.alloc(to - from), position: from })).buffer;
    file.sizes = columnSizes(columnLayout(await footerMetadata(wanted, { fetchRange: readTail, footers: NONE_BESIDE })));
  }
  return wanted.columns.reduce((sum, column) => sum + (file.sizes?.get(column) ?? 0), 0);
};

const fetchColumns = async (file: LocalFile, wanted: FileRequest, columns: readonly string[], remote: Remote): Promise<FetchCost> => {
  let fetched = 0;
  await using handle = await open(file.path, file.layout ? "r+" : "w+");
  if (!file.layout) {
    const end = await footerEnd(wanted, remote);
    fetched += end.fetched;
    await handle.truncate(wanted.bytes);
    await writeAt(handle, MAGIC, 0);
    await writeAt(handle, end.bytes, wanted.bytes - end.bytes.length);
    file.layout = columnLayout(end.bytes.subarray(0, end.bytes.length - FOOTER_END));
    file.held += end.bytes.length;
  }
  const { layout } = file;
  const missing = columns.filter((column) => !file.present.has(column));
  const chunks = missing.flatMap((column) => layout.get(column) ?? []);
  await Promise.all(
    mergeRanges(chunks).map(async ({ from, to }) => {
      await writeAt(handle, await remote.fetchRange(wanted.key, from, to), from);
      fetched += to - from;
      file.held += to - from;
    }),
  );
  for (const column of missing) file.present.add(column);
  return { fetched, needed: neededBytes(file, wanted) };
};

/** A footer's metadata, from wherever it is nearest. */
export const footerMetadata = async (wanted: FileRequest, remote: Remote): Promise<Uint8Array> => {
  const { bytes } = await footerEnd(wanted, remote);
  return bytes.subarray(0, bytes.length - FOOTER_END);
};

/** The footer with the 8 bytes that end a file, from the catalogue or from beside the files if it is there. */
const footerEnd = async (wanted: FileRequest, { fetchRange, footers }: Remote): Promise<{ bytes: Uint8Array; fetched: number }> => {
  const { key, bytes, footer, footerAt, footerBytes } = wanted;
  if (footer !== undefined) return { bytes: ended(Buffer.from(footer, "base64")), fetched: 0 };
  const beside = footerAt && footerBytes !== undefined ? await footers.read(footerAt, footerBytes) : undefined;
  if (beside) return { bytes: ended(beside.footer), fetched: beside.fetched };
  const guess = Math.min(bytes, (footerBytes ?? FOOTER_GUESS) + FOOTER_END);
  const tail = await fetchRange(key, bytes - guess, bytes);
  const length = Buffer.from(tail.buffer, tail.byteOffset, tail.length).readUInt32LE(guess - FOOTER_END) + FOOTER_END;
  if (length <= guess) return { bytes: tail.subarray(guess - length), fetched: guess };
  return { bytes: await fetchRange(key, bytes - length, bytes), fetched: guess + length };
};

const ended = (metadata: Uint8Array): Uint8Array => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(metadata.length);
  return Buffer.concat([metadata, length, MAGIC]);
};

const linkInto = async (stored: string, file: LocalFile, bytes: number): Promise<void> => {
  await unlink(file.path).catch(() => undefined);
  await link(stored, file.path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "EXDEV") return copyFile(stored, file.path);
    throw thrown;
  });
  file.whole = true;
  file.held = bytes;
};

/**
 * A piece at a time, so that memory does not grow with the files. Columns that are there are being read, and stay there should the
 * rest not come: they are written over with what they are.
 */
const fetchWhole = async (file: LocalFile, { key, bytes }: FileRequest, fetchRange: FetchRange): Promise<void> => {
  await using handle = await open(file.path, file.layout ? "r+" : "w");
  const pieces = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, at) => at * PIECE_BYTES);
  await Promise.all(pieces.map(async (from) => writeAt(handle, await fetchRange(key, from, Math.min(from + PIECE_BYTES, bytes)), from)));
  file.whole = true;
  file.held = bytes;
};

/** Writes a file of our own making. */
export const writeWhole = async (file: LocalFile, bytes: Uint8Array): Promise<void> => {
  await mkdir(dirname(file.path), { recursive: true });
  await using handle = await open(file.path, "w");
  await writeAt(handle, bytes, 0);
  file.whole = true;
  file.held = bytes.length;
};

export const writeAt = async (handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
};
