import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let path = "";

/** Eleven views of three people on three days; one has no browser. */
const EVENTS = Array.from({ length: 11 }, (_, index) => ({
  event: "seen",
  distinct_id: `person-${index % 3}`,
  timestamp: `2026-01-0${1 + (index % 3)}T10:00:00Z`,
  uuid: `0198a5b2-4b7e-7c3e-9d51-${String(index).padStart(12, "0")}`,
  properties: { path: `/${index % 2}`, ...(index === 10 ? {} : { $browser: index % 2 === 0 ? "Chrome" : "Firefox" }) },
}));

const series = [{ kind: "EventsNode", event: "seen" }];
const dateRange = { date_from: "2026-01-01", date_to: "2026-01-03" };
const plain = { kind: "TrendsQuery", series, dateRange };
const byBrowser = { ...plain, breakdownFilter: { breakdowns: [{ property: "$browser", type: "event" }] } };
const legacy = { ...plain, breakdownFilter: { breakdown: "$browser", breakdown_type: "event" } };
const UPPER = "upper(properties.$browser)";
const byExpression = { ...plain, breakdownFilter: { breakdown: UPPER, breakdown_type: "hogql" } };
const returning = {
  kind: "RetentionQuery",
  dateRange,
  retentionFilter: {
    period: "Day",
    totalIntervals: 3,
    targetEntity: { id: "seen", type: "events" },
    returningEntity: { id: "seen", type: "events" },
  },
};

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/endpoints/`;
  const body = JSON.stringify({ api_key: tenant.projectToken, batch: EVENTS });
  expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  const all = await saved(sqlQuery("SELECT count() FROM events"));
  await eventually(async () => expect(resultsOf(await api.post(all, { refresh: "force" }))).toEqual([[EVENTS.length]]));
});

let made = 0;

/** The address at which the query runs, saved under a name of its own. */
const saved = async (query: object, more: object = {}): Promise<string> => {
  made += 1;
  const answer = await api.post(path, { name: `insight-${made}`, query, ...more });
  expect(answer).toMatchObject({ status: 201 });
  return `${path}insight-${made}/run/`;
};

const resultsOf = ({ body }: Answer): readonly Record<string, unknown>[] => Object(body).results;

/** What most tests look at: the data by breakdown value, in order. */
const dataOf = async (run: string, body: object = {}): Promise<unknown> => {
  const answer = await api.post(run, body);
  expect(answer).toMatchObject({ status: 200 });
  return resultsOf(answer).map(({ breakdown_value, data }) => [breakdown_value, data]);
};

const problem = (attr: string | null) => ({ status: 400, body: { type: "validation_error", code: "invalid_input", attr } });

describe("a saved insight", () => {
  it("is sent back with every known key, and has no columns", async () => {
    const answer = await api.post(path, { name: "whole", query: byBrowser, optional_breakdown_properties: ["$browser"] });
    expect(answer).toMatchObject({
      status: 201,
      body: { columns: [], query: { ...byBrowser, interval: null, compareFilter: null }, optional_breakdown_properties: ["$browser"] },
    });
    expect(await api.get(`${path}whole/`)).toMatchObject({ status: 200, body: { query: Object(answer.body).query } });
  });

  it("has a new version when it differs, and none when only absent keys are written out; optional breakdowns that are left stay", async () => {
    await api.post(path, { name: "renewed", query: byBrowser, optional_breakdown_properties: ["$browser"] });
    const same = await api.patch(`${path}renewed/`, { query: { ...byBrowser, interval: null, properties: null } });
    expect(same).toMatchObject({ status: 200, body: { current_version: 1 } });
    const hourly = await api.patch(`${path}renewed/`, { query: { ...byBrowser, interval: "hour" } });
    expect(hourly).toMatchObject({ body: { current_version: 2, optional_breakdown_properties: ["$browser"] } });
    const sql = await api.patch(`${path}renewed/`, { query: sqlQuery("SELECT 1 AS one") });
    expect(sql).toMatchObject({ body: { current_version: 3, optional_breakdown_properties: [], columns: [{ name: "one" }] } });
    expect(await api.post(`${path}renewed/run/`, { version: 1 })).toMatchObject({ status: 200, body: { endpoint_version: 1 } });
  });

  it("400: an optional breakdown must be one of the query that is sent", async () => {
    await api.post(path, { name: "optional", query: byBrowser });
    const body = { query: plain, optional_breakdown_properties: ["$browser"] };
    expect(await api.patch(`${path}optional/`, body)).toMatchObject(problem("optional_breakdown_properties"));
    expect(await api.patch(`${path}optional/`, { optional_breakdown_properties: ["$browser"] })).toMatchObject({
      status: 200,
      body: { optional_breakdown_properties: ["$browser"] },
    });
  });
});

describe("the run of an insight", () => {
  it("200: answers its rows first, and none of the keys that only SQL has", async () => {
    const answer = await api.post(await saved(plain), {});
    expect(Object.keys(Object(answer.body))[0]).toBe("results");
    expect(answer).toMatchObject({
      status: 200,
      body: {
        results: [
          {
            data: [4, 4, 3],
            days: ["2026-01-01", "2026-01-02", "2026-01-03"],
            labels: ["1-Jan-2026", "2-Jan-2026", "3-Jan-2026"],
            count: 11,
            label: "seen",
            order: 0,
          },
        ],
        hasMore: false,
        endpoint_version: 1,
        is_cached: false,
      },
    });
    for (const key of ["columns", "types", "limit", "offset", "query"]) expect(answer.body).not.toHaveProperty(key);
  });

  const datesOf = async (query: object, body: object = {}): Promise<unknown> =>
    Object((await api.post(await saved(query), { ...body, debug: true })).body).resolved_date_range;

  it("200: says for debugging which moments it looked at", async () => {
    const days = { date_from: "2026-01-01T00:00:00Z", date_to: "2026-01-03T23:59:59.999999Z" };
    expect(await datesOf(plain)).toEqual(days);
    expect(await datesOf(returning)).toEqual(days);
    const later = { variables: { date_from: "2026-01-02", date_to: "2026-01-02" } };
    expect(await datesOf(plain, later)).toEqual({ date_from: "2026-01-02T00:00:00Z", date_to: "2026-01-02T23:59:59.999999Z" });
    const exact = { date_from: "2026-01-01T08:30:00Z", date_to: "2026-01-02T09:00:00Z", explicitDate: true };
    expect(await datesOf({ ...plain, dateRange: exact })).toEqual({ date_from: exact.date_from, date_to: exact.date_to });
    expect(await datesOf({ ...plain, dateRange: { date_from: "all", date_to: "2026-01-03" } })).toEqual({ ...days, date_from: null });
    expect(await datesOf(sqlQuery("SELECT 1"))).toBeNull();
  });

  it("200: counts back as many periods as a retention has where it names no start", async () =>
    expect(await datesOf({ ...returning, dateRange: { date_to: "2026-01-03" } })).toEqual({
      date_from: "2026-01-01T00:00:00Z",
      date_to: "2026-01-03T23:59:59.999999Z",
    }));

  it("200: shows a missing value as null and in labels as text", async () => {
    const expected = [
      ["Chrome", [2, 1, 2]],
      ["Firefox", [2, 2, 1]],
      [null, [0, 1, 0]],
    ];
    expect(await dataOf(await saved(legacy))).toEqual(expected);
    const answer = await api.post(await saved(byBrowser), {});
    expect(resultsOf(answer).map(({ breakdown_value, data }) => [breakdown_value, data])).toEqual(
      expected.map(([value, data]) => [[value], data]),
    );
    expect(resultsOf(answer).map(({ label }) => label)).toEqual(["Chrome", "Firefox", "null"]);
    expect(JSON.stringify(answer.body)).not.toContain("$$");
  });

  it("200: answers a retention", async () => {
    const answer = await api.post(await saved(returning), {});
    const people = resultsOf(answer).map(({ label, values }) => [label, Array.isArray(values) && values.map(({ count }) => count)]);
    expect(people).toEqual([
      ["Day 0", [1, 0, 0]],
      ["Day 1", [1, 0, 0]],
      ["Day 2", [1, 0, 0]],
    ]);
  });

  it("200: is kept, and computed when forced", async () => {
    const run = await saved(plain);
    expect(await api.post(run, {})).toMatchObject({ body: { is_cached: false } });
    expect(await api.get(run)).toMatchObject({ body: { is_cached: true, results: [{ count: 11 }] } });
    expect(await api.post(run, { variables: { date_from: "2026-01-02" } })).toMatchObject({ body: { is_cached: false } });
    expect(await api.post(run, { refresh: "force" })).toMatchObject({ body: { is_cached: false } });
  });

  it("400: refuses a result that no reply holds, and goes on", async () => {
    const years = { date_from: "2020-01-01", date_to: "2025-01-01" };
    const run = await saved({ ...plain, series: Array(6).fill(series[0]), interval: "hour", dateRange: years });
    const answer = await api.post(run, {});
    expect(answer).toMatchObject({ status: 400, body: { type: "server_error", code: "query_too_large", attr: null } });
    expect(Object(answer.body).detail).toMatch(/Shorten its dates/);
    expect(await api.post(run, { variables: { date_from: "2024-12-31" } })).toMatchObject({ status: 200 });
  });

  it("400: takes no offset, no limit and nothing that goes past a table, in this order", async () => {
    const run = await saved(plain);
    const wrong = { limit: 1, offset: 0, refresh: "direct", variables: { nothing: 1 } };
    expect(await api.post(run, { ...wrong, limit: undefined })).toMatchObject({ body: { error: "offset requires limit to be set" } });
    expect(await api.post(run, { ...wrong, version: 9 })).toMatchObject({ status: 404, body: { current_version: 1 } });
    expect(await api.post(run, wrong)).toMatchObject(problem("offset"));
    expect(await api.post(run, { ...wrong, offset: undefined })).toMatchObject(problem("refresh"));
    expect(await api.post(run, { ...wrong, offset: undefined, refresh: undefined })).toMatchObject(problem("variables"));
    expect(await api.post(run, { limit: 1 })).toMatchObject(problem("limit"));
    expect(await api.post(`${run}?limit=1`)).toMatchObject(problem("limit"));
  });
});

describe("the variables of an insight", () => {
  it("200: dates take the place of its own, one alone too", async () => {
    const run = await saved(plain);
    expect(await dataOf(run, { variables: { date_from: "2026-01-02" } })).toEqual([[undefined, [4, 3]]]);
    expect(await dataOf(run, { variables: { date_to: "2026-01-02" } })).toEqual([[undefined, [4, 4]]]);
    expect(await dataOf(run, { variables: { date_from: "2025-12-31", date_to: "2026-01-01" } })).toEqual([[undefined, [0, 4]]]);
  });

  it.each([
    ["of the legacy form", legacy, "$browser", "Firefox", "Firefox"],
    ["of breakdowns", byBrowser, "$browser", "Firefox", ["Firefox"]],
    ["of an expression", byExpression, UPPER, "FIREFOX", "FIREFOX"],
  ])("200: the value of a breakdown %s narrows its rows", async (_, query, name, value, shown) => {
    expect(await dataOf(await saved(query), { variables: { [name]: value } })).toEqual([[shown, [2, 2, 1]]]);
  });

  it("200: an empty text is an event without the property; several values must all hold", async () => {
    expect(await dataOf(await saved(legacy), { variables: { $browser: "" } })).toEqual([[null, [0, 1, 0]]]);
    const both = { ...plain, breakdownFilter: { breakdowns: [{ property: "$browser" }, { property: "path" }] } };
    const run = await saved(both);
    expect(await dataOf(run, { variables: { $browser: "Chrome", path: "/0" } })).toEqual([
      [
        ["Chrome", "/0"],
        [2, 1, 2],
      ],
    ]);
    expect(await dataOf(run, { variables: { $browser: "Chrome", path: "/1" } })).toEqual([]);
  });

  it("200: narrow a retention too", async () => {
    const run = await saved({ ...returning, breakdownFilter: byBrowser.breakdownFilter });
    const answer = await api.post(run, { variables: { $browser: "Chrome", date_from: "2026-01-02" } });
    expect(resultsOf(answer).map(({ date, breakdown_value }) => [String(date).slice(0, 10), breakdown_value])).toEqual([
      ["2026-01-02", "Chrome"],
      ["2026-01-03", "Chrome"],
    ]);
  });

  it.each([
    ["unknown names, sorted", { zebra: 1, apple: 2 }, /'apple', 'zebra'/],
    ["a date that is no text", { date_from: 5 }, /date_from/],
    ["a date that is none", { date_to: "someday" }, /date_to/],
    ["an empty date", { date_from: "" }, /date_from/],
    ["a date that is null", { date_from: null }, /date_from/],
    ["dates without a moment between them", { date_from: "2026-02-01" }, /2026-02-01/],
    ["a value that is null", { $browser: null }, /\$browser/],
    ["a value that is a list", { $browser: ["Chrome"] }, /\$browser/],
    ["a value that is an object", { $browser: {} }, /\$browser/],
  ])("400: refuses %s by the variables' name", async (_, variables, detail) => {
    const answer = await api.post(await saved(byBrowser), { variables });
    expect(answer).toMatchObject(problem("variables"));
    expect(Object(answer.body).detail).toMatch(detail);
  });

  it("400: refuses a cohort that does not exist, and keeps everybody", async () => {
    const run = await saved({ ...plain, breakdownFilter: { breakdown: "all", breakdown_type: "cohort" } });
    expect(await api.post(run, { variables: { all: "2" } })).toMatchObject(problem("variables"));
    expect(resultsOf(await api.post(run, { variables: { all: "all" } }))).toMatchObject([{ count: EVENTS.length, breakdown_value: "all" }]);
  });
});

describe("filters_override", () => {
  it("200: narrows an insight, wins over its variables, and says that it is deprecated", async () => {
    const run = await saved(byBrowser);
    const override = {
      date_from: "2026-01-02",
      date_to: "2026-01-03",
      properties: [{ key: "path", value: ["/0"], operator: "exact", type: "event" }],
    };
    const answer = await api.post(run, { filters_override: override, variables: { $browser: "Firefox", date_from: "never" } });
    expect(answer).toMatchObject({ status: 200, body: { results: [{ data: [1, 2] }, { data: [1, 0] }] } });
    expect(answer.headers.get("x-posthog-warn")).toMatch(/filters_override is deprecated.*breakdown optional/);
    expect((await api.post(run, {})).headers.get("x-posthog-warn")).toBeNull();
  });

  it("200: replaces breakdown and interval, and may bring an expression of its own", async () => {
    const override = {
      date_from: "2026-01-01T10:00:00Z",
      date_to: "2026-01-01T10:00:00Z",
      interval: "hour",
      breakdown_filter: { breakdown: "path" },
      properties: [{ key: "properties.path = '/1'", type: "hogql" }],
    };
    expect(await dataOf(await saved(byBrowser), { filters_override: override })).toEqual([["/1", [2]]]);
  });

  it("400: names the field that does not fit, and what cannot be built", async () => {
    const run = await saved(plain);
    expect(await api.post(run, { filters_override: { colour: "red" } })).toMatchObject(problem("filters_override.colour"));
    expect(await api.post(run, { filters_override: { date_from: 5 } })).toMatchObject(problem("filters_override.date_from"));
    const properties = [{ key: "properties.(", type: "hogql" }];
    expect(await api.post(run, { filters_override: { properties } })).toMatchObject(problem("filters_override"));
    expect(await api.post(run, { filters_override: { date_from: "someday" } })).toMatchObject(problem("filters_override"));
    expect(await api.post(run, { filters_override: {}, variables: { nothing: 1 } })).toMatchObject(problem("variables"));
  });

  it("400: is refused on SQL, before its variables are looked at", async () => {
    const run = await saved(sqlQuery("SELECT 1"));
    const body = { filters_override: {}, refresh: "direct", variables: { nothing: 1 } };
    expect(await api.post(run, body)).toMatchObject(problem("filters_override"));
  });
});

describe("a column called breakdown_value", () => {
  it("200: is cleaned of what stands for a missing value, and no other column is", async () => {
    const mark = "'$$_posthog_breakdown_null_$$'";
    const run = await saved(sqlQuery(`SELECT ${mark} AS breakdown_value, ${mark} AS other UNION ALL SELECT '', ''`));
    expect(await api.post(run, {})).toMatchObject({
      body: {
        results: [
          [null, "$$_posthog_breakdown_null_$$"],
          ["", ""],
        ],
      },
    });
  });
});
