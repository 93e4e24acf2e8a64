import { mkdir, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Defect } from "../../core/unreachable.ts";
import type { RowSource } from "../../lake/row-files.ts";
import type { Objects } from "../../ports/objects.ts";
import { type FetchCost, type FileRequest, fetchFile, type LocalFile, NOTHING, writeWhole } from "./fetch-file.ts";
import { copyName, fillFlaggedCopy, isWorthFlagging } from "./flagged-file.ts";
import { openFooters } from "./footers.ts";

/** Files that stay on the disk until `release` is called. */
export interface FileLease {
  /** The local path of an object. */
  path(key: string): string;
  /** Whether the path is that of a copy which says of each row whether it is seen. */
  isFlagged(key: string): boolean;
  /** Bytes fetched for this call, and bytes of the column chunks it needs. */
  readonly fetchedBytes: number;
  readonly neededBytes: number;
  release(): void;
}

/** Lets go of what is held; for a stack of it, so that nothing stays held when the next step fails. */
export const release = (held: Pick<FileLease, "release">): void => held.release();

/** An object to have on the disk; with a source a copy that is flagged, where reading one pays. */
export interface WantedFile extends FileRequest {
  readonly source?: RowSource;
}

export interface LocalFiles {
  /** The directory of a project that its instance may read; it ends in a slash. */
  readable(project: number): string;
  /** A project's directory for what a sort spills; `purpose` keeps instances apart. */
  temporary(project: number, purpose: string): string;
  hold(project: number, wanted: readonly WantedFile[]): Promise<FileLease>;
  /** Whether an object is a plain file on this disk already, so that holding it fetches nothing. */
  isInPlace(key: string): boolean;
  /** Keeps bytes of our own making as a local file under `name`, beside the objects. */
  holdBytes(project: number, name: string, make: () => Promise<Uint8Array>): Promise<FileLease>;
}

/** Files that may not go, by the keys of what they hold: objects, and of some of them flagged copies. */
interface Pinned {
  readonly objects: ReadonlyMap<string, LocalFile>;
  readonly flagged: ReadonlyMap<string, LocalFile>;
}

const unpin = ({ objects, flagged }: Pinned): void => {
  for (const file of [...objects.values(), ...flagged.values()]) file.pins--;
};

/** Removes files from the disk. */
export interface Disk {
  readonly unlink: (path: string) => Promise<void>;
}

/** Files that stay without being held: each takes two kilobytes of memory, or twelve where parts of it are there. */
const MOST_FILES = 5_000;

/** Requests on their way at once. */
const PARALLEL_REQUESTS = 16;

/**
 * The disk beneath the engine, under `root`, which belongs to it alone and is emptied first. Where the store keeps plain files
 * they are hard-linked (an instance may only read its project's directory, and refuses symbolic links); elsewhere only the
 * column chunks that are needed are fetched, to their places in a sparse file. Least recently used files go when more than
 * `limitBytes` are held, or more than `mostFiles` are there; one that a query holds never does. Which files are there, on their way and
 * held is known to the steps of this closure alone.
 */
