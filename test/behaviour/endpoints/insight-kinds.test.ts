import { beforeAll, describe, expect, it } from "vitest";
import type { InsightQuery } from "../../../lib/insight/query.ts";
import { type Answer, type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let path = "";

/** Two of three people come each day, for four days; the first has another browser than the rest. */
const EVENTS = Array.from({ length: 8 }, (_, index) => ({
  event: "seen",
  distinct_id: `person-${index % 3}`,
  timestamp: `2026-01-0${1 + (index >> 1)}T10:00:00Z`,
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

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/endpoints/`;
  const body = JSON.stringify({ api_key: tenant.projectToken, batch: EVENTS });
  expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  await saved("all", sqlQuery("SELECT count() FROM events"));
  await eventually(async () => expect((await run("all", { refresh: "force" })).body).toMatchObject({ results: [[EVENTS.length]] }));
});

const saved = async (name: string, query: object, more: object = {}): Promise<void> =>
  expect(await api.post(path, { name, query, ...more })).toMatchObject({ status: 201 });

const run = (name: string, body: object): Promise<Answer> => api.post(`${path}${name}/run/`, body);

const rowsOf = async (name: string, body: object = {}): Promise<readonly unknown[]> => {
  const answer = await run(name, body);
  expect(answer).toMatchObject({ status: 200 });
  return Object(answer.body).results;
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
    await eventually(async () =>
      expect(await api.get(`${path}${name}/materialization_status/`)).toMatchObject({ body: { status: "Completed" } }),
    );
    const variables = { $browser: "Chrome" };
    const fromTable = await run(name, { variables });
    expect(fromTable).toMatchObject({ status: 200, body: { endpoint_materialized: true } });
    expect(Object(fromTable.body).results).toHaveLength(rows);
    expect(await rowsOf(name, { variables, refresh: "direct" })).toEqual(Object(fromTable.body).results);
  });

  it("is described with the fields of its rows", async () => {
    await saved(`${kind}-described`, { ...query, breakdownFilter }, { optional_breakdown_properties: ["$browser"] });
    const { body } = await api.get(`${path}${kind}-described/openapi.json/`);
    const [row] = await rowsOf(`${kind}-described`);
    expect(row).toHaveProperty("breakdown_value");
    expect(Object.keys(Object(body).components.schemas.Row.properties)).toEqual(expect.arrayContaining(Object.keys(Object(row))));
  });
});
