import { join } from "node:path";
import { openDatabases } from "../../lib/engine/databases.ts";
import type { Limits } from "../../lib/engine/engine.ts";
import { openLocalFiles } from "../../lib/engine/local-files.ts";
import { runQuery } from "../../lib/engine/run.ts";
import { readParquet } from "../../lib/engine/scan-sql.ts";
import { openStateScans } from "../../lib/engine/state-scan.ts";
import { openJudge } from "../../lib/engine/verdicts.ts";
import { lower } from "../../lib/hogql/lower.ts";
import type { Lowered } from "../../lib/hogql/lowered.ts";
import { parse } from "../../lib/hogql/parse.ts";
import type { FileFacts } from "../../lib/lake/catalogue.ts";
import { pinnedOf } from "../support/lake-state.ts";
import { type BenchQuery, benchQueries } from "./engine-queries.ts";
import { type BenchSet, benchSet, SET_PROJECT } from "./engine-set.ts";
import { type Figure, median, type Part } from "./figures.ts";

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

/** Both sides on one instance: queries as customers write them, and SQL by hand. */
interface Sides {
  ours(query: BenchQuery, round: number): Promise<number>;
  byHand(query: BenchQuery, round: number): Promise<number>;
  close(): Promise<void>;
}

const openSides = async (set: BenchSet, waiting: readonly FileFacts[]): Promise<Sides> => {
  const local = await openLocalFiles(set.objects, join(BENCH_DIRECTORY, "engine"), DISK_BYTES);
  const databases = openDatabases(local, { memoryMb: MEMORY_MB, threads: THREADS });
  const run = runQuery({ local, databases, judge: openJudge(local), state: openStateScans(set.objects, local) });
  const pinned = pinnedOf(SET_PROJECT, set.files, waiting);
  const held = await local.hold(
    SET_PROJECT,
    [...set.files, ...waiting].map((file) => ({ ...file, columns: "all" as const })),
  );
  return {
    async ours(query, round) {
      const lowered = await lowerOf(query, round);
      return timed(() => run(lowered, pinned, LIMITS));
    },
    async byHand(query, round) {
      const sql = query.byHand(round, (columns) => {
        const paths = within(set.files, query.range(round)).map(({ key }) => held.path(key));
        return `(SELECT ${columns} FROM ${readParquet(paths)})`;
      });
      return timed(() => databases.use(SET_PROJECT, (database) => database.select(sql, [], LIMITS.timeMs, () => "more")));
    },
    async close() {
      held.release();
      await databases.close();
    },
  };
};

const lowerOf = async (query: BenchQuery, round: number): Promise<Lowered> => {
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
    const times = [await sides.ours(query, round), await sides.byHand(query, round)] as const;
    if (round < WARM_UP_ROUNDS) continue;
    ours.push(times[0]);
    byHand.push(times[1]);
  }
  return { name: query.name, ours: median(ours), byHand: median(byHand) };
};

const ratioOf = ({ ours, byHand }: Compared, { ratio, allowance }: typeof PLAIN): number => {
  const found = ours / byHand;
  return ours - byHand <= allowance ? Math.min(found, ratio) : found;
};

const figures = (name: string, compared: readonly Compared[], allowed: typeof PLAIN): Figure[] => [
  {
    name,
    value: Math.max(...compared.map((one) => ratioOf(one, allowed))),
    unit: "ratio",
    baseline: `fastest SQL by hand, same instance, threads and files; ${allowed.ratio} or + ${allowed.allowance} ms allowed`,
  },
  ...compared.map(({ name: query, ours, byHand }) => ({
    name: `${name}: ${query}`,
    value: ours,
    unit: "ms",
    baseline: `${byHand.toFixed(1)} ms by hand`,
  })),
];

const say = (line: string): void => console.log(line);

/** Eight queries over five million events, everything compacted. */
export const engineRatio: Part = {
  name: "engine.worst_ratio_to_duckdb",
  seconds: 40,
  async run() {
    const sides = await openSides(await benchSet(BENCH_DIRECTORY, say), []);
    const compared: Compared[] = [];
    for (const query of benchQueries) compared.push(await compare(sides, query));
    await sides.close();
    return figures("engine.worst_ratio_to_duckdb", compared, PLAIN);
  },
};

/** The same with rows that wait in segments, some of them copies; by hand without those rows. */
export const engineFresh: Part = {
  name: "engine.worst_fresh_ratio",
  seconds: 40,
  async run() {
    const set = await benchSet(BENCH_DIRECTORY, say);
    const first = await firstAfterCommit(set);
    const sides = await openSides(set, set.waiting);
    const compared: Compared[] = [];
    for (const query of benchQueries) compared.push(await compare(sides, query));
    await sides.close();
    return [...figures("engine.worst_fresh_ratio", compared, FRESH), first];
  },
};

/** What a query costs when one more segment has come since the one before. */
const firstAfterCommit = async (set: BenchSet): Promise<Figure> => {
  const local = await openLocalFiles(set.objects, join(BENCH_DIRECTORY, "engine"), DISK_BYTES);
  const databases = openDatabases(local, { memoryMb: MEMORY_MB, threads: THREADS });
  const run = runQuery({ local, databases, judge: openJudge(local), state: openStateScans(set.objects, local) });
  const [query] = benchQueries.filter(({ name }) => name === "one number");
  if (!query) throw new Error("the query is missing");
  const times: number[] = [];
  for (let count = set.waiting.length - ROUNDS; count <= set.waiting.length; count++) {
    const pinned = pinnedOf(SET_PROJECT, set.files, set.waiting.slice(0, count));
    const lowered = await lowerOf(query, count);
    times.push(await timed(() => run(lowered, pinned, LIMITS)));
  }
  await databases.close();
  return {
    name: "engine.first_after_commit",
    value: median(times.slice(1)),
    unit: "ms",
    baseline: `the query "one number"; ${times[0]?.toFixed(0)} ms when all ${set.waiting.length - ROUNDS} segments were new`,
  };
};

/** A week out of ninety days over a store far away: bytes fetched against bytes of the column chunks. */
export const engineFetched: Part = {
  name: "engine.fetched_ratio",
  seconds: 10,
  async run() {
    const set = await benchSet(BENCH_DIRECTORY, say);
    const far = { ...set.objects, localPath: () => undefined };
    const ratios: number[] = [];
    for (const query of benchQueries.filter(({ name }) => name.endsWith("week"))) {
      const local = await openLocalFiles(far, join(BENCH_DIRECTORY, "engine"), DISK_BYTES);
      const databases = openDatabases(local, { memoryMb: MEMORY_MB, threads: THREADS });
      const run = runQuery({ local, databases, judge: openJudge(local), state: openStateScans(far, local) });
      const { cost } = await run(await lowerOf(query, 0), pinnedOf(SET_PROJECT, set.files), LIMITS);
      ratios.push(cost.fetchedBytes / cost.neededBytes);
      await databases.close();
    }
    const value = Math.max(...ratios);
    return [{ name: "engine.fetched_ratio", value, unit: "ratio", baseline: "bytes of the column chunks needed; at most 1.2" }];
  },
};
