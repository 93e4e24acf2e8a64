import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Databases } from "../../../lib/engine/duckdb/databases.ts";
import { type Database, openDatabase } from "../../../lib/engine/duckdb/duckdb.ts";
import { compareParquet } from "../../../lib/engine/storage/compare-rows.ts";
import { openDuplicateFinder } from "../../../lib/engine/storage/duplicates.ts";
import { type LocalFiles, openLocalFiles } from "../../../lib/engine/storage/local-files.ts";
import { openMatchingRows } from "../../../lib/engine/storage/matching-rows.ts";
import { mergeFiles } from "../../../lib/engine/storage/merge.ts";
import type { MergeSizes } from "../../../lib/engine/storage/merge-pieces.ts";
import { segmentSightings } from "../../../lib/engine/storage/segment-sightings.ts";
import { recountFile, usageLeft } from "../../../lib/engine/storage/source-usage.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { HOT } from "../../../lib/event/hot-properties.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";
import { readParquet, type Value } from "../../../lib/lake/parquet.ts";
import { type RowFiles, writeSegment } from "../../../lib/lake/row-files.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import type { Scheduler } from "../scheduler.ts";
import { FileMissing, type RowLists } from "./row-files.ts";

/** The platform's own row files for a run: Parquet, written, merged and compared by the engine. */
export interface EngineRowFiles {
  readonly lists: RowLists;
  /** The row files of one process over its objects. */
  over(objects: Objects): RowFiles;
  close(): Promise<void>;
}

/**
 * Opens them in a directory of their own. All that the engine needs of a file is fetched through the process's objects before, and put there
 * after; what it does in between is outside of the run's time.
 */
export const engineRowFiles = async (outside: Scheduler["outside"], sizes: MergeSizes): Promise<EngineRowFiles> => {
  const directory = await mkdtemp(join(tmpdir(), "simulation-"));
  const fetched = memoryObjects();
  const local = await openLocalFiles(fetched, join(directory, "engine"), DISK_BYTES);
  const databases = ownDatabases(local);
  const parts = { objects: fetched, local, databases, countUsage };
  const rows = new Map<string, readonly EventRow[]>();
  const learn = async (content: Uint8Array): Promise<void> => {
    rows.set(digestOf(content), (await readParquet(content)).map(rowOf));
  };

  const over = (objects: Objects): RowFiles => {
    const fetch = async (files: readonly FileFacts[]): Promise<void> => {
      for (const key of new Set(files.flatMap(({ key: own, footerAt }) => [own, ...(footerAt ? [footerAt.key] : [])]))) {
        const bytes = await objects.get(key);
        if (bytes === undefined) throw new FileMissing(key);
        fetched.contents.set(key, bytes);
      }
    };
    const compare = compareParquet(parts);
    return {
      write: (given) =>
        outside(async () => {
          const file = await writeSegment(given, countUsage);
          await learn(file.content);
          return file;
        }),
      duplicates: openDuplicateFinder(async (project, comparison) => {
        await fetch([...comparison.segments, ...comparison.others.map(({ file }) => file)]);
        return outside(() => compare(project, comparison));
      }).find,
      async sightings(source) {
        await fetch([source.file]);
        return outside(() => segmentSightings(fetched)(source));
      },
      async matching(project, files, match) {
        await fetch(files);
        return outside(() => openMatchingRows(parts).matching(project, files, match));
      },
      async readMatching(project, sources, match, events, take) {
        await fetch(sources.map(({ file }) => file));
        return outside(() => openMatchingRows(parts).readMatching(project, sources, match, events, take));
      },
      async countMatching(project, sources, match) {
        await fetch(sources.map(({ file }) => file));
        return outside(() => openMatchingRows(parts).countMatching(project, sources, match));
      },
      async usageLeft(project, sources, match) {
        await fetch(sources.map(({ file }) => file));
        return outside(() => usageLeft(parts)(project, sources, match));
      },
      async recount(project, file) {
        await fetch([file]);
        return outside(() => recountFile(parts)(project, file));
      },
      async merge(project, sources, shape, name) {
        await fetch(sources.map(({ file }) => file));
        const files = await outside(() => mergeFiles(parts, sizes)(project, sources, shape, name));
        for (const { key } of files) {
          const content = fetched.contents.get(key) ?? new Uint8Array();
          await outside(() => learn(content));
          await objects.put(key, content);
        }
        return files;
      },
    };
  };

  return {
    lists: { rowsIn: (content) => rows.get(digestOf(content)) },
    over,
    async close() {
      await databases.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const DISK_BYTES = 100_000_000;

/** An instance for each project, in this process; a process beside it takes longer to start than a run does. */
const ownDatabases = (local: LocalFiles): Databases => {
  const instances = new Map<number, Promise<Database>>();
  const instanceOf = (project: number): Promise<Database> => {
    const limits = { memoryMb: 200, threads: 1, spillBytes: DISK_BYTES };
    const options = { readable: local.readable(project), temporary: local.temporary(project, "spill"), ...limits };
    const instance = instances.get(project) ?? openDatabase(options);
    instances.set(project, instance);
    return instance;
  };
  return {
    use: async (project, task) => task(await instanceOf(project)),
    alone: async (project, _bytes, task) => task(await instanceOf(project)),
    warm: () => undefined,
    async close() {
      for (const instance of instances.values()) (await instance).close();
    },
  };
};

const digestOf = (content: Uint8Array): string => createHash("sha1").update(content).digest("base64");

const rowOf = (row: Readonly<Record<string, Value>>): EventRow => {
  const text = (name: string): string => String(row[name]);
  const optional = (name: string): string | null => (typeof row[name] === "string" ? row[name] : null);
  return {
    ...{ uuid: text("uuid"), event: text("event"), distinct_id: text("distinct_id"), person_id: text("person_id") },
    ...{ timestamp: BigInt(text("timestamp")), created_at: BigInt(text("created_at")), identity: BigInt(text("identity")) },
    person_mode: text("person_mode") === "full" ? "full" : "propertyless",
    historical: row.historical === true,
    ...{ session_id: optional("session_id"), window_id: optional("window_id"), elements_chain: text("elements_chain") },
    groups: [0, 1, 2, 3, 4].map((slot) => optional(`group_${slot}`)),
    ...{ properties: text("properties"), request: text("request"), index: Number(row.index) },
    hot: HOT.map(({ column }) => {
      const value = row[column];
      return typeof value === "string" || typeof value === "number" ? value : null;
    }),
  };
};