export const openLocalFiles = async (
  objects: Objects,
  root: string,
  limitBytes: number,
  disk: Disk = { unlink },
  mostFiles = MOST_FILES,
): Promise<LocalFiles> => {
  await rm(root, { recursive: true, force: true });
  const files = new Map<string, LocalFile>();
  const fetches = limited(PARALLEL_REQUESTS);
  const footers = openFooters(objects);
  const readable = (project: number): string => `${join(root, String(project), "cache")}/`;

  /** Projects whose directory is there: it stays, since the root is nobody else's. */
  const placed = new Set<number>();
  const place = async (project: number): Promise<void> => {
    if (placed.has(project)) return;
    await mkdir(readable(project), { recursive: true });
    placed.add(project);
  };

  const fetchRange = (key: string, from: number, to: number): Promise<Uint8Array> =>
    fetches(async () => {
      const bytes = await objects.getRange(key, from, to);
      if (bytes?.length === to - from) return bytes;
      throw new Defect(bytes ? `${key} is shorter than the catalogue says` : `${key} is gone from the object store`);
    });

  const pin = (project: number, name: string): LocalFile => {
    const path = readable(project) + name;
    const known = files.get(path);
    const file = known ?? {
      path,
      held: 0,
      layout: undefined,
      sizes: undefined,
      whole: false,
      present: new Set(),
      pins: 0,
      busy: Promise.resolve(),
    };
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

  /** In the file's own turn: whoever asks for it meanwhile gets the same entry, and brings it anew afterwards. */
  const remove = (file: LocalFile): Promise<void> =>
    exclusively(file, async () => {
      if (files.get(file.path) !== file) return;
      file.held = 0;
      file.whole = false;
      file.layout = undefined;
      file.sizes = undefined;
      file.present.clear();
      await disk.unlink(file.path).catch(() => undefined);
      if (file.pins === 0) files.delete(file.path);
    });

  const evict = async (): Promise<void> => {
    let held = 0;
    for (const file of files.values()) held += file.held;
    const isEnough = (): boolean => held <= limitBytes && files.size <= mostFiles;
    if (isEnough()) return;
    for (const file of [...files.values()]) {
      if (isEnough()) return;
      if (file.pins > 0) continue;
      held -= file.held;
      await remove(file);
    }
  };

  const fileLease = (pinned: Pinned, fetchedBytes: number, neededBytes: number): FileLease => {
    let released = false;
    return {
      path(key) {
        const file = pinned.flagged.get(key) ?? pinned.objects.get(key);
        if (!file) throw new Defect(`${key} is not held`);
        return file.path;
      },
      isFlagged: (key) => pinned.flagged.has(key),
      fetchedBytes,
      neededBytes,
      release() {
        if (released) return;
        released = true;
        unpin(pinned);
      },
    };
  };

  /** Settles when all files are there; where one does not come, it releases the others and throws once no file is being written any more. */
  const holding = async (pinned: Pinned, coming: readonly Promise<FetchCost>[]): Promise<FileLease> => {
    try {
      await Promise.allSettled(coming);
      const brought = await Promise.all(coming);
      await evict();
      const sum = (pick: (one: FetchCost) => number): number => brought.reduce((total, one) => total + pick(one), 0);
      return fileLease(
        pinned,
        sum((one) => one.fetched),
        sum((one) => one.needed),
      );
    } catch (thrown) {
      unpin(pinned);
      throw thrown;
    }
  };

  return {
    readable,
    temporary: (project, purpose) => join(root, String(project), purpose),
    isInPlace: (key) => objects.localPath(key) !== undefined,

    async hold(project, wanted) {
      await place(project);
      const names = new Map(wanted.map(({ key }) => [key, fileName(key)]));
      const pinned = new Map([...names].map(([key, name]) => [key, pin(project, name)]));
      const flagged = new Map(
        wanted.flatMap(({ key, source }) =>
          source && isWorthFlagging(source) ? [[key, pin(project, `${fileName(key)}~${copyName(source.skip)}`)] as const] : [],
        ),
      );
      const coming = wanted.map(async (one) => {
        const file = pinned.get(one.key);
        if (!file) throw new Defect(`${one.key} was not pinned`);
        const cost = await exclusively(file, () => fetchFile(objects, file, one, { fetchRange, footers }));
        const copy = flagged.get(one.key);
        const { source } = one;
        if (copy && source) await exclusively(copy, () => fillFlaggedCopy(copy, file, one, source));
        return cost;
      });
      return holding({ objects: pinned, flagged }, coming);
    },

    async holdBytes(project, name, make) {
      await place(project);
      const file = pin(project, name);
      const coming = exclusively(file, async () => {
        if (!file.whole) await writeWhole(file, await make());
        return NOTHING;
      });
      return holding({ objects: new Map([[name, file]]), flagged: new Map() }, [coming]);
    },
  };
};

/** A file name from an object key: flat, and of characters that need no quoting. */
const fileName = (key: string): string => {
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
