import { beforeAll, describe, expect, it } from "vitest";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { update } from "../../../lib/table/store.ts";
import { type Answer, type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let path = "";

/** Twelve events on three days: `seen` ten times, `left` twice. */
const EVENTS = Array.from({ length: 12 }, (_, index) => ({
  event: index < 10 ? "seen" : "left",
  distinct_id: `person-${index % 3}`,
  timestamp: `2026-01-0${1 + (index % 3)}T10:00:0${index % 10}Z`,
  properties: { number: index, $browser: index % 2 === 0 ? "Chrome" : "Firefox" },
}));

const BY_DAY = "SELECT toDate(timestamp) AS day, count() AS views FROM events WHERE event = {variables.e} GROUP BY day ORDER BY day";
const RANGE = "SELECT count() FROM events WHERE timestamp >= {variables.start_ts} AND timestamp < {variables.end_ts}";

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  // Before the first request: organizations are remembered.
  await update(platform().world.table, Organizations, { id: tenant.organizationId }, { set: { is_ai_data_processing_approved: true } });
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/endpoints/`;
  await send(EVENTS);
  await saved("total", "SELECT count() FROM events");
  await eventually(async () => expect((await api.post(`${path}total/run/`, { refresh: "force" })).body).toMatchObject({ results: [[12]] }));
});

const send = async (batch: readonly object[]): Promise<void> => {
  const response = await fetch(`${platform().ingestUrl}/batch/`, {
    method: "POST",
    body: JSON.stringify({ api_key: tenant.projectToken, batch }),
  });
  expect(await response.json()).toEqual({ status: "Ok" });
};

const saved = async (name: string, sql: string, defaults: Readonly<Record<string, unknown>> = {}, more: object = {}): Promise<Answer> => {
  const answer = await api.post(path, { name, query: sqlQuery(sql, defaults), ...more });
  expect(answer).toMatchObject({ status: 201 });
  return answer;
};

const completed = (name: string, query = ""): Promise<void> =>
  eventually(async () => {
    expect(await api.get(`${path}${name}/materialization_status/${query}`)).toMatchObject({ status: 200, body: { status: "Completed" } });
  });

const run = (name: string, body: object): Promise<Answer> => api.post(`${path}${name}/run/`, body);
const pathOf = ({ headers }: Answer): string | null => headers.get("x-run-path");

describe("POST /endpoints/ with is_materialized", () => {
  it("begins the first run at once, and serves its rows from then on", async () => {
    const made = await saved("day", BY_DAY, { e: "seen" }, { is_materialized: true });
    expect(made.body).toMatchObject({ is_materialized: false, materialization: { enabled: true, ready: false, name: "day" } });
    await completed("day");
    const answer = await run("day", { variables: { e: "seen" } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        results: [
          ["2026-01-01", 4],
          ["2026-01-02", 3],
          ["2026-01-03", 3],
        ],
        columns: ["day", "views"],
        types: [
          ["day", "Date"],
          ["views", "UInt64"],
        ],
        endpoint_materialized: true,
      },
    });
    expect(pathOf(answer)).toBe("materialised");
    expect(pathOf(await run("day", { variables: { e: "seen" }, refresh: "direct" }))).toBe("live");
    expect(pathOf(await run("day", { variables: { e: "left" }, refresh: "force" }))).toBe("materialised");
    expect(await api.get(`${path}day/`)).toMatchObject({
      body: { is_materialized: true, materialization: { status: "Completed", ready: true, error: "", saved_query_id: expect.any(String) } },
    });
  });

  it.each([
    ["never-compared", "SELECT count() AS n FROM events WHERE event = {variables.e} AND properties.never > 3", { e: "seen" }, [[0]]],
    [
      "never-added",
      "SELECT event, sum(properties.never) AS s FROM events GROUP BY event ORDER BY event",
      {},
      [
        ["left", null],
        ["seen", null],
      ],
    ],
  ])("makes the table of a query that expects a type of a property which no event has: %s", async (name, sql, variables, results) => {
    await saved(name, sql, variables, { is_materialized: true });
    await completed(name);
    for (const [refresh, path] of [
      ["cache", "materialised"],
      ["direct", "live"],
    ] as const) {
      const answer = await run(name, { variables, refresh });
      expect(answer).toMatchObject({ status: 200, body: { results } });
      expect(pathOf(answer)).toBe(path);
    }
  });

  it("is refused with the reason where the query cannot be", async () => {
    const query = sqlQuery("SELECT count() FROM events WHERE event IN {variables.e}", { e: ["a"] });
    expect(await api.post(path, { name: "refused", query, is_materialized: true })).toMatchObject({
      status: 400,
      body: { attr: null, detail: expect.stringMatching(/^Cannot materialize endpoint\. Reason: .*Unsupported operator/) },
    });
    expect(await api.get(`${path}refused/`)).toMatchObject({ status: 404 });
  });

  it("is refused for a breakdown by cohorts", async () => {
    const query = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "seen" }] };
    const breakdownFilter = { breakdown_type: "cohort", breakdown: [1] };
    expect(await api.post(path, { name: "refused", query: { ...query, breakdownFilter }, is_materialized: true })).toMatchObject({
      status: 400,
      body: { attr: null, detail: expect.stringMatching(/^Cannot materialize endpoint\. Reason: Cohort breakdowns are not supported/) },
    });
  });

  it("is refused for an endpoint that is not active", async () => {
    const body = { name: "asleep", query: sqlQuery("SELECT 1"), is_materialized: true, is_active: false };
    expect(await api.post(path, body)).toMatchObject({ status: 400, body: { attr: "is_materialized" } });
  });
});

describe("POST /endpoints/{name}/run/ of a version with a table", () => {
  it("wants every variable, whatever its default", async () => {
    await saved("wants", BY_DAY, { e: "seen" }, { is_materialized: true });
    await completed("wants");
    for (const variables of [{}, { e: null }])
      expect(await run("wants", { variables })).toMatchObject({
        status: 400,
        body: { attr: "variables", detail: "Required variable(s) 'e' not provided" },
      });
  });

  it("rounds bounds down to the day, and pages through the rows", async () => {
    await saved("range", RANGE, { start_ts: "2026-01-01", end_ts: "2026-01-04" }, { is_materialized: true });
    await completed("range");
    const rows = async (start_ts: string, end_ts: string) => Object((await run("range", { variables: { start_ts, end_ts } })).body).results;
    expect(await rows("2026-01-01", "2026-01-03")).toEqual([[8]]);
    expect(await rows("2026-01-01 23:00:00", "2026-01-03 23:00:00")).toEqual([[8]]);
    expect(await rows("2027-01-01", "2027-01-03")).toEqual([[0]]);
    const paged = await run("wants", { variables: { e: "seen" }, limit: 1, offset: 1 });
    expect(paged).toMatchObject({ body: { results: [["2026-01-02", 3]], hasMore: true, limit: 1, offset: 1 } });
    expect(pathOf(paged)).toBe("materialised");
  });

  it("400 for a bound that is no time, as without a table", async () => {
    for (const bound of ["soon", "", "2026-13-45", "22/11/2026"]) {
      const variables = { start_ts: "2026-01-01", end_ts: bound };
      const answer = await run("range", { variables });
      expect(answer).toMatchObject({ status: 400, body: { code: "cannot_parse_text", attr: null } });
      expect((await run("range", { variables, refresh: "direct" })).body).toEqual(answer.body);
    }
    expect(pathOf(await run("range", { variables: { start_ts: "2026-01-01T00:00:00Z", end_ts: "2026-01-03" } }))).toBe("materialised");
  });

  it("rounds bounds down to the day in a query of WITH, too", async () => {
    const base = "SELECT event FROM events WHERE timestamp >= {variables.a} AND timestamp < {variables.b}";
    const text = `WITH base AS (${base}) SELECT count() FROM base`;
    await saved("range-with", text, { a: "2026-01-01", b: "2026-01-04" }, { is_materialized: true });
    await completed("range-with");
    const inDays = await run("range-with", { variables: { a: "2026-01-01 23:00:00", b: "2026-01-03 23:00:00" } });
    expect([pathOf(inDays), Object(inDays.body).results]).toEqual(["materialised", [[8]]]);
    expect(await api.post(`${path}range-with/materialization_preview/`, {})).toMatchObject({
      body: { range_pairs: [{ column: "timestamp", variables: ["a", "b"], bucket_fn: "toStartOfDay" }] },
    });
  });

  it("never holds more than 50,000 rows in a page of a table either", async () => {
    await saved("wide", "SELECT number AS n FROM numbers(100000) ORDER BY n", {}, { is_materialized: true });
    await completed("wide");
    const page = await run("wide", { limit: 60_000 });
    expect(pathOf(page)).toBe("materialised");
    expect([Object(page.body).results.length, Object(page.body).hasMore]).toEqual([50_000, true]);
  });

  it("refuses to page a UNION in the words of a run without a table", async () => {
    await saved("union", "SELECT 1 AS n UNION ALL SELECT 2");
    const live = await run("union", { limit: 1 });
    expect(live).toMatchObject({ status: 400, body: { code: "invalid_input", attr: null, detail: expect.stringContaining("UNION") } });
    await api.patch(`${path}union/`, { is_materialized: true });
    await completed("union");
    const whole = await run("union", {});
    expect([pathOf(whole), Object(whole.body).results.length]).toEqual(["materialised", 2]);
    const paged = await run("union", { limit: 1 });
    expect([paged.status, paged.body]).toEqual([live.status, live.body]);
  });

  it("logs one that goes past the table as an ordinary one", async () => {
    const direct = await run("wants", { variables: { e: "seen" }, refresh: "direct" });
    expect([pathOf(direct), direct.headers.get("x-run-passed-over")]).toEqual(["live", "direct"]);
    await eventually(async () => {
      const { body } = await api.get(`${path}wants/logs/?instance_id=${Object(direct.body).execution_id}`);
      expect(Object(body).results).toMatchObject([{ message: expect.stringMatching(/ path=inline .* passed_over=direct$/) }]);
    });
  });
});

describe("PATCH /endpoints/{name}/", () => {
  it("switches a table off and on, and gives a new version one of its own", async () => {
    await saved("switch", BY_DAY, { e: "seen" });
    expect(await api.get(`${path}switch/materialization_status/`)).toMatchObject({
      body: { name: "switch", enabled: false, can_materialize: true, reason: null },
    });
    expect(await api.patch(`${path}switch/`, { is_materialized: true })).toMatchObject({ status: 200, body: { is_materialized: false } });
    await completed("switch");
    const query = sqlQuery(BY_DAY.replace("views", "n"), { e: "seen" });
    expect(await api.patch(`${path}switch/`, { query })).toMatchObject({
      body: { current_version: 2, materialization: { enabled: true }, is_materialized: false },
    });
    await completed("switch");
    await completed("switch", "?version=1");
    const refused = await api.patch(`${path}switch/`, {
      query: sqlQuery("SELECT count() FROM events WHERE event != {variables.e}", { e: "" }),
    });
    expect(refused).toMatchObject({
      status: 200,
      body: { current_version: 3, materialization_error: expect.stringContaining("operator") },
    });
    expect(await api.patch(`${path}switch/`, { version: 2, is_materialized: false })).toMatchObject({
      body: { is_materialized: false, materialization: { enabled: false, can_materialize: true } },
    });
    expect(pathOf(await run("switch", { version: 2 }))).toBe("live");
    expect(pathOf(await run("switch", { version: 1, variables: { e: "seen" } }))).toBe("materialised");
  });

  it("makes the table anew where its buckets change", async () => {
    await saved("buckets", RANGE, { start_ts: "2026-01-01", end_ts: "2026-01-04" }, { is_materialized: true });
    await completed("buckets");
    await api.patch(`${path}buckets/`, { bucket_overrides: { timestamp: "hour" } });
    const variables = { start_ts: "2026-01-01 09:00:00", end_ts: "2026-01-01 10:30:00" };
    await eventually(async () => {
      const answer = await run("buckets", { variables });
      expect([pathOf(answer), Object(answer.body).results]).toEqual(["materialised", [[0]]]);
    });
    expect(await api.patch(`${path}buckets/`, { bucket_overrides: { timestamp: "eon" } })).toMatchObject({
      status: 400,
      body: { attr: null },
    });
  });

  it("of an endpoint that is made inactive takes all tables away, and does not bring them back", async () => {
    await saved("inactive", BY_DAY, { e: "seen" }, { is_materialized: true });
    await completed("inactive");
    expect(await api.patch(`${path}inactive/`, { is_active: false })).toMatchObject({ body: { materialization: { enabled: false } } });
    expect(await api.patch(`${path}inactive/`, { is_materialized: true })).toMatchObject({
      status: 400,
      body: { attr: "is_materialized" },
    });
    expect(await api.patch(`${path}inactive/`, { is_active: true })).toMatchObject({ body: { materialization: { enabled: false } } });
    await eventually(async () => expect(await tablesLeft("inactive")).toEqual([]));
  });
});

describe("DELETE /endpoints/{name}/", () => {
  it("leaves no table behind", async () => {
    await saved("gone", BY_DAY, { e: "seen" }, { is_materialized: true });
    await completed("gone");
    const id = await idOf("gone");
    expect((await platform().world.objects.list(`tables/${tenant.projectId}/${id}/`, null)).objects).toHaveLength(1);
    await api.remove(`${path}gone/`);
    await eventually(async () =>
      expect((await platform().world.objects.list(`tables/${tenant.projectId}/${id}/`, null)).objects).toEqual([]),
    );
  });
});

const idOf = async (name: string): Promise<string> => String(Object((await api.get(`${path}${name}/`)).body).id);
const tablesLeft = async (name: string): Promise<readonly unknown[]> =>
  (await platform().world.objects.list(`tables/${tenant.projectId}/${await idOf(name)}/`, null)).objects;

describe("POST /endpoints/{name}/materialization_preview/", () => {
  it("shows how a query is divided, with its ranges and aggregates", async () => {
    await saved("shown", RANGE, { start_ts: "2026-01-01", end_ts: "2026-01-04" });
    const answer = await api.post(`${path}shown/materialization_preview/`, {});
    expect(answer).toMatchObject({
      status: 200,
      body: {
        can_materialize: true,
        reason: null,
        range_pairs: [{ column: "timestamp", variables: ["start_ts", "end_ts"], bucket_fn: "toStartOfDay" }],
        aggregates: [{ expression: "count()", reaggregate_fn: "sum" }],
      },
    });
    const body = Object(answer.body);
    expect(body.transformed_query).toContain("toStartOfDay(timestamp) AS start_ts");
    expect(body.execution_query).toContain("sum(`count()`)");
    expect(body.execution_query).toContain("toStartOfDay(toDateTime('{variables.start_ts}'))");
    expect(body.execution_query).toContain("shown_v1");
    expect(body.display_execution_query).toContain("FROM\n    shown\n");
    const weeks = await api.post(`${path}shown/materialization_preview/`, { bucket_overrides: { timestamp: "week" } });
    expect(weeks).toMatchObject({ body: { range_pairs: [{ bucket_fn: "toStartOfWeek" }] } });
  });

  it.each([
    [
      "multiple CTEs",
      "b AS (SELECT event FROM events WHERE event = {variables.x}), c AS (SELECT 1 FROM events WHERE event = {variables.y}) SELECT event FROM b",
    ],
    ["Scalar subquery", "b AS (SELECT event FROM events WHERE event = {variables.x}) SELECT (SELECT count() FROM b) AS n"],
  ])("says of a query that it has: %s", async (reason, text) => {
    await saved(`has-${reason.length}`, `WITH ${text}`, text.includes("variables.y") ? { x: "seen", y: "left" } : { x: "seen" });
    expect(await api.post(`${path}has-${reason.length}/materialization_preview/`, {})).toMatchObject({
      body: { can_materialize: false, reason: expect.stringContaining(reason) },
    });
  });

  it("says with the rows of both forms what each reads, also where the store keeps plain files", async () => {
    await saved("both", BY_DAY, { e: "seen" });
    const { body } = await api.post(`${path}both/materialization_preview/`, { variables: { e: "seen" } });
    expect(body).toMatchObject({ comparison: { equal: true, live: { row_count: 3 }, materialised: { row_count: 3 } } });
    const { live, materialised } = Object(body).comparison;
    for (const { bytes } of [live, materialised]) expect(bytes).toBeGreaterThan(0);
  });

  it("says why a query cannot be, and refuses unknown buckets and versions", async () => {
    await saved("odd", "SELECT count() FROM events HAVING count() > {variables.n}", { n: 1 });
    expect(await api.post(`${path}odd/materialization_preview/`, {})).toMatchObject({
      status: 200,
      body: { can_materialize: false, reason: expect.stringContaining("HAVING"), transformed_query: null, range_pairs: [], aggregates: [] },
    });
    expect(await api.post(`${path}odd/materialization_preview/`, { bucket_overrides: { timestamp: "eon" } })).toMatchObject({
      status: 400,
      body: { attr: null },
    });
    expect(await api.post(`${path}odd/materialization_preview/`, { version: 9 })).toMatchObject({
      status: 404,
      body: { error: "Version 9 not found" },
    });
  });
});

describe("GET /endpoints/materialization_conditions/", () => {
  it("shows the source of the live checks, and what a rewrite has to keep", async () => {
    const { status, body } = await api.get(`${path}materialization_conditions/`);
    expect(status).toBe(200);
    expect(Object(body).conditions_source).toContain("can_materialize_query");
    expect(Object(body).conditions_source).toContain("analyze_variables_for_materialization");
    expect(Object(body).rewrite_contract).toContain("{variables.<code_name>}");
  });
});

describe("POST /endpoints/{name}/materialization_suggestion/", () => {
  const suggested = (name: string, body: object = {}): Promise<Answer> => api.post(`${path}${name}/materialization_suggestion/`, body);

  it("403 where the organization has not approved it, and 404, 400 and 503 in the words of the operation", async () => {
    await saved("plain", BY_DAY, { e: "seen" });
    await saved("hopeless", "SELECT count() FROM events WHERE event != {variables.e}", { e: "seen" });
    const trend = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "seen" }] };
    expect(await api.post(path, { name: "trend", query: trend })).toMatchObject({ status: 201 });
    const other = await aTenant(platform().world);
    const stranger = apiClient(platform().baseUrl, other.personalKey);
    const others = `/api/projects/${other.projectId}/endpoints/`;
    expect(await stranger.post(others, { name: "plain", query: sqlQuery("SELECT 1") })).toMatchObject({ status: 201 });
    expect(await stranger.post(`${others}plain/materialization_suggestion/`, {})).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining("AI") },
    });
    expect(await suggested("plain", { version: 7 })).toMatchObject({ status: 404, body: { error: "Version 7 not found" } });
    expect(await suggested("nothing")).toMatchObject({ status: 404 });
    expect(await suggested("trend")).toMatchObject({ status: 400, body: { error: expect.stringContaining("SQL endpoints") } });
    expect(await suggested("plain")).toMatchObject({ status: 400, body: { error: expect.stringContaining("already") } });
    expect(await suggested("hopeless")).toMatchObject({ status: 503, body: { error: expect.any(String) } });
  });
});

describe("an insight with a table", () => {
  const trend = (breakdownFilter: object) => ({
    kind: "TrendsQuery",
    series: [{ kind: "EventsNode", event: "seen" }],
    dateRange: { date_from: "2026-01-01", date_to: "2026-01-03" },
    breakdownFilter,
  });
  const retention = {
    kind: "RetentionQuery",
    dateRange: { date_from: "2026-01-01", date_to: "2026-01-03" },
    retentionFilter: {
      period: "Day",
      totalIntervals: 3,
      targetEntity: { id: "seen", type: "events" },
      returningEntity: { id: "seen", type: "events" },
    },
    breakdownFilter: { breakdowns: [{ property: "$browser", type: "event" }] },
  };
  const insights: readonly (readonly [string, object])[] = [
    ["trend", trend({ breakdowns: [{ property: "$browser", type: "event" }] })],
    ["older-trend", trend({ breakdown: "$browser", breakdown_type: "event" })],
    ["retention", retention],
  ];

  it.each(insights)("gives what it gives live, for each value of its breakdown: %s", async (name, query) => {
    expect(await api.post(path, { name: `i-${name}`, query, is_materialized: true })).toMatchObject({ status: 201 });
    await completed(`i-${name}`);
    for (const $browser of ["Chrome", "Firefox", "none", ""]) {
      const table = await run(`i-${name}`, { variables: { $browser } });
      const live = await run(`i-${name}`, { variables: { $browser }, refresh: "direct" });
      expect([pathOf(table), pathOf(live)]).toEqual(["materialised", "live"]);
      expect(Object(table.body).results).toEqual(Object(live.body).results);
    }
  });

  it.each(["trend", "older-trend", "retention"])(
    "200: a filters_override that names a value of the breakdown reads the table: %s",
    async (name) => {
      for (const value of ["Chrome", ["Firefox"], "none"]) {
        const filters_override = { properties: [{ key: "$browser", type: "event", operator: "exact", value }] };
        const table = await run(`i-${name}`, { filters_override, variables: { $browser: "Safari" } });
        const named = await run(`i-${name}`, { variables: { $browser: String(value) } });
        expect(table).toMatchObject({ status: 200, body: { endpoint_materialized: true, results: Object(named.body).results } });
        expect(table.headers.get("x-posthog-warn")).toContain("filters_override is deprecated");
      }
    },
  );

  it.each([
    { properties: [{ key: "$browser", type: "event", operator: "icontains", value: "i" }] },
    {
      properties: [
        { key: "number", type: "event", operator: "exact", value: 4 },
        { key: "$browser", type: "event", operator: "exact", value: "Firefox" },
      ],
    },
    { date_from: "2026-01-02", properties: [{ key: "$browser", type: "event", value: "Firefox" }] },
  ])("200: a filters_override that asks for more is computed from the events: %j", async (filters_override) => {
    const answer = await run("i-trend", { filters_override });
    expect(answer.status).toBe(200);
    expect([pathOf(answer), answer.headers.get("x-run-passed-over")]).toEqual(["live", "filters_override"]);
  });

  it.each([
    { properties: [{ key: "number", type: "event", operator: "exact", value: 4 }] },
    { properties: [{ key: "$browser", type: "event", operator: "is_set" }] },
    { date_from: "2026-01-02" },
  ])("400: a filters_override without a value of the breakdown would answer those of all its values: %j", async (filters_override) => {
    expect(await run("i-trend", { filters_override })).toMatchObject({
      status: 400,
      body: { attr: "variables", detail: expect.stringContaining("'$browser'") },
    });
  });

  it("wants every breakdown but the optional ones, and takes no dates, nor a limit past the table", async () => {
    const refused = { status: 400, body: { attr: "variables" } };
    expect(await run("i-trend", {})).toMatchObject(refused);
    expect(await run("i-trend", { variables: { $browser: "Chrome", date_from: "2026-01-01" } })).toMatchObject(refused);
    expect(await run("i-trend", { variables: { $browser: "Chrome" }, limit: 1 })).toMatchObject({ status: 200 });
    const past = await run("i-trend", { variables: { $browser: "Chrome" }, limit: 1, refresh: "direct" });
    expect(past).toMatchObject({ status: 400, body: { attr: "limit" } });
    await api.patch(`${path}i-trend/`, { optional_breakdown_properties: ["$browser"] });
    const all = await run("i-trend", {});
    expect(all).toMatchObject({ status: 200, body: { results: [{ count: 10 }] } });
    expect(all.headers.get("x-run-passed-over")).toBe("breakdowns");
  });
});
