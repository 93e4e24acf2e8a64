import { forEachConcurrent } from "../../../lib/core/concurrency.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import type { FileName } from "./backup-files.ts";
import { type BackupSource, damaged, type RestoredStore } from "./backup-source.ts";
import type { CopiedObject } from "./object-list.ts";
import type { Progress } from "./progress.ts";

/** Objects put at once. */
const CONCURRENCY = 8;
/** Entries of the list that are held in memory at once. */
const LISTED_AT_ONCE = 1_000;

/** Copies a file out of a backup, where it has one, and checks its digest. Throws a `UserError` where that differs. */
export const restoreFile = async ({ manifest, place, fetch }: BackupSource, name: FileName, to: string): Promise<void> => {
  const said = manifest.files[name];
  if (said === undefined) return;
  const fetched = await fetch(name, to);
  if (fetched?.sha256 !== said.sha256) throw damaged(place, `its ${name} file`);
};

/** Puts the objects of a backup that the store lacks, and checks the digest of each. Throws a `UserError` where one differs. */
export const restoreObjects = async (
  source: BackupSource,
  into: RestoredStore & { readonly objects: Objects },
  progress: Progress,
): Promise<void> => {
  const { manifest, place, list } = source;
  if (list.total(manifest.id).sha256 !== manifest.objects.sha256) throw damaged(place, "its list of objects");
  let put = 0;
  const restore = async (object: CopiedObject): Promise<void> => {
    const found = await source.put(object, into);
    if (found?.sha256 !== object.sha256 || found.bytes !== object.bytes) throw damaged(place, object.key);
    put += 1;
    progress.at(`${put} of ${manifest.objects.count} objects`);
  };
  const there = await storedLengths(into.objects);
  for (const some of inChunks(list.named(manifest.id))) {
    const missing = some.filter(({ key, bytes }) => there.get(key) !== bytes);
    put += some.length - missing.length;
    await forEachConcurrent(missing, CONCURRENCY, restore);
  }
};

function* inChunks<T>(all: Iterable<T>): Generator<readonly T[]> {
  let some: T[] = [];
  for (const each of all) {
    some.push(each);
    if (some.length < LISTED_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** What a restore before this one put. The embedded store holds its keys in memory, too. */
const storedLengths = async (objects: Objects): Promise<ReadonlyMap<string, number>> => {
  const lengths = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const manifest = await objects.list("", cursor);
    for (const { key, bytes } of manifest.objects) lengths.set(key, bytes);
    cursor = manifest.cursor;
  } while (cursor !== null);
  return lengths;
};
