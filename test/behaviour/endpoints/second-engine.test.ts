import { beforeEach, expect, it } from "vitest";
import { query } from "../../../functions/query/routes.ts";
import { type ClickHouse, openEngines } from "../../../lib/clickhouse/engines.ts";
import { Unreachable } from "../../../lib/clickhouse/http/unreachable.ts";
import { GoneFile } from "../../../lib/engine/gone-file.ts";
import { anEngine } from "../../support/engine.ts";
import { keptLog } from "../../support/kept-log.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { ask } from "../../support/worlds/api-world.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const embedded = anEngine(objects);

const MB = 1_000_000;

/** Stands for a ClickHouse server: it answers what the embedded engine would, under its own name, unless it has faults left to throw. */
const scripted = (faults: Error[]): ClickHouse => {
  const answer = async <T>(rows: Promise<T>): Promise<T & { readonly engine: "clickhouse" }> => {
    const [fault] = faults.splice(0, 1);
    if (fault !== undefined) {
      rows.catch(() => undefined);
      throw fault;
    }
    return { ...(await rows), engine: "clickhouse" };
  };
  return {
    run: (...given) => answer(embedded().run(...given)),
    write: (...given) => answer(embedded().write(...given)),
    close: async () => undefined,
  };
};

let one: Awaited<ReturnType<typeof aWorld>>;

const aWorld = async () => {
  const faults: Error[] = [];
  const data = { neededMb: 1 };
  const time = { now: 0 };
  const engine = openEngines({
    embedded: embedded(),
    clickhouse: scripted(faults),
    neededBytes: async () => data.neededMb * MB,
    config: { clickhouseAboveMb: 1_500 },
    clock: { now: () => time.now },
    log: keptLog(),
    counts: { add: async () => undefined },
  });
  const world = await endpointWorld(objects, engine);
  await world.send(["a", "b", "a"].map((event, at) => ({ event, distinct_id: `p${at}`, at: world.time.now - 60_000 })));
  const made = await world.call("POST", "", {
    name: "counted",
    query: sqlQuery("SELECT event, count() AS n FROM events GROUP BY event ORDER BY event"),
  });
  expect(made.status).toBe(201);
  return { ...world, faults, data, engineTime: time };
};

beforeEach(async () => {
  one = await aWorld();
});

const ROWS = [
  ["a", 2],
  ["b", 1],
];

const run = async (body: object = { refresh: "force" }) => {
  const { status, headers, json } = await one.run("counted", body);
  return { status, path: headers["x-run-path"], rows: Object(json).results };
};

const lastLine = () => one.log.lines.findLast(({ event }) => event === "request")?.fields;

const lastEntry = async (): Promise<string> => {
  const { json } = await one.call("GET", "counted/logs/?limit=1");
  return Object(json).results[0].message;
};

it("a run says nothing new while the platform's own engine computes it", async () => {
  expect(await run()).toEqual({ status: 200, path: "live", rows: ROWS });
  expect(lastLine()).toMatchObject({ engine: "embedded", needed_bytes: expect.any(Number) });
  expect(await lastEntry()).not.toContain("engine=");
});

it("a run that reads too much is ClickHouse's, and says so in its header, in the endpoint's log and in its line", async () => {
  one.data.neededMb = 2_000;
  expect(await run()).toEqual({ status: 200, path: "live; engine=clickhouse", rows: ROWS });
  expect(lastLine()).toMatchObject({ engine: "clickhouse", needed_bytes: expect.any(Number) });
  expect(await lastEntry()).toMatch(/path=inline .*engine=clickhouse needed_bytes=\d+$/);
});

it("an endpoint asks for an engine, and what was computed by either is kept under one key", async () => {
  await one.call("PATCH", "counted/", { engine: "clickhouse" });
  one.time.now += 60_000;
  expect(await run({})).toEqual({ status: 200, path: "live; engine=clickhouse", rows: ROWS });
  await one.call("PATCH", "counted/", { engine: "embedded" });
  expect(await run({})).toEqual({ status: 200, path: "kept", rows: ROWS });
  one.data.neededMb = 2_000;
  expect((await run()).path).toBe("live");
});

it("a query that is not saved says it, too", async () => {
  const asked = async () => {
    const body = { query: { kind: "HogQLQuery", query: "SELECT event, count() FROM events GROUP BY event ORDER BY event" } };
    const { status, headers, json } = await ask(query, one.world, "POST", "/api/projects/1/query/", { key: one.key, body });
    return { status, path: headers["x-run-path"], rows: Object(json).results };
  };
  expect(await asked()).toEqual({ status: 200, path: "live", rows: ROWS });
  one.data.neededMb = 2_000;
  expect(await asked()).toEqual({ status: 200, path: "live; engine=clickhouse", rows: ROWS });
  expect(lastLine()).toMatchObject({ engine: "clickhouse" });
});

it("503 with Retry-After for what is too large while ClickHouse is away, the own engine for all else, and nothing is kept of it", async () => {
  await one.call("PATCH", "counted/", { engine: "clickhouse" });
  one.time.now += 60_000;
  one.faults.push(new Unreachable("away"));
  expect(await run({ refresh: "force" })).toEqual({ status: 200, path: "live", rows: ROWS });
  one.data.neededMb = 2_000;
  await one.send([{ event: "b", distinct_id: "p9", at: one.time.now }]);
  const { status, headers, json } = await one.run("counted", { refresh: "force" });
  expect([status, Number(headers["retry-after"]) > 0, Object(json).code]).toEqual([503, true, "service_unavailable"]);
  expect(await lastEntry()).toMatch(/failed/);
  one.engineTime.now += 10_000;
  expect(await run({ refresh: "force" })).toEqual({ status: 200, path: "live; engine=clickhouse", rows: [ROWS[0], ["b", 2]] });
});

it("a run whose files are gone reads the state as it is now, once", async () => {
  one.data.neededMb = 2_000;
  one.faults.push(new GoneFile("gone"));
  expect(await run()).toEqual({ status: 200, path: "live; engine=clickhouse", rows: ROWS });
  one.faults.push(new GoneFile("gone"), new GoneFile("gone"));
  expect((await run()).status).toBe(503);
  expect((await run()).status).toBe(200);
});

it("a table is made by ClickHouse where that is asked, and later where it is away", async () => {
  one.data.neededMb = 2_000;
  one.faults.push(new Unreachable("away"));
  await one.call("PATCH", "counted/", { is_materialized: true });
  await one.work();
  const status = async (): Promise<string> => Object((await one.call("GET", "counted/")).json).materialization.status;
  expect(await status()).toBe("Unknown");
  one.engineTime.now += 10_000;
  one.time.now += 600_000;
  await one.work();
  expect(await status()).toBe("Completed");
  expect(await run({})).toEqual({ status: 200, path: "materialised", rows: ROWS });
});
