import { expect, it } from "vitest";
import { Projects } from "../../../lib/projects/projects.ts";
import { update } from "../../../lib/table/store.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);

/** Two hours of 1 November and one of the next day by UTC, which in New York are all of 1 November. */
const TIMES = ["2026-11-01T22:00:00Z", "2026-11-01T23:00:00Z", "2026-11-02T01:00:00Z"];

const QUERIES = {
  days: sqlQuery("SELECT toDate(timestamp) AS day, count() FROM events WHERE event = {variables.e} GROUP BY day ORDER BY day", { e: "a" }),
  trend: {
    kind: "TrendsQuery",
    series: [{ kind: "EventsNode", event: "a" }],
    dateRange: { date_from: "2026-11-01", date_to: "2026-11-02" },
  },
};

const COUNTS = {
  days: (reply: object) => Object(reply).results,
  trend: (reply: object) => Object(reply).results[0].data,
};

it.each([
  [
    "days",
    "table",
    [
      ["2026-11-01", 2],
      ["2026-11-02", 1],
    ],
    [["2026-11-01", 3]],
  ],
  [
    "days",
    "kept result",
    [
      ["2026-11-01", 2],
      ["2026-11-02", 1],
    ],
    [["2026-11-01", 3]],
  ],
  ["trend", "table", [2, 1], [3, 0]],
  ["trend", "kept result", [2, 1], [3, 0]],
] as const)("%s of a %s are no answer once the project has another time zone", async (name, source, before, after) => {
  const one = await endpointWorld(objects, engine());
  await one.send(TIMES.map((time) => ({ event: "a", distinct_id: "ann", at: Date.parse(time) })));
  const body = { name, query: QUERIES[name], is_materialized: source === "table" };
  expect(await one.call("POST", "", body)).toMatchObject({ status: 201 });
  await one.work();
  const counts = async () => {
    const { headers, json } = await one.run(name, { variables: name === "days" ? { e: "a" } : {} });
    return [headers["x-run-path"], COUNTS[name](Object(json))];
  };
  await counts();
  expect(await counts()).toEqual([source === "table" ? "materialised" : "kept", before]);
  await update(one.world.table, Projects, { id: 1 }, { set: { timezone: "America/New_York" } });
  one.time.now += 31_000;
  expect(await counts()).toEqual(["live", after]);
});
