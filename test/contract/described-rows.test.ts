import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { INSIGHT_KINDS } from "../../lib/insight/kinds.ts";
import type { InsightQuery } from "../../lib/insight/query.ts";
import { anEngine } from "../support/engine.ts";
import { memoryObjects } from "../support/memory-objects.ts";
import { endpointWorld } from "../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  const browsers = ["Firefox", "Chrome", undefined];
  await one.send(
    Array.from({ length: 12 }, (_, at) => ({
      event: at % 2 === 0 ? "seen" : "bought",
      distinct_id: `person-${at % 4}`,
      at: one.time.now - (at % 5) * 86_400_000,
      properties: { price: at, ...(browsers[at % 3] !== undefined && { $browser: browsers[at % 3] }) },
    })),
  );
});

const SEEN = { kind: "EventsNode", event: "seen" };
const BOUGHT = { kind: "EventsNode", event: "bought", math: "sum", math_property: "price" };
const trend = (more: object = {}) => ({ kind: "TrendsQuery" as const, series: [SEEN, BOUGHT], ...more });
const ENTITY = { id: "seen", name: "seen", type: "events" };
const retention = (more: object = {}) => ({
  kind: "RetentionQuery" as const,
  retentionFilter: { period: "Day", totalIntervals: 3, targetEntity: ENTITY, returningEntity: ENTITY, ...more },
});
const byBrowser = { breakdowns: [{ property: "$browser", type: "event" }] };

/** Rows with exactly the fields that are described. */
const rowOf = (row: z.ZodObject) => z.array(z.strictObject(row.shape)).min(1);

it.each<[string, Readonly<Record<string, unknown>> & { readonly kind: InsightQuery["kind"] }]>([
  ["a trend", trend()],
  ["a trend of all events", trend({ series: [{ kind: "EventsNode", event: null }] })],
  ["a trend with a breakdown", trend({ breakdownFilter: byBrowser })],
  ["a trend with a breakdown as older clients write it", trend({ breakdownFilter: { breakdown: "$browser", breakdown_type: "event" } })],
  [
    "a trend in ranges of a number",
    trend({ breakdownFilter: { breakdowns: [{ property: "price", type: "event", histogram_bin_count: 3 }] } }),
  ],
  ["a trend of everybody", trend({ breakdownFilter: { breakdown: ["all"], breakdown_type: "cohort" } })],
  ["a trend beside the period before", trend({ compareFilter: { compare: true } })],
  ["a formula", trend({ trendsFilter: { formula: "A + B" } })],
  ["a total", trend({ trendsFilter: { display: "BoldNumber" } })],
  ["a retention", retention()],
  ["a retention with a breakdown", { ...retention(), breakdownFilter: byBrowser }],
  ["a retention with amounts", retention({ aggregationType: "sum", aggregationProperty: "price" })],
])("the rows of %s are what the description says", async (name, query) => {
  const endpoint = name.replaceAll(" ", "-");
  expect(await one.call("POST", "", { name: endpoint, query })).toMatchObject({ status: 201 });
  const { status, json } = await one.run(endpoint, {});
  expect([status, rowOf(INSIGHT_KINDS[query.kind].row).safeParse(Object(json).results).error?.message]).toEqual([200, undefined]);
});
