import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { fetchLibrary } from "../../../infra/local/clickhouse/library.ts";
import { startClickHouse } from "../../../infra/local/clickhouse/server.ts";
import { systemIds } from "../../../lib/app/system.ts";
import type { Client } from "../../../lib/clickhouse/http/client.ts";
import { openClickHouse } from "../../../lib/clickhouse/open.ts";
import { SCAN_SETTINGS } from "../../../lib/clickhouse/scans/bind.ts";
import { readFiles } from "../../../lib/clickhouse/scans/lake-files.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import { partitionAt } from "../../../lib/event/time-partitions.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import type { LowerOptions } from "../../../lib/hogql/options.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import { CATALOGUE_FORMAT, type Manifest, type PinnedState } from "../../../lib/lake/catalogue.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { clientAs } from "../../support/clickhouse-client.ts";
import { type Figure, median, type Part } from "../figures.ts";
import { treeCpuMs } from "../process-cpu.ts";
import { difference } from "../year/compare-rows.ts";
import { rangeOf, type YearQuery, yearQueries } from "../year/queries.ts";
import { READ_DAYS, READ_DIRECTORY, YEAR_PROJECT, type YearSet, yearSet } from "../year/year-set.ts";

const ROUNDS = 5;
const LIMITS = { timeMs: 300_000, maxRows: 50_000, maxReplyBytes: 50_000_000 };
const SIZES = { engineDiskBytes: 8_000_000_000, engineMemoryMb: 1_500 };

/** What ingest would have learnt of the set's properties. */
const NUMERIC = new Set(["duration_ms", "amount", "$browser_version", "$screen_width"]);

const OPTIONS: LowerOptions = {
  project: YEAR_PROJECT,
  timezone: "UTC",
  now: Date.UTC(2026, 0, 1),
  variables: {},
  page: null,
  groupTypes: ["company"],
  propertyType: (owner, name) =>
    owner !== "event" ? undefined : NUMERIC.has(name) ? "Numeric" : name === "feature_flag" ? "Boolean" : undefined,
};

/** What a compaction of the year would have left. */
const pinnedYear = ({ files, persons, groups }: YearSet): PinnedState => {
  const common = { v: CATALOGUE_FORMAT, absorbed: [], absorbedAt: [] };
  const partitions = Map.groupBy(files, ({ times }) => partitionAt(BigInt(times[0])));
  return {
    project: YEAR_PROJECT,
    manifests: new Map(
      [...partitions].map(([partition, own]): [string, Manifest] => [
        partition,
        { ...common, id: partition, partition, files: own, loose: [], sealed: false },
      ]),
    ),
    waiting: [],
    state: { ...common, id: "state", persons, distinctIds: [], groups, history: [] },
    waitingDeltas: [],
    digest: "",
  };
};

const TIME = "DateTime64(6, 'UTC')";
const HOT = ["current_url", "pathname", "os", "browser", "utm_source"].map((name) => [`hot_${name}`, "Nullable(String)"] as const);
const TABLES = {
  events: new Map([
    ["uuid", "UUID"],
    ["event", "String"],
    ["distinct_id", "String"],
    ["person_id", "UUID"],
    ["timestamp", TIME],
    ["session_id", "Nullable(String)"],
    ["group_0", "Nullable(String)"],
    ...HOT,
    ["properties", "String"],
  ]),
  persons: new Map([
    ["person_id", "UUID"],
    ["distinct_id", "String"],
    ["properties", "String"],
  ]),
  groups: new Map([
    ["index", "Int32"],
    ["key", "String"],
    ["properties", "String"],
  ]),
};

/** The tables of a query that is written by hand, as relations over the same files. */
const withTables = (set: YearSet, sql: string): string => {
  const files = { events: set.files, persons: set.persons, groups: set.groups };
  const relations = (Object.keys(TABLES) as (keyof typeof TABLES)[]).map((name) => {
    const keys = files[name].map(({ key }) => key);
    const selects = readFiles({ cluster: "" }, keys, TABLES[name]).map((from) => `SELECT * FROM ${from}`);
    return `${name} AS (${selects.join(" UNION ALL ")})`;
  });
  return `WITH ${relations.join(", ")} ${sql}`;
};

const byHand = async (client: Client, set: YearSet, query: YearQuery, round: number): Promise<Timed> => {
  const { from, to } = rangeOf(READ_DAYS);
  const text = query.clickhouse(round, `timestamp >= toDateTime64('${from}', 6) AND timestamp < toDateTime64('${to}', 6)`);
  const started = performance.now();
  const settings = { ...SCAN_SETTINGS, session_timezone: "UTC", join_use_nulls: 1, output_format_json_quote_64bit_integers: 0 };
  const { rows } = await client.query({
    ...{ sql: withTables(set, text), parameters: new Map(), settings, timeMs: LIMITS.timeMs, maxBytes: LIMITS.maxReplyBytes },
    queryId: crypto.randomUUID(),
  });
  const found: (readonly unknown[])[] = [];
  for await (const batch of rows) found.push(...batch);
  return { ms: performance.now() - started, rows: found };
};

