import { beforeAll, describe, expect, it } from "vitest";
import { BREAKDOWN_LIMIT } from "../../../lib/insight/plan.ts";
import type { InsightQuery } from "../../../lib/insight/query.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

/** Two of three people come each day, for four days; the first has another browser than the rest. */
const EVENTS = Array.from({ length: 8 }, (_, index) => ({
  event: "seen",
  distinct_id: `person-${index % 3}`,
  at: Date.parse(`2026-01-0${1 + (index >> 1)}T10:00:00Z`),
  properties: { $browser: index % 3 === 0 ? "Chrome" : "Firefox" },
}));

/** The settings that each kind needs, and how many rows it has over three days. */
const KINDS: Readonly<Record<InsightQuery["kind"], { readonly settings: object; readonly rows: number }>> = {
  TrendsQuery: { settings: { series: [{ kind: "EventsNode", event: "seen" }] }, rows: 1 },
  RetentionQuery: {
    settings: { retentionFilter: { totalIntervals: 3, targetEntity: { id: "seen" }, returningEntity: { id: "seen" } } },
    rows: 3,
  },
};

const DATES = { date_from: "2026-01-02", date_to: "2026-01-04" };
const breakdownFilter = { breakdowns: [{ property: "$browser", type: "event" }] };

/** One event more than a breakdown shows values, each of an account of its own, in the order of their names. */
const ACCOUNTS = Array.from({ length: BREAKDOWN_LIMIT + 1 }, (_, index) => ({
  event: "seen",
  distinct_id: "person-0",
  at: Date.parse("2026-02-01T10:00:00Z") + index,
  properties: { account: String(10_000 + index) },
}));
const LAST_ACCOUNT = String(10_000 + BREAKDOWN_LIMIT);

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  await one.send(EVENTS);
  await one.send(ACCOUNTS);
});

const saved = async (name: string, query: object, more: object = {}): Promise<void> =>
  expect(await one.call("POST", "", { name, query, ...more })).toMatchObject({ status: 201 });

const rowsOf = async (name: string, body: object = {}): Promise<readonly unknown[]> => {
  const answer = await one.run(name, body);
  expect(answer).toMatchObject({ status: 200 });
  return Object(answer.json).results;
};

describe.each(Object.entries(KINDS))("a %s", (kind, { settings, rows }) => {
  const query = { kind, ...settings, dateRange: DATES };

  it("answers rows, and those of other dates where a run gives some", async () => {
    await saved(`${kind}-own`, query);
    await saved(`${kind}-other`, { ...query, dateRange: { date_from: "2025-12-01", date_to: "2025-12-03" } });
    const own = await rowsOf(`${kind}-own`);
    expect(own).toHaveLength(rows);
    expect(await rowsOf(`${kind}-other`)).not.toEqual(own);
    expect(await rowsOf(`${kind}-other`, { variables: DATES })).toEqual(own);
    expect(await rowsOf(`${kind}-other`, { filters_override: DATES })).toEqual(own);
  });

  it("answers the rows of one value of its breakdown, also from a table", async () => {
    const name = `${kind}-by-browser`;
    await saved(name, { ...query, breakdownFilter }, { is_materialized: true });
    await one.work();
    const variables = { $browser: "Chrome" };
    const fromTable = await one.run(name, { variables });
    expect(fromTable).toMatchObject({ status: 200, json: { endpoint_materialized: true } });
    expect(Object(fromTable.json).results).toHaveLength(rows);
    expect(await rowsOf(name, { variables, refresh: "direct" })).toEqual(Object(fromTable.json).results);
  });

  it("answers a value that its table has among the others from the events", async () => {
    const name = `${kind}-by-account`;
    const dateRange = { date_from: "2026-02-01", date_to: "2026-02-01" };
    const byAccount = { ...query, dateRange, breakdownFilter: { breakdowns: [{ property: "account", type: "event" }] } };
    await saved(name, byAccount, { is_materialized: true });
    await one.work();
    const first = await one.run(name, { variables: { account: "10000" } });
    expect(first).toMatchObject({ status: 200, json: { results: [{}], endpoint_materialized: true } });
    const last = await one.run(name, { variables: { account: LAST_ACCOUNT } });
    expect(last).toMatchObject({ status: 200, headers: { "x-run-passed-over": "others" } });
    expect(Object(last.json).results).toEqual(await rowsOf(name, { variables: { account: LAST_ACCOUNT }, refresh: "direct" }));
    expect(Object(last.json).results).toHaveLength(1);
  });

  it("is described with the fields of its rows", async () => {
    await saved(`${kind}-described`, { ...query, breakdownFilter }, { optional_breakdown_properties: ["$browser"] });
    const { json } = await one.call("GET", `${kind}-described/openapi.json/`);
    const [row] = await rowsOf(`${kind}-described`);
    expect(row).toHaveProperty("breakdown_value");
    expect(Object.keys(Object(json).components.schemas.Row.properties)).toEqual(expect.arrayContaining(Object.keys(Object(row))));
  });
});
