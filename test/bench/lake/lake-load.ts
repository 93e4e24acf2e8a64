import { dispatch } from "../../../functions/jobs/dispatch.ts";
import type { World } from "../../../lib/app/world.ts";
import { settings } from "../../../lib/aws/environment.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { partitionAt, utcDay } from "../../../lib/event/time-partitions.ts";
import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { CATALOGUE_FORMAT, type Commit, type FileFacts, type Segment } from "../../../lib/lake/catalogue.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { segmentKey } from "../../../lib/lake/paths.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import type { RowFiles, Shape } from "../../../lib/lake/row-files.ts";
import { sweep, sweepMemory } from "../../../lib/lake/sweep.ts";
import { organizationOfProject } from "../../../lib/projects/projects.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { memoryObjects } from "../../simulation/ports/objects.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { projectWrite } from "../../simulation/usage.ts";
import { memoryTokenKeys } from "../../support/memory-token-keys.ts";
import { withoutDownloads } from "../../support/no-downloads.ts";
import { noInvocations } from "../../support/no-invocations.ts";
import { noModel } from "../../support/no-model.ts";
import { noReaders } from "../../support/no-readers.ts";
import type { TableMeter } from "../../support/table-meter/meter.ts";
import { unwatchedQueues } from "../../support/unwatched-queues.ts";
import { EVENT_NAMES } from "../corpus.ts";

export const PROJECT = 7;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAY_US = 86_400_000_000n;

/** Rows per UTC day (days since 1970) of one drain. */
export type RowsPerDay = ReadonlyMap<number, number>;

/** The lake's own catalogue, sweep and jobs on tables in memory; of the files only their numbers of rows. */
export interface LoadedLake {
  readonly world: World;
  /** Rows that compaction wrote so far. */
  readonly writtenRows: () => number;
  /** Writes the commit of a drain. */
  commit(lane: Commit["lane"], rows: RowsPerDay): Promise<void>;
  /** Puts a commit again under a new id, as if another drain had brought the same. */
  repeat(commit: Commit): Promise<void>;
  /** Sweeps and works for so long, once every `everyMs`. */
  pass(ms: number, everyMs?: number): Promise<void>;
  /** Until everything is gathered, its commits and what it retired are deleted, and all partitions are sealed. */
  settle(): Promise<void>;
}

export const loadedLake = async (start: number, meter?: TableMeter): Promise<LoadedLake> => {
  let now = start;
  let ids = 0;
  const days = new Map<string, RowsPerDay>();
  const objects = memoryObjects({ now: () => now });
  const table = memoryTable(meter ? { meter } : {});
  const jobs: string[] = [];
  const counting = countingRowFiles(days);
  const newId = (): string => now.toString(36).padStart(10, "0") + (ids++).toString(36).padStart(16, "0");
  const world: World = {
    table,
    objects: withoutDownloads(objects),
    queues: {
      async send(_, messages) {
        jobs.push(...messages.map(({ body }) => body));
        return [];
      },
    },
    clock: { now: () => now },
    ids: { ulid: newId, uuid: newId, secret: (bytes) => new Uint8Array(bytes) },
    log: { line: () => undefined },
    config: settings({}),
    segments: counting.rowFiles,
    engine: { rowFiles: counting.rowFiles, run: noQueries, write: noQueries, close: () => Promise.resolve() },
    counts: { add: () => Promise.reject(new Error("nothing is counted here")) },
    mail: { send: () => Promise.reject(new Error("nobody is written to here")) },
    dns: { texts: async () => [] },
    ...noReaders,
    model: noModel,
    tokenKeys: memoryTokenKeys(),
    ...unwatchedQueues,
    ...noInvocations,
  };
  await table.transact([{ kind: "put", item: initialHead(PROJECT, now) }, projectWrite(PROJECT)]);
  const memory = sweepMemory();

  const pass = async (ms: number, everyMs = MINUTE_MS): Promise<void> => {
    for (const end = now + ms; now < end; ) {
      now += Math.min(everyMs, end - now);
      await sweep({ ...world, organizationOf: organizationOfProject(world.table) }, POLICIES.deployed, memory);
      for (let body = jobs.shift(); body !== undefined; body = jobs.shift())
        if (!(await dispatch(world, POLICIES.deployed, { id: "1", body, attempts: 1 }, { remainingMs: () => 10 * MINUTE_MS })))
          throw new Error(`a job failed: ${body}`);
    }
  };

  const put = async (commit: Commit): Promise<void> => table.put(commitItem(PROJECT, commit));
  return {
    world,
    writtenRows: counting.writtenRows,
    commit: (lane, rows) => {
      const segments = segmentsOf(rows, newId);
      for (const segment of segments)
        days.set(segment.key, new Map([...rows].filter(([day]) => partitionOfDay(day) === segment.partition)));
      return put({ v: CATALOGUE_FORMAT, id: newId(), at: now, lane, segments, deltas: null });
    },
    repeat: (commit) => {
      const segments = commit.segments.map((segment) => {
        const key = segmentKey(PROJECT, segment.partition, newId());
        days.set(key, days.get(segment.key) ?? daysByContent(days, segment));
        return { ...segment, key };
      });
      return put({ ...commit, id: newId(), at: now, segments });
    },
    pass,
    async settle() {
      await pass(2 * HOUR_MS);
      await pass(2 * DAY_MS, HOUR_MS);
      await pass(45 * DAY_MS, DAY_MS);
    },
  };
};

