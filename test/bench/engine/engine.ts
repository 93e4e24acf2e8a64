import { join } from "node:path";
import { openDatabases } from "../../../lib/engine/duckdb/databases.ts";
import { readParquet } from "../../../lib/engine/duckdb/sql-text.ts";
import type { Limits, Rows } from "../../../lib/engine/engine.ts";
import { openNeededBytes } from "../../../lib/engine/query/needed-bytes.ts";
import { runQuery } from "../../../lib/engine/query/run.ts";
import { openOverlays } from "../../../lib/engine/query/scans/state-overlays.ts";
import { openStateScans } from "../../../lib/engine/query/scans/state-scan.ts";
import { openColumnBytes } from "../../../lib/engine/storage/column-bytes.ts";
import { compareParquet } from "../../../lib/engine/storage/compare-rows.ts";
import { openDuplicateFinder } from "../../../lib/engine/storage/duplicates.ts";
import { openFooters } from "../../../lib/engine/storage/footers.ts";
import { openLocalFiles } from "../../../lib/engine/storage/local-files.ts";
import { openMatchingRows } from "../../../lib/engine/storage/matching-rows.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import type { LoweredQuery } from "../../../lib/hogql/lowered-query.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";
import { pinnedOf } from "../../support/lake-state.ts";
import { type Figure, median, type Part } from "../figures.ts";
import { type BenchQuery, benchQueries } from "./engine-queries.ts";
import { type BenchSet, benchSet, SET_PROJECT } from "./engine-set.ts";
import { type BenchWorld, openBenchWorld } from "./engine-world.ts";

const MEASURES = ["lib/endpoints", "lib/engine", "lib/hogql", "lib/lake"];
export const BENCH_DIRECTORY = ".local/bench";
const LIMITS: Limits = { timeMs: 20_000, maxRows: 50_000, maxReplyBytes: 5_500_000 };
const ROUNDS = 5;
const WARM_UP_ROUNDS = 1;
const MEMORY_MB = 1_500;
const THREADS = 2;
const DISK_BYTES = 4_000_000_000;

/** What lies within this of the other side counts as the allowed ratio at most: milliseconds. */
const PLAIN = { ratio: 1.5, allowance: 15 };
const FRESH = { ratio: 2, allowance: 25 };

/** Both sides on one instance: endpoints asked through the front door, and SQL by hand. */
interface Sides {
  readonly world: BenchWorld;
  ours(query: BenchQuery, round: number): Promise<number>;
  byHand(query: BenchQuery, round: number): Promise<number>;
  /** Calls of the table and the store that a run made, the most of any and how many of each. */
  calls(): string;
  close(): Promise<void>;
}

const openSides = async (set: BenchSet, waiting: readonly FileFacts[]): Promise<Sides> => {
  const world = await openBenchWorld(set, BENCH_DIRECTORY);
  for (const segment of waiting) await world.commit(segment);
  const { local, databases } = world;
  const held = await local.hold(
    SET_PROJECT,
    [...set.files, ...waiting].map((file) => ({ ...file, columns: "all" as const })),
  );
  let most: readonly string[] = [];
  return {
    world,
    async ours(query, round) {
      const { ms, calls } = await world.run(query, round);
      if (round >= WARM_UP_ROUNDS && calls.length > most.length) most = calls;
      return ms;
    },
    async byHand(query, round) {
      const sql = query.byHand(round, (columns) => {
        const paths = within(set.files, query.range(round)).map(({ key }) => held.path(key));
        return `(SELECT ${columns} FROM ${readParquet(paths)})`;
      });
      return timed(() => databases.use(SET_PROJECT, (database) => database.select(sql, [], LIMITS.timeMs, () => "more")));
    },
    calls: () => [...Map.groupBy(most, (name) => name)].map(([name, of]) => `${of.length} ${name}`).join(", "),
    async close() {
      held.release();
      await world.close();
    },
  };
};

const lowerOf = async (query: Pick<BenchQuery, "text" | "variables">, round: number): Promise<LoweredQuery> => {
  const options = { project: SET_PROJECT, timezone: "UTC", now: 0, variables: query.variables(round), page: null };
  return lower(await parse(query.text), options).lowered;
};

const within = (files: readonly FileFacts[], [from, to]: readonly [number, number]): readonly FileFacts[] =>
  files.filter(({ times }) => Number(times[1]) >= from * 1_000 && Number(times[0]) < to * 1_000);

const timed = async (task: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await task();
  return performance.now() - started;
};

interface Compared {
  readonly name: string;
  readonly ours: number;
  readonly byHand: number;
}

/** Medians of both sides, their rounds taken in turn. */
const compare = async (sides: Sides, query: BenchQuery): Promise<Compared> => {
  const ours: number[] = [];
  const byHand: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    // Who goes first changes, so that what else the machine does falls on both.
    const before = round % 2 === 0 ? await sides.byHand(query, round) : undefined;
    const own = await sides.ours(query, round);
    const other = before ?? (await sides.byHand(query, round));
    if (round < WARM_UP_ROUNDS) continue;
    ours.push(own);
    byHand.push(other);
  }
  return { name: query.name, ours: median(ours), byHand: median(byHand) };
};

const ratioOf = ({ ours, byHand }: Compared, { ratio, allowance }: typeof PLAIN): number => {
  const found = ours / byHand;
  return ours - byHand <= allowance ? Math.min(found, ratio) : found;
};

