import { copyFile, type FileHandle, link, mkdir, open, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Defect } from "../core/unreachable.ts";
import type { Objects } from "../world/objects.ts";
import { type Layout, layoutOf, mergeRanges, type Range } from "./layout.ts";

/** An object to have on the disk. Without `footerBytes` its end is read to find the footer. */
export interface Wanted {
  readonly key: string;
  readonly bytes: number;
  readonly footerBytes?: number;
  /** The footer in base64. */
  readonly footer?: string;
  readonly columns: readonly string[] | "all";
}

/** Files that stay on the disk until `release` is called. */
export interface Held {
  /** The local path of an object. */
  path(key: string): string;
  /** Bytes fetched for this call, and bytes of the column chunks it needs. */
  readonly fetchedBytes: number;
  readonly neededBytes: number;
  release(): void;
}

export interface LocalFiles {
  /** The directory of a project that its instance may read; it ends in a slash. */
  readable(project: number): string;
  /** A project's directory for what a sort spills; `purpose` keeps instances apart. */
  temporary(project: number, purpose: string): string;
  hold(project: number, wanted: readonly Wanted[]): Promise<Held>;
  /** Keeps bytes of our own making as a local file under `name`, beside the objects. */
  holdBytes(project: number, name: string, make: () => Promise<Uint8Array>): Promise<Held>;
}

interface LocalFile {
  readonly path: string;
  /** Bytes on the disk, holes not counted. */
  held: number;
  layout: Layout | undefined;
  whole: boolean;
  readonly present: Set<string>;
  pins: number;
  /** The tail of what is being done to the file: one change at a time. */
  busy: Promise<unknown>;
}

/** A file up to this size is fetched in one piece: another request costs more than its bytes. */
const WHOLE_BYTES = 65_536;

/** Whole files are fetched in pieces of this size. */
const PIECE_BYTES = 4_194_304;

/** Requests on their way at once. */
const PARALLEL_REQUESTS = 16;

/** Where the footer's length is not known, the first guess at it. */
const FOOTER_GUESS = 16_384;

const FOOTER_END = 8;
const MAGIC = new TextEncoder().encode("PAR1");

/**
 * The disk beneath the engine, under `root`, which belongs to it alone and is emptied first. Where the store keeps plain files
 * they are hard-linked (an instance may only read its project's directory, and refuses symbolic links); elsewhere only the
 * column chunks that are needed are fetched, to their places in a sparse file. Least recently used files go when more than
 * `limitBytes` are held; one that a query holds never does.
 */
export const openLocalFiles = async (objects: Objects, root: string, limitBytes: number): Promise<LocalFiles> => {
  await rm(root, { recursive: true, force: true });
  const files = new Map<string, LocalFile>();
  const fetches = limited(PARALLEL_REQUESTS);
  const readable = (project: number): string => `${join(root, String(project), "cache")}/`;

  const fetchRange = (key: string, from: number, to: number): Promise<Uint8Array> =>
    fetches(async () => {
      const bytes = await objects.getRange(key, from, to);
      if (bytes?.length === to - from) return bytes;
      throw new Defect(bytes ? `${key} is shorter than the catalogue says` : `${key} is gone from the object store`);
    });

  const pin = (project: number, name: string): LocalFile => {
    const path = readable(project) + name;
    const known = files.get(path);
    const file = known ?? { path, held: 0, layout: undefined, whole: false, present: new Set(), pins: 0, busy: Promise.resolve() };
    files.delete(path);
    files.set(path, file);
    file.pins++;
    return file;
  };

  const exclusively = async <T>(file: LocalFile, task: () => Promise<T>): Promise<T> => {
    const result = file.busy.then(task);
    file.busy = result.catch(() => undefined);
    return result;
  };

  const evict = async (): Promise<void> => {
    let held = 0;
    for (const file of files.values()) held += file.held;
    for (const [path, file] of files) {
      if (held <= limitBytes) return;
      if (file.pins > 0) continue;
      files.delete(path);
      held -= file.held;
      await unlink(path).catch(() => undefined);
    }
  };

  const heldOf = (pinned: ReadonlyMap<string, LocalFile>, fetchedBytes: number, neededBytes: number): Held => {
    let released = false;
    return {
      path(key) {
        const file = pinned.get(key);
        if (!file) throw new Defect(`${key} is not held`);
        return file.path;
      },
      fetchedBytes,
      neededBytes,
      release() {
        if (released) return;
        released = true;
        for (const file of pinned.values()) file.pins--;
      },
    };
  };

  const holding = async (pinned: ReadonlyMap<string, LocalFile>, bring: () => Promise<readonly Fetched[]>): Promise<Held> => {
    const held = heldOf(pinned, 0, 0);
    try {
      const brought = await bring();
      await evict();
      const sum = (pick: (one: Fetched) => number): number => brought.reduce((total, one) => total + pick(one), 0);
      return heldOf(
        pinned,
        sum((one) => one.fetched),
        sum((one) => one.needed),
      );
    } catch (thrown) {
      held.release();
      throw thrown;
    }
  };

  return {
    readable,
    temporary: (project, purpose) => join(root, String(project), purpose),

    async hold(project, wanted) {
      await mkdir(readable(project), { recursive: true });
      const pinned = new Map(wanted.map(({ key }) => [key, pin(project, nameOf(key))] as const));
      return holding(pinned, () =>
        Promise.all(
          wanted.map((one) => {
            const file = pinned.get(one.key);
            if (!file) throw new Defect(`${one.key} was not pinned`);
            return exclusively(file, () => bring(objects, file, one, fetchRange));
          }),
        ),
      );
    },

    async holdBytes(project, name, make) {
      await mkdir(readable(project), { recursive: true });
      const file = pin(project, name);
      return holding(new Map([[name, file]]), async () => [
        await exclusively(file, async () => {
          if (file.whole) return NOTHING;
          const bytes = await make();
          await writeWhole(file, bytes);
          return NOTHING;
        }),
      ]);
    },
  };
};

