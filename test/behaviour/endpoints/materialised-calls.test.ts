import { beforeAll, expect, it } from "vitest";
import type { Objects } from "../../../lib/ports/objects.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const reads: string[] = [];
const stored = memoryObjects();
const objects: Objects = {
  ...stored,
  async get(key) {
    reads.push(key);
    return stored.get(key);
  },
  async getRange(key, from, to) {
    reads.push(key);
    return stored.getRange(key, from, to);
  },
};
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

const TABLE_READS: readonly string[] = ["get", "getMany", "query"];

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  await one.send(["seen", "seen", "left"].map((event, index) => ({ event, distinct_id: `p${index}`, at: one.time.now - 60_000 })));
  const query = sqlQuery("SELECT count() AS n FROM events WHERE event = {variables.e}", { e: "seen" });
  expect((await one.call("POST", "", { name: "counted", query, is_materialized: true })).status).toBe(201);
  await one.work();
});

const counted = async (variables: object) => {
  one.calls.length = 0;
  reads.length = 0;
  const { headers, json } = await one.run("counted", { variables });
  expect(headers["x-run-path"]).toBe("materialised");
  const table = one.calls.filter(({ name }) => TABLE_READS.includes(name)).length;
  return { rows: Object(json).results, table, objects: reads.length };
};

it("a materialised run reads the table at most twice and one object at most, and none where the function has read it before", async () => {
  await one.run("counted", { variables: { e: "none" } });
  one.time.now += 5_000;
  const first = await counted({ e: "seen" });
  expect(first.rows).toEqual([[2]]);
  expect(first.table).toBeLessThanOrEqual(2);
  expect(first.objects).toBeLessThanOrEqual(1);
  const next = await counted({ e: "left" });
  expect(next).toMatchObject({ rows: [[1]], objects: 0 });
  expect(next.table).toBeLessThanOrEqual(2);
});

it("429: a key whose runs over events are used up still runs what has a table, and one that goes past it counts with the others", async () => {
  const query = sqlQuery("SELECT 1 AS n");
  expect((await one.call("POST", "", { name: "plain", query })).status).toBe(201);
  expect((await one.call("POST", "", { name: "with-table", query, is_materialized: true })).status).toBe(201);
  await one.work();
  const statuses = async (name: string, times: number, body: object = {}) => {
    const seen: (readonly unknown[])[] = [];
    for (let done = 0; done < times; done += 1) {
      const { status, headers } = await one.run(name, body);
      seen.push([status, headers["x-run-path"]]);
    }
    return seen;
  };
  // The runs of the tests before count no more.
  one.time.now += 60_000;
  const { config } = one.world;
  const few = { ...config, throttleScale: 1 / 120 };
  Object.assign(one.world, { config: few });
  try {
    expect((await statuses("plain", 3)).map(([status]) => status)).toEqual([200, 200, 429]);
    const served = [200, "materialised"];
    expect(await statuses("with-table", 3)).toEqual([served, served, served]);
    expect((await statuses("plain", 1)).map(([status]) => status)).toEqual([429]);
    // One that goes past the table was counted before that was known; those after it are not.
    expect((await statuses("with-table", 2, { refresh: "direct" })).map(([status]) => status)).toEqual([200, 429]);
    // A table that is switched on is heard of by runs that were refused before, two seconds later at most.
    expect((await one.call("PATCH", "plain/", { is_materialized: true })).status).toBe(200);
    await one.work();
    expect((await statuses("plain", 1)).map(([status]) => status)).toEqual([429]);
    one.time.now += 2_000;
    expect(await statuses("plain", 2)).toEqual([served, served]);
  } finally {
    Object.assign(one.world, { config });
  }
});

it("200: a table that was made before the clock was set back is passed over as one that is too old, and serves within clocks' differences", async () => {
  const path = async () => {
    const { status, headers } = await one.run("counted", { variables: { e: "seen" } });
    return [status, headers["x-run-path"], headers["x-run-passed-over"]];
  };
  one.time.now -= 10_000;
  expect(await path()).toEqual([200, "materialised", undefined]);
  one.time.now -= 3_600_000;
  expect(await path()).toEqual([200, "live", "stale"]);
  one.time.now += 3_610_000;
  expect(await path()).toEqual([200, "materialised", undefined]);
});

it("200: a run after the clock was set back is in the log of its endpoint, under the time that it is then", async () => {
  const query = sqlQuery("SELECT 1");
  expect((await one.call("POST", "", { name: "logged", query })).status).toBe(201);
  const now = one.time.now;
  await one.run("logged", {});
  one.time.now -= 3_600_000;
  await one.run("logged", {});
  const { results } = Object((await one.call("GET", "logged/logs/")).json);
  expect(results.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp))).toEqual([now, now - 3_600_000]);
  one.time.now = now;
});

it("200: that it was run shows as soon as a run from the table is answered, however long the table takes", async () => {
  const { update } = one.world.table;
  const slow: typeof update = async (...given) => {
    await new Promise((later) => setTimeout(later, 50));
    return update(...given);
  };
  one.world.table.update = slow;
  try {
    one.time.now += 1_800_000;
    const shown = async () => Object((await one.call("GET", "counted/")).json).last_executed_at;
    const before = await shown();
    await Promise.all([counted({ e: "seen" }), counted({ e: "seen" }).then(async () => expect(await shown()).not.toBe(before))]);
    expect(Date.parse(await shown())).toBe(one.time.now);
  } finally {
    one.world.table.update = update;
  }
});

it.each([
  [
    "a SQL query",
    "said",
    sqlQuery("SELECT count() AS n FROM events WHERE event = {variables.e}", { e: "seen" }),
    { e: "seen" },
    { e: "left" },
  ],
  [
    "an insight",
    "drawn",
    { kind: "TrendsQuery", series: [{ kind: "EventsNode" }], breakdownFilter: { breakdown: "$os", breakdown_type: "event" } },
    { $os: "Mac" },
    { $os: "Linux" },
  ],
])(
  "200: what was read of the table of %s before is given again as cached, until it is asked for by force or made anew",
  async (_, name, query, asked, other) => {
    expect((await one.call("POST", "", { name, query, is_materialized: true, data_freshness_seconds: 900 })).status).toBe(201);
    await one.work();
    const isCached = async (variables: object, refresh = "cache") => {
      const { json } = await one.run(name, { variables, refresh });
      expect(json).toMatchObject({ endpoint_materialized: true });
      return Object(json).is_cached;
    };
    expect(await isCached(asked)).toBe(false);
    expect(await isCached(asked)).toBe(true);
    expect(await isCached(other)).toBe(false);
    expect(await isCached(asked, "force")).toBe(false);
    expect(await isCached(asked)).toBe(true);
    const logs = Object((await one.call("GET", `${name}/logs/`)).json).results.map(({ message }: { message: string }) => message);
    expect(logs[0]).toContain("path=materialized cache=hit");
    one.time.now += 900_000;
    await one.work();
    expect(await isCached(asked)).toBe(false);
  },
);