const figures = (name: string, compared: readonly Compared[], allowed: typeof PLAIN, calls: string): Figure[] => [
  {
    name,
    value: Math.max(...compared.map((one) => ratioOf(one, allowed))),
    unit: "ratio",
    baseline: `fastest SQL by hand, same instance, threads and files; ${allowed.ratio} or + ${allowed.allowance} ms allowed; calls of a run: ${calls}`,
  },
  ...compared.map(({ name: query, ours, byHand }) => ({
    name: `${name}: ${query}`,
    value: ours,
    unit: "ms",
    baseline: `${byHand.toFixed(1)} ms by hand, ${(ours / byHand).toFixed(2)} times`,
  })),
];

const say = (line: string): void => console.log(line);

/** The eight queries over five million events, each asked through the front door. */
const measured = async (name: string, set: BenchSet, waiting: readonly FileFacts[], allowed: typeof PLAIN): Promise<Figure[]> => {
  const sides = await openSides(set, waiting);
  const compared: Compared[] = [];
  for (const query of benchQueries) compared.push(await compare(sides, query));
  const found = figures(name, compared, allowed, sides.calls());
  await sides.close();
  return found;
};

/** Everything compacted. */
export const engineRatio: Part = {
  name: "engine.worst_ratio_to_duckdb",
  seconds: 40,
  measures: MEASURES,
  run: async () => measured("engine.worst_ratio_to_duckdb", await benchSet(BENCH_DIRECTORY, say), [], PLAIN),
};

/** The same with rows that wait in segments, some of them copies; by hand without those rows. */
export const engineFresh: Part = {
  name: "engine.worst_fresh_ratio",
  seconds: 40,
  measures: MEASURES,
  async run() {
    const set = await benchSet(BENCH_DIRECTORY, say);
    const first = await firstAfterCommit(set);
    return [...(await measured("engine.worst_fresh_ratio", set, set.waiting, FRESH)), first];
  },
};

/** What a query costs when one more segment has come since the one before. */
const firstAfterCommit = async (set: BenchSet): Promise<Figure> => {
  const world = await openBenchWorld(set, BENCH_DIRECTORY);
  const [query] = benchQueries.filter(({ name }) => name === "one number");
  if (!query) throw new Error("the query is missing");
  const times: number[] = [];
  const known = set.waiting.length - ROUNDS;
  for (const segment of set.waiting.slice(0, known)) await world.commit(segment);
  times.push((await world.run(query, 0)).ms);
  for (const [at, segment] of set.waiting.slice(known).entries()) {
    await world.commit(segment);
    times.push((await world.run(query, at + 1)).ms);
  }
  await world.close();
  return {
    name: "engine.first_after_commit",
    value: median(times.slice(1)),
    unit: "ms",
    baseline: `the query "${query.name}"; ${times[0]?.toFixed(0)} ms when all ${known} segments were new`,
  };
};

/** A list that shows the newest hundred of one kind. */
const NEWEST = "SELECT timestamp, distinct_id, properties FROM events WHERE event = 'action 3' ORDER BY timestamp DESC LIMIT 100";

/** Over a store far away: what a week out of ninety days and the newest page of all fetch, against the bytes of the column chunks. */
export const engineFetched: Part = {
  name: "engine.fetched_ratio",
  seconds: 10,
  measures: MEASURES,
  async run() {
    const set = await benchSet(BENCH_DIRECTORY, say);
    const far = { ...set.objects, localPath: () => undefined };
    const pinned = pinnedOf(SET_PROJECT, set.files);
    const costOf = async (query: LoweredQuery): Promise<Rows["cost"]> => {
      const local = await openLocalFiles(far, join(BENCH_DIRECTORY, "engine"), DISK_BYTES);
      const databases = openDatabases(local, { memoryMb: MEMORY_MB, threads: THREADS, querySpillBytes: 2e9, compactionSpillBytes: 1e9 });
      const duplicates = openDuplicateFinder(compareParquet({ local, databases })).find;
      const seen = { duplicates, matching: openMatchingRows({ local, databases }).matching };
      const state = openStateScans(local, openOverlays(far, local, databases));
      const { cost } = await runQuery({ local, databases, seen, state })(query, pinned, LIMITS);
      await databases.close();
      return cost;
    };
    const ratios: number[] = [];
    for (const query of benchQueries.filter(({ name }) => name.endsWith("week"))) {
      const cost = await costOf(await lowerOf(query, 0));
      ratios.push(cost.fetchedBytes / cost.neededBytes);
    }
    const newest = await lowerOf({ text: NEWEST, variables: () => ({}) }, 0);
    const { fetchedBytes } = await costOf(newest);
    const all = await openNeededBytes(openColumnBytes(far, openFooters(far)))(pinned, newest.scans);
    const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
    return [
      {
        name: "engine.fetched_ratio",
        value: Math.max(...ratios),
        unit: "ratio",
        baseline: "bytes of the column chunks needed; at most 1.2",
      },
      {
        name: "engine.newest_fetched_ratio",
        value: fetchedBytes / all,
        unit: "ratio",
        baseline: `what the newest hundred of one kind fetch of the column chunks of all files, ${megabytes(fetchedBytes)} of ${megabytes(all)}; at most 0.1`,
      },
    ];
  },
};
