import { beforeAll, expect, it } from "vitest";
import { endpointTrials } from "../../../functions/endpoint-trials/routes.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { update } from "../../../lib/table/store.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { noModel } from "../../support/no-model.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { ask } from "../../support/worlds/api-world.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let made = 0;
let one: Awaited<ReturnType<typeof endpointWorld>>;

/** Twelve events on three days: `seen` ten times, `left` twice. */
const EVENTS = Array.from({ length: 12 }, (_, index) => ({
  event: index < 10 ? "seen" : "left",
  distinct_id: `person-${index % 3}`,
  at: Date.UTC(2026, 10, 17 + (index % 3), 10, 0, index),
  properties: { number: index },
}));

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  await update(one.world.table, Organizations, { id: one.organization.id }, { set: { is_ai_data_processing_approved: true } });
  await one.send(EVENTS);
});

it.each([
  [
    "HAVING on a key",
    "SELECT event, count() AS n FROM events GROUP BY event HAVING event = {variables.e} AND n > 1 ORDER BY event",
    { e: "seen" },
  ],
  [
    "BETWEEN",
    "SELECT count() AS n FROM events WHERE timestamp BETWEEN {variables.a} AND {variables.b}",
    { a: "2026-11-17", b: "2026-11-20" },
  ],
  ["a list of one", "SELECT count() FROM events WHERE event IN [{variables.e}]", { e: "seen" }],
  ["a list that repeats itself", "SELECT count() FROM events WHERE has([{variables.e}, {variables.e}], event)", { e: "seen" }],
  ["equalities of one column", "SELECT count() FROM events WHERE event = {variables.e} OR {variables.e} = event", { e: "seen" }],
  [
    "two branches of an OR",
    "SELECT count() FROM events WHERE (event = {variables.e} AND distinct_id = 'person-0') OR (distinct_id = 'person-1' AND event = {variables.e})",
    { e: "seen" },
  ],
  [
    "two branches of a UNION",
    "SELECT distinct_id AS id, 1 AS leg FROM events WHERE event = {variables.e} UNION ALL SELECT distinct_id, 2 FROM events WHERE event = {variables.e} AND distinct_id = 'person-2'",
    { e: "left" },
  ],
  [
    "a query of WITH and the one over it",
    "WITH days AS (SELECT toDate(timestamp) AS day, count() AS n FROM events WHERE event = {variables.e} GROUP BY day) SELECT day, n FROM days WHERE day = toDate({variables.d}) ORDER BY day",
    { e: "seen", d: "2026-11-18" },
  ],
  ["an average", "SELECT avg(toFloat(properties.number)) FROM events WHERE timestamp >= {variables.a}", { a: "2026-11-18" }],
  ["an empty value", "SELECT count() FROM events WHERE {variables.e} = '' OR event = {variables.e}", { e: "left" }],
  ["a shifted bound", "SELECT count() FROM events WHERE timestamp >= toDateTime({variables.a}) - INTERVAL 1 DAY", { a: "2026-11-19" }],
])("what is written otherwise gives the same rows, materialised, and needs no model: %s", async (_, text, variables) => {
  made += 1;
  const [name, again] = [`written-${made}`, `otherwise-${made}`];
  expect((await one.call("POST", "", { name, query: sqlQuery(text, variables) })).status).toBe(201);
  const path = `/api/projects/1/endpoints/${name}/materialization_suggestion/`;
  const answer = await ask(endpointTrials, { ...one.world, model: noModel }, "POST", path, { key: one.key, body: {} });
  expect(answer).toMatchObject({
    status: 200,
    json: { suggestion_status: "ok", attempts: 1, error: null, original_reason: expect.any(String) },
  });
  const query = sqlQuery(String(Object(answer.json).suggested_query), variables);
  expect((await one.call("POST", "", { name: again, query, is_materialized: true })).status).toBe(201);
  await one.work();
  const [before, after] = [await one.run(name, { variables }), await one.run(again, { variables })];
  expect(after.headers["x-run-path"]).toBe("materialised");
  expect([Object(after.json).results, Object(after.json).columns]).toEqual([Object(before.json).results, Object(before.json).columns]);
});