interface Fetched {
  readonly fetched: number;
  readonly needed: number;
}

const NOTHING: Fetched = { fetched: 0, needed: 0 };

type FetchRange = (key: string, from: number, to: number) => Promise<Uint8Array>;

const bring = async (objects: Objects, file: LocalFile, wanted: Wanted, fetchRange: FetchRange): Promise<Fetched> => {
  const stored = objects.localPath(wanted.key);
  if (stored !== undefined) {
    if (!file.whole) await linkInto(stored, file, wanted.bytes);
    return NOTHING;
  }
  if (file.whole) return { fetched: 0, needed: neededBytes(file, wanted) };
  if (wanted.columns === "all" || wanted.bytes <= WHOLE_BYTES) {
    await fetchWhole(file, wanted, fetchRange);
    return { fetched: wanted.bytes, needed: wanted.bytes };
  }
  return bringColumns(file, wanted, wanted.columns, fetchRange);
};

const neededBytes = (file: LocalFile, wanted: Wanted): number => {
  if (!file.layout || wanted.columns === "all") return wanted.bytes;
  return wanted.columns.reduce((sum, column) => sum + size(file.layout?.get(column) ?? []), 0);
};

const size = (ranges: readonly Range[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0);

const bringColumns = async (file: LocalFile, wanted: Wanted, columns: readonly string[], fetchRange: FetchRange): Promise<Fetched> => {
  let fetched = 0;
  await using handle = await open(file.path, file.layout ? "r+" : "w+");
  if (!file.layout) {
    const end = await footerEnd(wanted, fetchRange);
    fetched += end.fetched;
    await handle.truncate(wanted.bytes);
    await writeAt(handle, MAGIC, 0);
    await writeAt(handle, end.bytes, wanted.bytes - end.bytes.length);
    file.layout = layoutOf(end.bytes.subarray(0, end.bytes.length - FOOTER_END));
    file.held += end.bytes.length;
  }
  const { layout } = file;
  const missing = columns.filter((column) => !file.present.has(column));
  const chunks = missing.flatMap((column) => layout.get(column) ?? []);
  await Promise.all(
    mergeRanges(chunks).map(async ({ from, to }) => {
      await writeAt(handle, await fetchRange(wanted.key, from, to), from);
      fetched += to - from;
      file.held += to - from;
    }),
  );
  for (const column of missing) file.present.add(column);
  return { fetched, needed: neededBytes(file, wanted) };
};

/** The footer with the 8 bytes that end a file, from the catalogue if it is there. */
const footerEnd = async (wanted: Wanted, fetchRange: FetchRange): Promise<{ bytes: Uint8Array; fetched: number }> => {
  const { key, bytes, footer, footerBytes } = wanted;
  if (footer !== undefined) {
    const metadata = Buffer.from(footer, "base64");
    const length = Buffer.alloc(4);
    length.writeUInt32LE(metadata.length);
    return { bytes: Buffer.concat([metadata, length, MAGIC]), fetched: 0 };
  }
  const guess = Math.min(bytes, (footerBytes ?? FOOTER_GUESS) + FOOTER_END);
  const tail = await fetchRange(key, bytes - guess, bytes);
  const length = Buffer.from(tail.buffer, tail.byteOffset, tail.length).readUInt32LE(guess - FOOTER_END) + FOOTER_END;
  if (length <= guess) return { bytes: tail.subarray(guess - length), fetched: guess };
  return { bytes: await fetchRange(key, bytes - length, bytes), fetched: guess + length };
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

/** A piece at a time, so that memory does not grow with the files. */
const fetchWhole = async (file: LocalFile, { key, bytes }: Wanted, fetchRange: FetchRange): Promise<void> => {
  await using handle = await open(file.path, "w");
  const pieces = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, at) => at * PIECE_BYTES);
  await Promise.all(pieces.map(async (from) => writeAt(handle, await fetchRange(key, from, Math.min(from + PIECE_BYTES, bytes)), from)));
  file.whole = true;
  file.held = bytes;
};

const writeWhole = async (file: LocalFile, bytes: Uint8Array): Promise<void> => {
  await mkdir(dirname(file.path), { recursive: true });
  await using handle = await open(file.path, "w");
  await writeAt(handle, bytes, 0);
  file.whole = true;
  file.held = bytes.length;
};

const writeAt = async (handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
};

/** A file name from an object key: flat, and of characters that need no quoting. */
const nameOf = (key: string): string => {
  if (/^[\w./=-]+$/.test(key)) return key.replaceAll("/", "~");
  throw new Defect(`the object key ${key} has characters that no key of ours has`);
};

/** Runs at most `places` of the tasks given to it at once. */
const limited = (places: number): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let free = places;
  const queue: (() => void)[] = [];
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => queue.push(go));
    try {
      return await task();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free++;
    }
  };
};
