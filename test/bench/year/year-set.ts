import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemIds } from "../../../lib/app/system.ts";
import { type Database, openDatabase } from "../../../lib/engine/duckdb/duckdb.ts";
import { literal } from "../../../lib/engine/duckdb/sql-text.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import type { EarnedColumn } from "../../../lib/event/earned-properties.ts";
import { partitionAt, utcDay } from "../../../lib/event/time-partitions.ts";
import type { FileFacts, StateFile } from "../../../lib/lake/catalogue.ts";
import { eventFileKey, segmentKey } from "../../../lib/lake/paths.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { EVENT_NAMES } from "../corpus.ts";
import { diskObjects } from "../engine/engine-set.ts";
import { eventsSql } from "./events-sql.ts";
import { writeState, writeUsers } from "./users.ts";

export const YEAR_PROJECT = 1;
export const YEAR_EVENTS = 20_000_000;
export const YEAR_DAYS = 360;
export const DAY_MS = 86_400_000;
/** Days of the year that a part reads which may do with fewer: as many as `BENCH_DAYS` says, in a set of their own. */
export const READ_DAYS = Number(process.env.BENCH_DAYS ?? YEAR_DAYS);
export const READ_DIRECTORY = READ_DAYS === YEAR_DAYS ? ".local/bench/year" : `.local/bench/year-${READ_DAYS}`;
export const YEAR_FROM = Date.UTC(2025, 0, 1);

/** Bump when the set's content or files would come out differently: an older one is made again. */
const SET_VERSION = 2;

/** The sets that are the first days of the year: their ends are borders of files too. */
const ENDS = [18, 90, 180, YEAR_DAYS];

const MEMORY_MB = 1_500;
const THREADS = 2;
const DISK_BYTES = 8_000_000_000;
const ENGINE = { engineDiskBytes: DISK_BYTES, engineMemoryMb: MEMORY_MB };

/** A year of events on this disk, as compaction leaves it, with the snapshots of its persons and groups. */
export interface YearSet {
  readonly objects: Objects;
  readonly files: readonly FileFacts[];
  readonly persons: readonly StateFile[];
  readonly groups: readonly StateFile[];
  /** Columns of properties that the files of events have beside the built-in ones. */
  readonly earned: readonly EarnedColumn[];
}

/** The files of the first days only. */
export const firstDays = (set: YearSet, days: number): YearSet => {
  const end = BigInt(YEAR_FROM + days * DAY_MS) * 1_000n;
  return { ...set, files: set.files.filter(({ times }) => BigInt(times[0]) < end) };
};

/** The first days of a set, by how many there are. */
export const byDays = (set: YearSet, sizes: readonly number[]): ReadonlyMap<number, YearSet> =>
  new Map(sizes.map((days) => [days, firstDays(set, days)]));

/** The 20-million-event set under `root`, made once: some ten minutes the first time, and less of its first days alone. */
export const yearSet = async (root: string, say: (line: string) => void, days = YEAR_DAYS): Promise<YearSet> => {
  const objects = diskObjects(join(root, "objects"));
  const list = join(root, `set-${SET_VERSION}.json`);
  if (!existsSync(list)) {
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { recursive: true });
    const made = await make(root, objects, say, days);
    await writeList(list, made);
  }
  return { objects, earned: [], ...(await readList(list)) };
};

type ListedSet = Pick<YearSet, "files" | "persons" | "groups">;

const readList = async (path: string): Promise<ListedSet> => JSON.parse(await readFile(path, "utf8"));

const writeList = async (path: string, made: ListedSet): Promise<void> => {
  await writeFile(`${path}.new`, JSON.stringify(made));
  await rename(`${path}.new`, path);
};

/**
 * The first days of a set as they are once the project has earned these columns: its files, merged again with them. Made once under `root`, as
 * the set itself.
 */