/** A segment that ingest wrote is known by its content until it has a key. */
const daysByContent = (days: ReadonlyMap<string, RowsPerDay>, { rows, times }: FileFacts): RowsPerDay => {
  const found = days.get(contentName(rows, times));
  if (found === undefined) throw new Error("a segment that nobody wrote");
  return found;
};

const contentName = (rows: number, times: FileFacts["times"]): string => `${rows} ${times.join(" ")}`;

/** Row files that are nothing but their numbers of rows per day. */
const countingRowFiles = (days: Map<string, RowsPerDay>) => {
  let written = 0;
  const daysOf = (file: FileFacts): RowsPerDay => days.get(file.key) ?? daysByContent(days, file);
  const rowFiles: RowFiles = {
    async write(rows) {
      const own = perDay(rows);
      const facts = { ...factsOf(own), usage: countUsage(rows), events: [...new Set(rows.map(({ event }) => event))].sort() };
      days.set(contentName(facts.rows, facts.times), own);
      return { ...facts, bytes: 0, content: new Uint8Array() };
    },
    duplicates: async () => new Map(),
    sightings: async () => ({ skipped: [], staying: [] }),
    matching: async () => new Map(),
    readMatching: async () => undefined,
    countMatching: async () => [],
    usageLeft: async (_, sources) => sources.map(({ file }) => file.usage),
    recount: async (_, { usage }) => usage,
    async merge(_, sources, shape, name) {
      const sum = sumOf(sources.map(({ file }) => daysOf(file)));
      return filesOf(sum, shape).map((own) => {
        const file = { key: name(), ...factsOf(own) };
        days.set(file.key, own);
        written += file.rows;
        return file;
      });
    },
  };
  return { rowFiles, writtenRows: () => written };
};

const perDay = (rows: readonly EventRow[]): RowsPerDay => {
  const own = new Map<number, number>();
  for (const { timestamp } of rows) own.set(utcDay(timestamp), (own.get(utcDay(timestamp)) ?? 0) + 1);
  return own;
};

const sumOf = (all: readonly RowsPerDay[]): RowsPerDay => {
  const sum = new Map<number, number>();
  for (const own of all) for (const [day, rows] of own) sum.set(day, (sum.get(day) ?? 0) + rows);
  return sum;
};

const filesOf = (all: RowsPerDay, shape: Shape): readonly RowsPerDay[] => {
  if (shape === "one") return [all];
  return shape === "busiest" ? aroundBusiest(all) : wholeDays(all, shape);
};

const aroundBusiest = (all: RowsPerDay): readonly RowsPerDay[] => {
  const half = [...all.values()].reduce((sum, rows) => sum + rows, 0) / 2;
  const busiest = [...all].find(([, rows]) => rows > half)?.[0];
  const groups = Map.groupBy(all, ([day]) => (busiest === undefined ? 0 : Math.sign(day - busiest)));
  return [...groups.values()].map((own) => new Map(own));
};

const wholeDays = (all: RowsPerDay, shape: Shape): readonly RowsPerDay[] => {
  const { fileRows, fileBytes } = POLICIES.deployed;
  const total = [...all.values()].reduce((sum, rows) => sum + rows, 0);
  const most = Math.min(fileRows, fileBytes / ROW_BYTES, shape === "parts" ? total / PARTS : fileRows);
  const groups: Map<number, number>[] = [];
  let room = 0;
  for (const [day, rows] of [...all].sort(([a], [b]) => a - b)) {
    if (rows > room) {
      groups.push(new Map());
      room = most;
    }
    groups.at(-1)?.set(day, rows);
    room -= rows;
  }
  return groups;
};

/** What an ordinary row takes as it is sorted. */
const ROW_BYTES = 1_000;

/** About how many files a merge into parts makes. */
const PARTS = 32;

const partitionOfDay = (day: number): string => partitionAt(BigInt(day) * DAY_US);

const segmentsOf = (rows: RowsPerDay, newId: () => string): readonly Segment[] => {
  const partitions = Map.groupBy(rows, ([day]) => partitionOfDay(day));
  return [...partitions].map(([partition, own]) => ({ key: segmentKey(PROJECT, partition, newId()), partition, ...factsOf(new Map(own)) }));
};

const factsOf = (own: RowsPerDay): Omit<FileFacts, "key"> => {
  const days = [...own.keys()].sort((a, b) => a - b);
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0];
  const rows = [...own.values()].reduce((sum, count) => sum + count, 0);
  return {
    bytes: 0,
    rows,
    plainBytes: ROW_BYTES * rows,
    days: [first, last],
    times: [String(BigInt(first) * DAY_US), String(BigInt(last + 1) * DAY_US - 1n)],
    ids: ["user-0000000000000000", "user-ffffffffffffffff"],
    events: EVENT_NAMES.toSorted(),
    usage: Object.fromEntries([...own].map(([day, rows]) => [day, { event_count_in_period: rows }])),
    footerBytes: 4_000,
  };
};

const noQueries = (): Promise<never> => Promise.reject(new Error("no queries here"));
