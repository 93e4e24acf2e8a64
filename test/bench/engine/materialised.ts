import { setTimeout as pause } from "node:timers/promises";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { startServer } from "../../../infra/local/server.ts";
import type { World } from "../../../lib/app/world.ts";
import { makeDueTables } from "../../../lib/endpoints/make-due-tables.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { ask } from "../../support/worlds/api-world.ts";
import type { Figure, Part } from "../figures.ts";
import { BENCH_DIRECTORY } from "./engine.ts";
import { benchSet, SET_PROJECT } from "./engine-set.ts";
import { openBenchWorld } from "./engine-world.ts";

const PER_SECOND = 200;
const SECONDS = 10;
/** A process that has just begun compiles what it runs often; at 200 a second that is over within this. */
const FIRST_SECONDS = 5;
const LIVE_RUNS = 20;
const QUERY =
  "SELECT toDate(timestamp) AS day, count() AS n, max(distinct_id) FROM events WHERE event = {variables.e} AND timestamp >= {variables.from} GROUP BY day ORDER BY day";

/** A table of a query over five million events, read over HTTP at a steady rate with ever other values; and the same query live. */
export const materialised: Part = {
  name: "materialised",
  seconds: 60,
  measures: ["functions/endpoint-runs", "infra/local", "lib/endpoints", "lib/engine"],
  async run(): Promise<readonly Figure[]> {
    const set = await benchSet(BENCH_DIRECTORY, console.log);
    const bench = await openBenchWorld(set, BENCH_DIRECTORY);
    const unthrottled = readConfig((field) => (field === "throttleScale" ? "1000000" : undefined));
    const world: World = { ...bench.world, config: unthrottled };
    const server = await startServer([endpointRuns], "127.0.0.1", 0);
    try {
      server.open(world);
      await makeTable(world, bench.key);
      const call = caller(server.origin, bench.key);
      const live = [];
      for (let round = 0; round < LIVE_RUNS; round += 1) live.push((await call(round, "direct", "live")).ms);
      for (let round = 0; round < LIVE_RUNS; round += 1) await call(round, "force", "materialised");
      const first = answered(await steadily(call, FIRST_SECONDS));
      bench.calls.length = 0;
      const answers = await steadily(call, SECONDS);
      const times = answered(answers);
      return [
        { name: "materialised.p50_ms", value: at(times, 0.5), unit: "ms", baseline: `at ${PER_SECOND} runs a second over HTTP; at most 5` },
        { name: "materialised.p99_ms", value: at(times, 0.99), unit: "ms", baseline: "the same; at most 25" },
        {
          name: "materialised.first_p99_ms",
          value: at(first, 0.99),
          unit: "ms",
          baseline: `of the ${FIRST_SECONDS} seconds before, in a process that had just begun`,
        },
        {
          name: "materialised.refused",
          value: answers.length - times.length,
          unit: "runs",
          baseline: `of ${answers.length}; none on a machine that does nothing else`,
        },
        {
          name: "materialised.live_p50_ms",
          value: at(live, 0.5),
          unit: "ms",
          baseline: "the same query over the events, one run after the other",
        },
        {
          name: "materialised.table_reads",
          value: bench.calls.filter(({ name }) => name === "get" || name === "getMany" || name === "query").length / times.length,
          unit: "calls a run",
          baseline: "keys, projects and versions remembered as when deployed; at most 2",
        },
      ];
    } finally {
      await server.stop();
      await bench.close();
    }
  },
};

const makeTable = async (world: World, key: string): Promise<void> => {
  const body = { name: "table", query: sqlQuery(QUERY, { e: "$pageview", from: "2025-01-01" }), is_materialized: true };
  const { status, json } = await ask(endpoints, world, "POST", `/api/projects/${SET_PROJECT}/endpoints/`, { key, body });
  if (status !== 201) throw new Error(`the endpoint was not saved: ${JSON.stringify(json)}`);
  await makeDueTables(world, { remainingMs: () => 900_000 });
};

interface Answered {
  readonly ms: number;
  /** A machine that is busy with other things refuses what waits for too long. */
  readonly isRefused: boolean;
}

type Caller = (round: number, refresh: "force" | "direct", path: string) => Promise<Answered>;

const caller =
  (origin: string, key: string): Caller =>
  async (round, refresh, path) => {
    const from = new Date(Date.UTC(2025, 0, 1 + (round % 60))).toISOString().slice(0, 10);
    const started = performance.now();
    const reply = await fetch(`${origin}/api/projects/${SET_PROJECT}/endpoints/table/run/`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ refresh, variables: { e: round % 2 === 0 ? "$pageview" : "$autocapture", from } }),
    });
    const text = await reply.text();
    const isRefused = reply.status === 429;
    if (!isRefused && reply.headers.get("x-run-path") !== path)
      throw new Error(`served ${reply.headers.get("x-run-path")}: ${text.slice(0, 200)}`);
    return { ms: performance.now() - started, isRefused };
  };

/** Each run begins at its time, whether or not the one before is over. */
const steadily = async (call: Caller, seconds: number): Promise<readonly Answered[]> => {
  const began = performance.now();
  const runs: Promise<Answered>[] = [];
  for (let round = 0; round < PER_SECOND * seconds; round += 1) {
    const due = began + (round * 1_000) / PER_SECOND;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    runs.push(call(round, "force", "materialised"));
  }
  return Promise.all(runs);
};

const answered = (answers: readonly Answered[]): readonly number[] => answers.filter(({ isRefused }) => !isRefused).map(({ ms }) => ms);

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