export const earnedSet = async (root: string, whole: YearSet, days: number, earned: readonly EarnedColumn[]): Promise<YearSet> => {
  const set = firstDays(whole, days);
  const list = join(root, `earned-${SET_VERSION}-${days}-${earned.length}.json`);
  if (!existsSync(list)) {
    const { objects } = set;
    const engine = await openEngine({ objects, directory: join(root, "engine"), config: ENGINE, countUsage });
    const files: FileFacts[] = [];
    let keys = 0;
    for (const [partition, own] of Map.groupBy(set.files, ({ times }) => partitionAt(BigInt(times[0])))) {
      const key = (): string => eventFileKey(YEAR_PROJECT, partition, `earned-${earned.length}-${String(keys++).padStart(8, "0")}`);
      const sources = own.map((file) => ({ file, skip: [] }));
      files.push(...(await engine.rowFiles.merge(YEAR_PROJECT, sources, "days", key, earned)));
    }
    await engine.close();
    await writeList(list, { files, persons: set.persons, groups: set.groups });
  }
  return { objects: set.objects, earned, ...(await readList(list)) };
};

/** Days that are compacted in one go: of one month, and of one of the smaller sets. */
const lots = (count: number): readonly (readonly number[])[] => {
  const days = Array.from({ length: count }, (_, day) => day);
  return [...Map.groupBy(days, (day) => `${partitionOfDay(day)} ${ENDS.findIndex((end) => day < end)}`).values()];
};

const partitionOfDay = (day: number): string => partitionAt(BigInt(YEAR_FROM + day * DAY_MS) * 1_000n);

const make = async (root: string, objects: Objects, say: (line: string) => void, count: number): Promise<ListedSet> => {
  const raw = `${join(process.cwd(), root, "raw")}/`;
  await mkdir(raw, { recursive: true });
  const users = join(raw, "users.parquet");
  await writeUsers(YEAR_PROJECT, users);
  const state = await writeState({ objects, ids: systemIds({ now: () => Date.now() }) }, YEAR_PROJECT, YEAR_FROM);
  const maker = await openDatabase({
    readable: raw,
    temporary: join(raw, "spill"),
    memoryMb: MEMORY_MB,
    threads: THREADS,
    spillBytes: DISK_BYTES,
  });
  const engine = await openEngine({ objects, directory: join(root, "engine"), config: ENGINE, countUsage });
  const files: FileFacts[] = [];
  let keys = 0;
  const started = Date.now();
  for (const days of lots(count)) {
    const sources: FileFacts[] = [];
    for (const day of days) sources.push(await writeDay(maker, objects, raw, users, day));
    const partition = partitionOfDay(days[0] ?? 0);
    const name = (): string => eventFileKey(YEAR_PROJECT, partition, String(keys++).padStart(8, "0"));
    files.push(
      ...(await engine.rowFiles.merge(
        YEAR_PROJECT,
        sources.map((file) => ({ file, skip: [] })),
        "days",
        name,
      )),
    );
    await objects.remove(sources.map(({ key }) => key));
    say(`${partition}: ${files.length} files, ${Math.round((Date.now() - started) / 1000)} s`);
  }
  await engine.close();
  maker.close();
  await rm(raw, { recursive: true, force: true });
  return { files, ...state };
};

/** Number of the first event of a day. */
const firstOf = (day: number): number => Math.floor((day * YEAR_EVENTS) / YEAR_DAYS);

/** One day's events as one uncompacted file, with the facts that a drain would have found. */
const writeDay = async (maker: Database, objects: Objects, raw: string, users: string, day: number): Promise<FileFacts> => {
  const from = YEAR_FROM + day * DAY_MS;
  const utc = utcDay(BigInt(from) * 1_000n);
  const path = join(raw, `${day}.parquet`);
  const rows = firstOf(day + 1) - firstOf(day);
  await maker.copy(
    `COPY (${eventsSql(users, day, utc, firstOf(day), firstOf(day + 1))}) TO ${literal(path)} (FORMAT parquet, COMPRESSION lz4)`,
  );
  const key = segmentKey(YEAR_PROJECT, partitionOfDay(day), String(day).padStart(4, "0"));
  await objects.putFile(key, path);
  await rm(path);
  const { size } = await stat(objects.localPath?.(key) ?? path);
  return {
    key,
    bytes: size,
    rows,
    days: [utc, utc],
    times: [`${from}000`, `${from + DAY_MS - 1}000`],
    ids: ["", "~"],
    events: EVENT_NAMES,
    usage: { [utc]: { event_count_in_period: rows, enhanced_persons_event_count_in_period: rows } },
    footerBytes: 0,
  };
};
