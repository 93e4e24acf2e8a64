import { beforeEach, describe, expect, it } from "vitest";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

const SUM = "SELECT sum(properties.price) AS total FROM events WHERE event = {variables.e}";
const TREND = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "buy", math: "sum", math_property: "price" }] };

const bought = async (price: unknown) => {
  one.time.now += 60_000;
  await one.send([{ event: "buy", distinct_id: "ana", at: one.time.now, properties: { price } }]);
};

const saved = async (name: string, query: object, more: object = {}) =>
  expect((await one.call("POST", "", { name, query, ...more })).status).toBe(201);

const total = async (name: string) => Object((await one.run(name, { refresh: "force", variables: { e: "buy" } })).json).results;

beforeEach(async () => {
  for (const prefix of ["fresh/", "tables/", "state/"]) {
    const { objects: left } = await objects.list(prefix, null);
    await objects.remove(left.map(({ key }) => key));
  }
  one = await endpointWorld(objects, engine());
});

describe("the types of a saved query's properties", () => {
  it("stay what they were when it was saved: a stray text reads as NULL, live and materialised, and breaks nothing", async () => {
    await bought(5);
    await saved("sum", sqlQuery(SUM, { e: "buy" }));
    await saved("trend", TREND);
    await saved("table", sqlQuery(SUM, { e: "buy" }), { is_materialized: true });
    await bought("a lot");
    await bought(2);
    expect(await total("sum")).toEqual([[7]]);
    await one.work();
    const table = await one.run("table", { variables: { e: "buy" } });
    expect([table.headers["x-run-path"], Object(table.json).results]).toEqual(["materialised", [[7]]]);
    expect((await one.run("trend", { refresh: "force" })).json).toMatchObject({ results: [{ count: 7 }] });
    expect((await one.call("GET", "sum/")).json).toMatchObject({ property_types: { "event:price": "Numeric" } });
  });

  it("are those of today for a new version", async () => {
    await bought(5);
    await saved("sum", sqlQuery(SUM, { e: "buy" }));
    await bought("a lot");
    one.time.now += 60_000;
    const text = "SELECT max(properties.price) AS most FROM events WHERE event = {variables.e}";
    expect((await one.call("PATCH", "sum/", { query: sqlQuery(text, { e: "buy" }) })).json).toMatchObject({
      current_version: 2,
      property_types: { "event:price": "String" },
    });
    expect(await total("sum")).toEqual([["a lot"]]);
    const first = await one.run("sum", { version: 1, refresh: "force" });
    expect(Object(first.json).results).toEqual([[5]]);
  });

  it("are for a new version what they were where a stray value came, which reads as NULL there, too", async () => {
    for (const price of [5, "a lot", 2, 3]) await bought(price);
    await saved("sum", sqlQuery(SUM, { e: "buy" }));
    expect((await one.call("GET", "sum/")).json).toMatchObject({ property_types: { "event:price": "Numeric" } });
    expect(await total("sum")).toEqual([[10]]);
  });

  it("are text for a new version once as many events speak against a type as for it", async () => {
    for (const price of [5, "a lot", 2, "much", "more", "most"]) await bought(price);
    expect(await one.call("POST", "", { name: "sum", query: sqlQuery(SUM, { e: "buy" }) })).toMatchObject({
      status: 400,
      json: { attr: "query", detail: expect.stringContaining("toFloat") },
    });
  });

  it("are the first that come, for good, where there were none when it was saved", async () => {
    await saved("sum", sqlQuery(SUM, { e: "buy" }));
    expect((await one.call("GET", "sum/")).json).toMatchObject({ property_types: {} });
    await bought(3);
    expect(await total("sum")).toEqual([[3]]);
    await bought("a lot");
    one.time.now += 60_000;
    expect(await total("sum")).toEqual([[3]]);
    expect((await one.call("GET", "sum/")).json).toMatchObject({ property_types: { "event:price": "Numeric" } });
  });

  it("are read by no run that has them", async () => {
    await bought(5);
    await saved("sum", sqlQuery(SUM, { e: "buy" }));
    one.time.now += 60_000;
    one.calls.length = 0;
    expect(await total("sum")).toEqual([[5]]);
    expect(one.calls.filter(({ pk }) => pk.includes("types"))).toEqual([]);
  });
});
