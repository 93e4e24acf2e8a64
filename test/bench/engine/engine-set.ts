import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openEngine } from "../../../lib/engine/open.ts";
import { type EventRow, GROUP_SLOTS } from "../../../lib/event/event.ts";
import { HOT } from "../../../lib/event/hot-properties.ts";
import { identityHash, rememberedPersonIds } from "../../../lib/event/identity.ts";
import { partitionAt, utcDay } from "../../../lib/event/time-partitions.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";
import { eventFileKey, segmentKey } from "../../../lib/lake/paths.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { type CorpusEvent, corpus } from "../corpus.ts";

export const SET_PROJECT = 1;
export const SET_EVENTS = 5_000_000;
const DAYS = 90;
export const DAY_MS = 86_400_000;
export const SET_FROM = Date.UTC(2025, 0, 1);
export const SET_TO = SET_FROM + DAYS * DAY_MS;

/** Rows of a drain, as ingest would cut it. */
const DRAIN_ROWS = 50_000;

const WAITING_SEGMENTS = 40;
const WAITING_SHARE = 0.02;
const DUPLICATE_SHARE = 0.005;

/** Bump when the set's content or files would come out differently: an older one is made again. */
const SET_VERSION = 2;

/** The big set on this disk: compacted files and segments that wait. */
export interface BenchSet {
  readonly objects: Objects;
  readonly files: readonly FileFacts[];
  readonly waiting: readonly FileFacts[];
}

/** The 5-million-event set under `root`, written once by the compactor's own merge; minutes the first time. */
export const benchSet = async (root: string, say: (line: string) => void): Promise<BenchSet> => {
  const objects = diskObjects(join(root, "objects"));
  const list = join(root, `set-${SET_VERSION}.json`);
  if (!existsSync(list)) {
    for (const own of ["objects", "engine"]) await rm(join(root, own), { recursive: true, force: true });
    await mkdir(root, { recursive: true });
    const made = await make(root, objects, say);
    await writeFile(`${list}.new`, JSON.stringify(made));
    await rename(`${list}.new`, list);
  }
  const found: { files: FileFacts[]; waiting: FileFacts[] } = JSON.parse(await readFile(list, "utf8"));
  return { objects, ...found };
};

const make = async (root: string, objects: Objects, say: (line: string) => void): Promise<Omit<BenchSet, "objects">> => {
  const config = { engineDiskBytes: 4_000_000_000, engineMemoryMb: 1_500 };
  const engine = await openEngine({ objects, directory: join(root, "engine"), config, countUsage });
  let keys = 0;
  const key = (): string => String(keys++).padStart(8, "0");
  const drains = new Map<string, FileFacts[]>();
  const copies: EventRow[] = [];
  const waiting: FileFacts[] = [];
  const write = async (rows: readonly EventRow[], partition: string): Promise<FileFacts> => {
    const { content, ...facts } = await engine.rowFiles.write(rows);
    const name = segmentKey(SET_PROJECT, partition, key());
    await objects.put(name, content);
    return { key: name, ...facts };
  };
  const files: FileFacts[] = [];
  const fold = async (partition: string): Promise<void> => {
    const sources = (drains.get(partition) ?? []).map((file) => ({ file, skip: [] }));
    files.push(...(await engine.rowFiles.merge(SET_PROJECT, sources, "days", () => eventFileKey(SET_PROJECT, partition, key()))));
    await objects.remove(sources.map(({ file }) => file.key));
    drains.delete(partition);
    say(`${partition}: ${files.length} files`);
  };
  const settled = SET_EVENTS * (1 - WAITING_SHARE);
  let count = 0;
  for (const rows of batches(rowsOf(corpus({ seed: 5, events: SET_EVENTS, from: SET_FROM, to: SET_TO })), DRAIN_ROWS)) {
    for (const [partition, part] of byPartition(rows)) {
      const late = part.filter((_, at) => count + at >= settled);
      const early = part.slice(0, part.length - late.length);
      if (early.length > 0) {
        for (const open of drains.keys()) if (open !== partition) await fold(open);
        drains.set(partition, [...(drains.get(partition) ?? []), await write(early, partition)]);
        copies.push(...early.filter((_, at) => at % 500 === 0));
      }
      const size = Math.ceil((SET_EVENTS * WAITING_SHARE) / WAITING_SEGMENTS);
      for (let start = 0; start < late.length; start += size) {
        const some = late.slice(start, start + size);
        // Copies of rows of the same day that a file has, as a retried request would bring them.
        const again = copies.slice(-Math.round(some.length * DUPLICATE_SHARE));
        waiting.push(await write([...some, ...again], partition));
      }
      count += part.length;
    }
  }
  for (const open of [...drains.keys()]) await fold(open);
  await engine.close();
  return { files, waiting };
};

function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const byPartition = (rows: readonly EventRow[]): Map<string, EventRow[]> => Map.groupBy(rows, ({ timestamp }) => partitionAt(timestamp));

function* rowsOf(events: Iterable<CorpusEvent>): Generator<EventRow> {
  const personId = rememberedPersonIds(SET_PROJECT);
  let at = 0;
  for (const event of events) yield rowOf(event, at++, personId);
}

const textOf = (value: unknown): string | null => (value === undefined || value === null || value === "" ? null : String(value));

const rowOf = (event: CorpusEvent, at: number, personId: (distinctId: string) => string): EventRow => {
  const timestamp = BigInt(Date.parse(event.timestamp)) * 1_000n;
  const { properties, uuid = "" } = event;
  return {
    uuid,
    event: event.event,
    distinct_id: event.distinct_id,
    person_id: personId(event.distinct_id),
    timestamp,
    created_at: timestamp + 1_000_000n,
    identity: identityHash(utcDay(timestamp), event.event, event.distinct_id, uuid),
    person_mode: "full",
    historical: false,
    session_id: textOf(properties.$session_id),
    window_id: textOf(properties.$window_id),
    groups: Array.from({ length: GROUP_SLOTS }, () => null),
    elements_chain: "",
    properties: JSON.stringify(properties),
    hot: HOT.map(({ property, type }) => (type === "text" ? textOf(properties[property]) : null)),
    request: Math.floor(at / 100)
      .toString(16)
      .padStart(32, "0"),
    index: at % 100,
  };
};

/** An object store of plain files. */
export const diskObjects = (root: string): Objects => {
  const place = (key: string): string => join(root, key);
  const put = async (key: string, write: (path: string) => Promise<void>): Promise<void> => {
    await mkdir(dirname(place(key)), { recursive: true });
    await write(place(key));
  };
  return {
    put: (key, bytes) => put(key, (path) => writeFile(path, bytes)),
    putFile: (key, from) => put(key, (path) => copyFile(from, path)),
    get: async (key) => (existsSync(place(key)) ? new Uint8Array(await readFile(place(key))) : undefined),
    getRange: async (key, from, to) => (existsSync(place(key)) ? new Uint8Array(await readFile(place(key))).subarray(from, to) : undefined),
    list: async () => ({ objects: [], cursor: null }),
    remove: async (keys) => {
      for (const key of keys) await rm(place(key), { force: true });
    },
    localPath: place,
    uri: (key) => `s3://lake/${key}`,
  };
};
