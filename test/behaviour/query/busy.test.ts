import { expect, it } from "vitest";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpointTrials } from "../../../functions/endpoint-trials/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { llmAnalytics } from "../../../functions/llm-analytics/routes.ts";
import { query } from "../../../functions/query/routes.ts";
import { LIMITS } from "../../../lib/auth/rates/throttle.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { update } from "../../../lib/table/store.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask, NOON } from "../../support/worlds/api-world.ts";
import { oneSlot } from "../../support/worlds/one-slot.ts";

const PATH = "/api/projects/1/query/";
const body = { query: { kind: "HogQLQuery", query: "SELECT 1" } };

it("429: a query that gets none of the project's slots is told to come again in a second", async () => {
  const { world, letGo, isHeld } = oneSlot();
  const { key } = await aHousehold(world, 1);
  const first = ask(query, world, "POST", PATH, { key, body });
  await isHeld();
  const refused = await ask(query, world, "POST", PATH, { key, body });
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1" }, json: { type: "throttled_error", code: "throttled" } });
  letGo();
  expect(await first).toMatchObject({ status: 200, json: { results: [[1]] } });
});

it("429: a key's queries are counted together with its runs of saved ones", async () => {
  const { world } = apiWorld({ objects: memoryObjects() });
  const { key } = await aHousehold(world, 1);
  const call = () => ask(query, world, "POST", PATH, { key, body: { query: { kind: "HogQLQuery", query: "" } } });
  const run = () => ask(endpointRuns, world, "POST", "/api/projects/1/endpoints/nobody/run/", { key, body: {} });
  for (let sent = 0; sent < LIMITS.run.perMinute / 2; sent += 1) expect([(await call()).status, (await run()).status]).toEqual([400, 404]);
  for (const refused of [await call(), await run()]) expect(refused).toMatchObject({ status: 429, json: { type: "throttled_error" } });
});

it("429: whatever else asks the engine takes one of the project's slots, too, and is told the same", async () => {
  const { world, letGo, isHeld } = oneSlot();
  const { key, organization } = await aHousehold(world, 1);
  await update(world.table, Organizations, { id: organization.id }, { set: { is_ai_data_processing_approved: true } });
  const saved = "/api/projects/1/endpoints/";
  for (const [name, condition] of [
    ["counted", "event = {variables.e}"],
    ["listed", "event IN [{variables.e}]"],
  ] as const) {
    const sql = sqlQuery(`SELECT count() FROM events WHERE ${condition}`, { e: "seen" });
    expect(await ask(endpoints, world, "POST", saved, { key, body: { name, query: sql } })).toMatchObject({ status: 201 });
  }
  // A project without generations is not asked for spend.
  const generation = anEventRow({ event: "$ai_generation", timestamp: BigInt(NOON) * 1_000n });
  await commitDrain({ ...world, segments: openSegments }, { project: 1, lane: "live", rows: [generation], changes: new Map() });
  const first = ask(query, world, "POST", PATH, { key, body });
  await isHeld();
  const refused = await Promise.all([
    ask(endpointTrials, world, "POST", `${saved}counted/materialization_preview/`, { key, body: { variables: {} } }),
    ask(endpointTrials, world, "POST", `${saved}listed/materialization_suggestion/`, { key, body: {} }),
    ask(llmAnalytics, world, "GET", "/api/llm_analytics/@me/spend/?product=service_code", { key }),
    ask(endpointRuns, world, "POST", "/api/projects/1/exports/", { key, body: { endpoint: "counted" } }),
    ask(query, world, "GET", "/api/projects/1/live_events/", { key }),
    ask(query, world, "GET", "/api/projects/1/property_definitions/values/?key=plan", { key }),
    ask(query, world, "GET", "/api/projects/1/persons/?search=ada", { key }),
    ask(query, world, "GET", "/api/projects/1/persons/0198a5b2-4b7e-7c3e-9d51-000000000001/events/", { key }),
  ]);
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 429, headers: { "retry-after": "1" }, json: { type: "throttled_error", code: "throttled" } });
  letGo();
  expect((await first).status).toBe(200);
});