interface Timed {
  readonly ms: number;
  readonly rows: readonly (readonly unknown[])[];
}

/** Best times of both sides, and the processor time that all rounds of each took, here, in ClickHouse and in the store, milliseconds. */
interface Side {
  best: number;
  cpu: number;
}

interface Compared {
  readonly name: string;
  readonly ours: Side;
  readonly theirs: Side;
}

type Ask = (round: number) => Promise<Timed>;

const compared = async (query: YearQuery, ours: Ask, theirs: Ask): Promise<Compared> => {
  const [first, answer] = [await ours(0), await theirs(0)];
  const different = difference(first.rows, answer.rows, query.tolerance);
  if (different !== undefined) throw new Error(`${query.name}: the rows differ: ${different}`);
  const sides = [ours, theirs].map((ask) => ({ ask, side: { best: Number.POSITIVE_INFINITY, cpu: 0 } }));
  for (let round = 1; round <= ROUNDS; round++) {
    // Who goes first changes, so that what else the machine does falls on both.
    for (const { ask, side } of round % 2 === 0 ? sides.toReversed() : sides) {
      const before = treeCpuMs(process.pid);
      side.best = Math.min(side.best, (await ask(round)).ms);
      side.cpu += treeCpuMs(process.pid) - before;
    }
  }
  const [our, their] = sides.map(({ side }) => side);
  if (our === undefined || their === undefined) throw new Error("there are two sides");
  return { name: query.name, ours: our, theirs: their };
};

const ratios = async (): Promise<readonly Compared[]> => {
  const set = await yearSet(READ_DIRECTORY, (line) => console.log(line), READ_DAYS);
  const directory = join(READ_DIRECTORY, `adapter-${process.pid}`);
  await mkdir(directory, { recursive: true });
  const store = new Worker(new URL("../year/file-server.ts", import.meta.url), {
    workerData: { root: resolve(READ_DIRECTORY, "objects") },
  });
  const [port] = await once(store, "message");
  const lake = { url: `http://127.0.0.1:${port}/lake/`, accessKeyId: "local", secretAccessKey: "local" };
  const server = await startClickHouse({ packages: await fetchLibrary(), directory: resolve(directory, "server"), lake });
  const client = clientAs(server.url, server.platform);
  const engine = await openEngine({ objects: set.objects, directory: join(directory, "engine"), config: SIZES, countUsage });
  const clock = { now: () => Date.now() };
  const parts = { client, engine, objects: set.objects, clock, ids: systemIds(clock), cluster: "", directory: join(directory, "tables") };
  const adapter = openClickHouse(parts);
  const pinned = pinnedYear(set);
  const found: Compared[] = [];
  for (const query of yearQueries) {
    const tree = await parse(query.text);
    const ours = async (round: number): Promise<Timed> => {
      const variables = { ...rangeOf(READ_DAYS), ...query.variables(round) };
      const started = performance.now();
      const { rows } = await adapter.run(lower(tree, { ...OPTIONS, variables }).lowered, pinned, LIMITS);
      return { ms: performance.now() - started, rows: JSON.parse(JSON.stringify(rows)) };
    };
    const one = await compared(query, ours, (round) => byHand(client, set, query, round));
    console.log(`${one.name}: ${said(one.ours)}, by hand ${said(one.theirs)}`);
    found.push(one);
  }
  await adapter.close();
  await server.stop();
  await engine.close();
  await store.terminate();
  await rm(directory, { recursive: true, force: true });
  return found;
};

/** The reference queries through the adapter, beside the same as they are written by hand for ClickHouse over the same files of a store. */
export const clickhouseAdapter: Part = {
  name: "adapter",
  seconds: 600,
  measures: ["lib/clickhouse", "lib/hogql", "lib/insight"],
  apart: true,
  async run() {
    const found = await ratios();
    const times = found.map(({ ours, theirs }) => ours.best / theirs.best);
    const work = found.map(({ ours, theirs }) => ours.cpu / theirs.cpu);
    const figure = (name: string, value: number, baseline: string): Figure => ({ name, value, unit: "ratio", baseline });
    const beside = `${found.length} queries over ${READ_DAYS} days beside ClickHouse's own SQL over the same files of the same store`;
    return [
      figure("adapter.median_ratio", median(times), `${beside}, best of ${ROUNDS}; at most 1.15`),
      figure("adapter.median_cpu_ratio", median(work), "processor time of the same, ours, the store's and ClickHouse's; at most 1.15"),
      figure("adapter.worst_ratio", Math.max(...times), "the worst of the same"),
      ...found.map(({ name, ours, theirs }) => ({
        ...{ name: `adapter: ${name}`, value: ours.best, unit: "ms" },
        baseline: `${said(theirs)} by hand, ${(ours.best / theirs.best).toFixed(2)} times, and ${(ours.cpu / theirs.cpu).toFixed(2)} times its work`,
      })),
    ];
  },
};

const said = ({ best, cpu }: Side): string => `${best.toFixed(0)} ms (${(cpu / ROUNDS).toFixed(0)} ms of work)`;
