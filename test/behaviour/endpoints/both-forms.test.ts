import { beforeAll, describe, expect, it } from "vitest";
import { endpointTrials } from "../../../functions/endpoint-trials/routes.ts";
import { testEndpoint } from "../../../infra/cli/endpoints-test-command.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { ask } from "../../support/worlds/api-world.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

const BY_PERSON = "SELECT distinct_id, count() AS n FROM events WHERE event = {variables.e} GROUP BY distinct_id ORDER BY distinct_id";
const SINCE = "SELECT count() AS n FROM events WHERE timestamp >= {variables.from}";
const TREND = {
  kind: "TrendsQuery",
  series: [{ kind: "EventsNode", event: "seen" }],
  dateRange: { date_from: "2026-11-19", date_to: "2026-11-19" },
  breakdownFilter: { breakdowns: [{ property: "plan", type: "event" }] },
};

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  await one.send(
    ["ana", "bob", "ana"].map((distinct_id, index) => ({
      event: "seen",
      distinct_id,
      at: Date.UTC(2026, 10, 19, 6 * index),
      properties: { plan: index === 0 ? "free" : "pro" },
    })),
  );
  for (const [name, query] of [
    ["by-person", sqlQuery(BY_PERSON, { e: "seen" })],
    ["since", sqlQuery(SINCE, { from: "2026-11-19" })],
    ["refused", sqlQuery("SELECT count() FROM events WHERE event != {variables.e}", { e: "seen" })],
    ["trend", TREND],
  ] as const)
    expect((await one.call("POST", "", { name, query })).status).toBe(201);
});

const previewed = (name: string, body: object) =>
  ask(endpointTrials, one.world, "POST", `/api/projects/1/endpoints/${name}/materialization_preview/`, { key: one.key, body });

const tables = async () => (await objects.list("tables/", null)).objects;

describe("POST /endpoints/{name}/materialization_preview/ with variables", () => {
  it("200 with the rows of both forms side by side, the time and bytes of each, and nothing left behind", async () => {
    const rows = [
      ["ana", 2],
      ["bob", 1],
    ];
    const side = { columns: ["distinct_id", "n"], rows, row_count: 2, ms: expect.any(Number), error: null };
    const answer = await previewed("by-person", { variables: {} });
    expect(answer).toMatchObject({
      status: 200,
      json: { can_materialize: true, comparison: { live: side, materialised: side, equal: true, table: { made_ms: expect.any(Number) } } },
    });
    const { live, materialised, table } = Object(answer.json).comparison;
    for (const bytes of [live.bytes, materialised.bytes, table.bytes]) expect(bytes).toBeGreaterThan(0);
    expect(await tables()).toEqual([]);
  });

  it("200 with rows that differ where a bound is rounded, and with those of other buckets", async () => {
    const variables = { from: "2026-11-19 05:00:00" };
    const rowsOf = (body: object) => previewed("since", body).then(({ json }) => Object(json).comparison);
    expect(await rowsOf({ variables })).toMatchObject({ live: { rows: [[2]] }, materialised: { rows: [[3]] }, equal: false });
    expect(await rowsOf({ variables, bucket_overrides: { timestamp: "hour" } })).toMatchObject({
      materialised: { rows: [[2]] },
      equal: true,
    });
  });

  it("200 with the version's own table where it has one", async () => {
    await one.call("PATCH", "by-person/", { is_materialized: true });
    await one.work();
    expect((await previewed("by-person", { variables: { e: "seen" } })).json).toMatchObject({
      comparison: { equal: true, table: { made_ms: null } },
    });
    expect(await tables()).toHaveLength(1);
  });

  it("200 of an insight, which says the query of its table", async () => {
    const { json } = await previewed("trend", { variables: { plan: "pro" } });
    expect(json).toMatchObject({
      can_materialize: true,
      transformed_query: expect.stringContaining("SELECT"),
      execution_query: expect.stringContaining("trend_v1"),
      comparison: { live: { rows: [{ count: 2 }] }, equal: true },
    });
  });

  it("400 for variables that the version does not take, and no comparison where there is no table to compare with", async () => {
    expect(await previewed("by-person", { variables: { x: 1 } })).toMatchObject({ status: 400, json: { attr: "variables" } });
    expect(await previewed("trend", { variables: {} })).toMatchObject({ status: 400, json: { attr: "variables" } });
    const { json } = await previewed("refused", { variables: {} });
    expect(json).toMatchObject({ can_materialize: false });
    expect(json).not.toHaveProperty("comparison");
  });
});

describe("admin endpoints test", () => {
  const test = (name: string, flags: Readonly<Record<string, string>> = { project: "1" }) => {
    const target = { world: one.world, forgetKeys: () => undefined, close: async () => undefined };
    return testEndpoint(target, { words: [name], flags, switches: new Set() });
  };

  it("prints the figures of both forms, whether the rows are the same, and the rows", async () => {
    const { lines } = await test("since", { project: "1", variables: '{"from": "2026-11-19 05:00:00"}' });
    expect(lines.join("\n")).toMatch(
      /^ +rows +ms +bytes read\nlive +1 .*\nmaterialised +1 .*\nThe table has \d+ bytes \(made for this in .* ms\)\.\nThe rows differ\.\n\nlive +materialised\n\[2\] +\[3\]$/,
    );
    expect((await test("by-person")).lines).toContain("The rows are the same.");
    expect((await test("refused")).lines.join("\n")).toContain("materialised: Variables not supported: Unsupported operator");
  });

  it("says in a sentence what is wrong with its words", async () => {
    await expect(test("nothing")).rejects.toThrow('The project has no endpoint "nothing".');
    await expect(test("since", { project: "1", version: "9" })).rejects.toThrow("Version 9 not found");
    await expect(test("since", { project: "1", variables: "[]" })).rejects.toThrow("--variables must be a JSON object");
    await expect(test("since", {})).rejects.toThrow("--project 1");
  });
});
