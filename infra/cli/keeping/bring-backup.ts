import { forEachConcurrent } from "../../../lib/core/concurrency.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import type { FileName } from "./backup-files.ts";
import { type BackupSource, damaged, type RestoredStore } from "./backup-source.ts";
import type { CopiedObject } from "./object-list.ts";
import type { Progress } from "./progress.ts";

/** Objects that are put side by side. */
const CONCURRENCY = 8;
/** So many of the list are held at a time. */
const LISTED_AT_ONCE = 1_000;

/** Brings a file of a backup, if there is one, and holds it to its digest. Throws a `UserError` where it is not what was written. */
export const bringFile = async ({ page, place, bring }: BackupSource, name: FileName, to: string): Promise<void> => {
  const said = page.files[name];
  if (said === undefined) return;
  const brought = await bring(name, to);
  if (brought?.sha256 !== said.sha256) throw damaged(place, `its ${name} file`);
};

/** Puts all objects of a backup that are not there yet, each held to its digest. Throws a `UserError` where one is not what was written. */
export const bringObjects = async (
  source: BackupSource,
  into: RestoredStore & { readonly objects: Objects },
  progress: Progress,
): Promise<void> => {
  const { page, place, list } = source;
  if (list.total(page.id).sha256 !== page.objects.sha256) throw damaged(place, "its list of objects");
  let put = 0;
  const bring = async (object: CopiedObject): Promise<void> => {
    const found = await source.put(object, into);
    if (found?.sha256 !== object.sha256 || found.bytes !== object.bytes) throw damaged(place, object.key);
    put += 1;
    progress.at(`${put} of ${page.objects.count} objects`);
  };
  const there = await storedLengths(into.objects);
  for (const some of inChunks(list.named(page.id))) {
    const missing = some.filter(({ key, bytes }) => there.get(key) !== bytes);
    put += some.length - missing.length;
    await forEachConcurrent(missing, CONCURRENCY, bring);
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
export const storedLengths = async (objects: Objects): Promise<ReadonlyMap<string, number>> => {
  const lengths = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const page = await objects.list("", cursor);
    for (const { key, bytes } of page.objects) lengths.set(key, bytes);
    cursor = page.cursor;
  } while (cursor !== null);
  return lengths;
};
