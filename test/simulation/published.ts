import { STATE_ENTRY } from "../../lib/lake/catalogue.ts";
import { parseHead } from "../../lib/lake/head.ts";
import { HEAD_SK, lakePk, manifestKey, publishedSk } from "../../lib/lake/paths.ts";
import type { Item, Write } from "../../lib/ports/table.ts";
import { type ListedTable, readTable } from "../support/iceberg/read-table.ts";
import { namedIn } from "./final.ts";
import { Violation } from "./ledger.ts";
import type { MemoryObjects } from "./ports/objects.ts";
import type { MemoryTable } from "./ports/table.ts";

/** What the head of a project named one after the other: keys of the files of events, sorted and joined. */
export type HeadHistory = Map<number, string[]>;

interface Stores {
  readonly table: MemoryTable;
  readonly objects: MemoryObjects;
}

const EVENTS = publishedSk("events");

/**
 * Told of each transaction: remembers what heads name, and holds each published table of events to be one of those, and no older one than
 * was published before.
 */
export const tellPublished = (writes: readonly Write[], history: HeadHistory, { table, objects }: Stores): void => {
  for (const write of writes) {
    if (write.kind === "update" && write.key.sk === HEAD_SK) {
      const project = Number(write.key.pk.slice(lakePk(0).length - 1));
      const before = table.everything().find(({ pk, sk }) => pk === write.key.pk && sk === HEAD_SK);
      const named = eventFiles(objects, project, { ...write.key, ...before, ...write.change.set });
      history.set(project, [...(history.get(project) ?? [""]), named]);
    }
    if (write.kind !== "put" || write.item.sk !== EVENTS) continue;
    const project = Number(write.item.pk.slice(lakePk(0).length - 1));
    const published = joined(read(objects, String(write.item.metadata)).current.files);
    const heads = history.get(project) ?? [""];
    const since = heads.indexOf(published);
    if (since < 0) throw new Violation(`the published events of project ${project} are those of no head since the last publication`);
    history.set(project, heads.slice(since));
  }
};

/** At any moment: whatever a snapshot that is listed names exists, as long as it says. */
export const checkPublished = ({ table, objects }: Stores, project: number): void => {
  const stored = objects.everything();
  for (const item of publications(table, project))
    for (const { needs } of read(objects, String(item.metadata)).snapshots)
      for (const key of needs) if (!stored.has(key)) throw new Violation(`${key} is named by a snapshot of ${item.sk} and gone`);
};

/** When all work is done: what is published is what the head names, with one snapshot, and these keys. */
export const checkPublishedIsLast = (stores: Stores, project: number): readonly string[] => {
  const { table, objects } = stores;
  const head = table.everything().find(({ pk, sk }) => pk === lakePk(project) && sk === HEAD_SK);
  return publications(table, project).flatMap((item) => {
    const { snapshots, current } = read(objects, String(item.metadata));
    if (snapshots.length !== 1) throw new Violation(`${item.sk} still has ${snapshots.length} snapshots`);
    if (item.sk === EVENTS && head && joined(current.files) !== eventFiles(objects, project, head))
      throw new Violation(`the published events of project ${project} are not what its head names`);
    return [String(item.metadata), ...current.needs];
  });
};

const publications = (table: MemoryTable, project: number): readonly Item[] =>
  table.everything().filter(({ pk, sk }) => pk === lakePk(project) && sk.startsWith(publishedSk("")));

const eventFiles = (objects: MemoryObjects, project: number, head: Item): string =>
  joined(
    Object.entries(parseHead(project, head).manifests).flatMap(([entry, id]) => {
      const bytes = entry === STATE_ENTRY ? undefined : objects.everything().get(manifestKey(project, entry, id));
      return bytes === undefined ? [] : namedIn(bytes, objects, project).filter(({ key }) => key.startsWith("events/"));
    }),
  );

const joined = (files: readonly { readonly key: string }[]): string =>
  files
    .map(({ key }) => key)
    .sort()
    .join();

/** Tables that were read, by the bytes of their metadata: these and all that they name never change; whether they are still there is looked at anew. */
const tables = new WeakMap<Uint8Array, ListedTable>();

const read = (objects: MemoryObjects, metadata: string): ListedTable => {
  const stored = objects.everything();
  const bytes = stored.get(metadata);
  const known = bytes && tables.get(bytes);
  if (known !== undefined) return known;
  try {
    const table = readTable(stored.get, metadata);
    if (bytes) tables.set(bytes, table);
    return table;
  } catch (error) {
    throw new Violation(`a published table cannot be read: ${error instanceof Error ? error.message : error}`);
  }
};
