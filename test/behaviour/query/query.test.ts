import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let place = "";
let path = "";

const HOUR_MS = 3_600_000;

/** Three views and a purchase of two people within the last hours, and an event that came 40 days ago. */
const events = (now: number) =>
  ["viewed", "viewed", "viewed", "Bought", "forgotten"].map((event, index) => ({
    event,
    distinct_id: `person-${index % 2}`,
    timestamp: new Date(now - (event === "forgotten" ? 960 : index + 1) * HOUR_MS).toISOString(),
    uuid: `0198a5b2-4b7e-7c3e-9d51-${String(index).padStart(12, "0")}`,
    properties: { price: index, shop: "north", $session_id: event === "forgotten" ? "then" : "today", $set: { plan: "free" } },
  }));

const sql = (query: string) => ({ kind: "HogQLQuery", query });

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  place = `/api/projects/${tenant.projectId}`;
  path = `${place}/query/`;
  const body = JSON.stringify({ api_key: tenant.projectToken, batch: events(Date.now()) });
  expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  await eventually(async () =>
    expect(await api.post(path, { query: sql("SELECT count() FROM events") })).toMatchObject({ body: { results: [[5]] } }),
  );
});

describe("POST query/", () => {
  describe("200", () => {
    it("answers SQL with its rows, columns and types, computed now", async () => {
      const query = "SELECT event, count() AS times FROM events GROUP BY event HAVING event != 'forgotten' ORDER BY times DESC";
      const { status, body } = await api.post(path, { query: sql(query), client_query_id: "mine", refresh: "blocking", name: "times" });
      expect(status).toBe(200);
      expect(body).toEqual({
        results: [
          ["viewed", 3],
          ["Bought", 1],
        ],
        columns: ["event", "times"],
        types: [
          ["event", expect.any(String)],
          ["times", expect.any(String)],
        ],
        hasMore: false,
        query,
        error: null,
        clickhouse: null,
        metadata: null,
        is_cached: false,
        last_refresh: expect.any(String),
        next_allowed_client_refresh: expect.any(String),
        cache_target_age: expect.any(String),
        timezone: "UTC",
        query_status: null,
        client_query_id: "mine",
      });
    });

    it("holds {filters} of sessions to when they start, and to their columns", async () => {
      const query = "SELECT session_id FROM sessions WHERE {filters}";
      const sessions = async (filters: object) => {
        const { status, body } = await api.post(path, { query: { ...sql(query), filters } });
        return { status, results: Object(body).results };
      };
      expect(await sessions({ dateRange: { date_from: "-7d" } })).toEqual({ status: 200, results: [["today"]] });
      const short = { type: "session", key: "$session_duration", operator: "lt", value: 3_600 };
      expect(await sessions({ properties: [short] })).toEqual({ status: 200, results: [["then"]] });
      expect(await sessions({ properties: [{ key: "shop", value: "north" }] })).toMatchObject({ status: 400 });
    });

    it("gives the dates of the filters in the project's time zone", async () => {
      const abroad = await aTenant(platform().world, { timezone: "America/New_York" });
      const query = "SELECT {filters.dateRange.from}, toDate({filters.dateRange.to}), toHour({filters.dateRange.to})";
      const filters = { dateRange: { date_from: "2026-10-01", date_to: "2026-10-05" } };
      expect(
        await apiClient(platform().baseUrl, abroad.personalKey).post(`/api/projects/${abroad.projectId}/query/`, {
          query: { ...sql(query), filters },
        }),
      ).toMatchObject({ status: 200, body: { results: [["2026-10-01T00:00:00-04:00", "2026-10-05", 23]] } });
    });

    it("takes values for variables and a page", async () => {
      const variableId = "0190d0aa-0000-7000-8000-000000000001";
      const variables = { [variableId]: { variableId, code_name: "name", value: "Bought" } };
      const query = { ...sql("SELECT properties.price FROM events WHERE event = {variables.name} ORDER BY 1"), variables };
      expect(await api.post(path, { query })).toMatchObject({ status: 200, body: { results: [[3]] } });
      expect(await api.post(path, { query, variables: { name: "viewed" }, limit: 1, offset: 1 })).toMatchObject({
        status: 200,
        body: { results: [[1]], hasMore: true, limit: 1, offset: 1 },
      });
    });

    it("answers a trend and a retention with their own rows", async () => {
      const trend = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "viewed" }], dateRange: { date_from: "-7d" } };
      const { status, body } = await api.post(path, { query: trend, variables: { date_from: "-2d" } });
      expect({ status, count: Object(body).results[0].count, days: Object(body).results[0].days.length }).toEqual({
        status: 200,
        count: 3,
        days: 3,
      });
      expect(body).not.toHaveProperty("columns");
      const filters_override = { properties: [{ key: "price", type: "event", operator: "gt", value: 0 }] };
      expect(Object((await api.post(path, { query: trend, filters_override })).body).results[0].count).toBe(2);
      const entity = { id: "viewed", type: "events" };
      const retentionFilter = { period: "Day", totalIntervals: 3, targetEntity: entity, returningEntity: entity };
      expect(await api.post(path, { query: { kind: "RetentionQuery", retentionFilter } })).toMatchObject({
        status: 200,
        body: { results: expect.arrayContaining([expect.objectContaining({ values: expect.any(Array) })]) },
      });
    });

    it("says that there are more rows than the 100 of a query without a limit", async () => {
      const numbers = (count: number, rest = "") => ({ query: sql(`SELECT number FROM numbers(${count})${rest}`) });
      const hasMore = async (body: object) => {
        const { results, hasMore: more } = Object((await api.post(path, body)).body);
        return { rows: results.length, more };
      };
      expect(await hasMore(numbers(101))).toEqual({ rows: 100, more: true });
      expect(await hasMore(numbers(100))).toEqual({ rows: 100, more: false });
      expect(await hasMore(numbers(200, " LIMIT 150"))).toEqual({ rows: 150, more: false });
      expect(await hasMore({ query: sql("SELECT number FROM numbers(60) UNION ALL SELECT number FROM numbers(60)") })).toEqual({
        rows: 100,
        more: true,
      });
    });

    it("saves nothing", async () => {
      await api.post(path, { query: sql("SELECT 1") });
      expect(await api.get(`${place}/endpoints/`)).toMatchObject({ body: { count: 0 } });
    });
  });

  describe("400", () => {
    it("says where the text of a query is wrong, as saving it would", async () => {
      const query = sql("SELECT evnt FROM events");
      const refused = await api.post(path, { query });
      expect(refused).toMatchObject({
        status: 400,
        body: { type: "validation_error", code: "invalid_input", attr: "query", detail: expect.stringContaining("(line 1, column 8)\n") },
      });
      expect((await api.post(`${place}/endpoints/`, { name: "same", query })).body).toEqual(refused.body);
    });

    it.each<[string, object, object]>([
      ["no query", {}, { attr: "query" }],
      ["an unknown kind", { query: { kind: "FunnelsQuery" } }, { attr: "query.kind" }],
      ["an unknown field", { query: sql("SELECT 1"), sql: 1 }, { type: "validation_error" }],
      ["a variable that the query has not", { query: sql("SELECT 1"), variables: { a: 1 } }, { attr: "variables" }],
      ["variables that are too long", { query: sql("SELECT 1"), variables: { a: "a".repeat(500_000) } }, { attr: "variables" }],
      ["filters over SQL", { query: sql("SELECT 1"), filters_override: {} }, { attr: "filters_override" }],
    ])("refuses %s by the field", async (_, body, fault) => {
      expect(await api.post(path, body)).toMatchObject({ status: 400, body: fault });
    });

    it.each<[string, object, string]>([
      ["no row", { limit: 0 }, "Invalid limit parameter: 0"],
      ["rows before the first", { limit: 1, offset: -1 }, "Invalid offset parameter: -1"],
      ["an offset alone", { offset: 1 }, "offset requires limit to be set"],
    ])("refuses %s as a run does", async (_, page, error) => {
      expect(await api.post(path, { query: sql("SELECT 1"), ...page })).toMatchObject({ status: 400, body: { error } });
    });

    it("says what went wrong while the query ran", async () => {
      const query = sql("SELECT toInt(event) + intDiv(1, 0) FROM events");
      expect(await api.post(path, { query })).toMatchObject({ status: 400, body: { type: "validation_error" } });
    });

    it.each([
      ["SELECT intDiv(1, number) FROM numbers(2)", "illegal_division", "intDivOrZero"],
      ["SELECT (SELECT number FROM numbers(2))", "incorrect_result_of_scalar_subquery", "LIMIT 1"],
      ["SELECT isIPAddressInRange('here', '10.0.0.0/8')", "cannot_parse_text", "such as 10.0.0.1"],
      ["SELECT mapFromArrays([1, 2], [3])", "invalid_input", "two arrays of one length"],
    ])("%s has the engine's name for what went wrong, and a way out", async (text, code, detail) => {
      expect(await api.post(path, { query: sql(text) })).toMatchObject({
        status: 400,
        body: { type: "validation_error", code, attr: null, detail: expect.stringContaining(detail) },
      });
    });
  });
});

it.each(["SELECT count() FROM (SELECT arrayJoin(range(10000000)))", "SELECT repeat('a', 200000)", "SELECT leftPad('a', 200000)"])(
  "%s says that it makes too much, and of what",
  async (text) => {
    const { status, body } = await api.post(path, { query: sql(text) });
    expect({ status, body }).toMatchObject({ status: 400, body: { type: "validation_error", code: "invalid_input", attr: null } });
    expect(body).toMatchObject({ detail: expect.stringContaining("100,000 bytes") });
  },
);

describe("GET query/schema/", () => {
  it("200: names tables with columns and functions, each of which a query may use", async () => {
    const { status, body } = await api.get(`${path}schema/`);
    expect(status).toBe(200);
    const { tables, functions } = Object(body);
    expect(tables).toContainEqual({ name: "person_distinct_ids", columns: ["distinct_id", "person_id"] });
    expect(functions).toContainEqual({ name: "countDistinct", family: "Aggregates" });
    expect(functions.map(({ name }: { readonly name: string }) => name)).not.toContain("matchesAction");
    for (const { name, columns } of tables) {
      const query = sql(`SELECT ${columns.join(", ")} FROM ${name} LIMIT 1`);
      if (name !== "events") expect(await api.post(path, { query }), name).toMatchObject({ status: 200, body: { columns } });
    }
  });
});

describe("GET event_definitions/", () => {
  it("200: lists the events of the last 30 days by name, with their number and latest time, in pages", async () => {
    const { status, body } = await api.get(`${place}/event_definitions/?limit=1`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        count: 2,
        next: expect.stringContaining("offset=1"),
        previous: null,
        results: [{ name: "Bought", volume_30_day: 1, last_seen_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) }],
      },
    });
  });

  it("200: finds names that hold a text", async () => {
    expect(await api.get(`${place}/event_definitions/?search=VIEW`)).toMatchObject({
      body: { count: 1, results: [{ name: "viewed", volume_30_day: 3 }] },
    });
  });
});

describe("GET property_definitions/", () => {
  const names = async (query: string): Promise<readonly unknown[]> =>
    Object((await api.get(`${place}/property_definitions/?${query}`)).body).results.map(({ name }: { readonly name: string }) => name);

  it("200: lists the properties of events with their types", async () => {
    expect(await api.get(`${place}/property_definitions/?search=price`)).toMatchObject({
      status: 200,
      body: {
        count: 1,
        results: [{ name: "price", type: "event", group_type_index: null, property_type: "Numeric", is_numerical: true }],
      },
    });
    expect(await names("")).toEqual(expect.arrayContaining(["price", "shop"]));
  });

  it("200: lists those of persons and groups apart", async () => {
    expect(await names("type=person")).toEqual(["plan"]);
    expect(await names("type=group&group_type_index=1")).toEqual([]);
  });

  it("400: knows no other owner", async () => {
    expect(await api.get(`${place}/property_definitions/?type=session`)).toMatchObject({ status: 400, body: { attr: "type" } });
  });
});

describe("GET property_definitions/values/", () => {
  const values = async (query: string): Promise<unknown> => {
    const { status, body } = await api.get(`${place}/property_definitions/values/?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const of = (...results: readonly (readonly [string, number])[]) => ({
    results: results.map(([name, count]) => ({ name, count })),
    refreshing: false,
  });

  it("200: lists the values of events of the last 30 days, the most frequent first", async () => {
    expect(await values("key=shop")).toEqual(of(["north", 4]));
    expect(await values("key=price")).toEqual(of(["0", 1], ["1", 1], ["2", 1], ["3", 1]));
    expect(await values("key=nothing")).toEqual(of());
  });

  it("200: finds those that hold a text, and those of one event", async () => {
    expect(await values("key=shop&value=ORT")).toEqual(of(["north", 4]));
    expect(await values("key=shop&value=%25")).toEqual(of());
    expect(await values("key=price&event=Bought")).toEqual(of(["3", 1]));
  });

  it("200: lists those of persons and groups", async () => {
    expect(await values("key=plan&type=person")).toEqual(of(["free", 2]));
    expect(await values("key=plan&type=group&group_type_index=0")).toEqual(of());
  });

  it.each([
    ["no property", "", "key"],
    ["an unknown owner", "key=a&type=session", "type"],
    ["persons of an event", "key=a&type=person&event=b", "event"],
  ])("400: refuses %s by the parameter", async (_, query, attr) => {
    expect(await api.get(`${place}/property_definitions/values/?${query}`)).toMatchObject({ status: 400, body: { attr } });
  });
});

describe.each([
  ["POST", "query/", "query:read", { query: sql("SELECT 1") }],
  ["GET", "query/schema/", "query:read", undefined],
  ["GET", "event_definitions/", "event_definition:read", undefined],
  ["GET", "property_definitions/", "property_definition:read", undefined],
  ["GET", "property_definitions/values/?key=a", "property_definition:read", undefined],
  ["GET", "live_events/", "query:read", undefined],
] as const)("%s %s", (method, operation, scope, body) => {
  const call = (key: string, project = tenant.projectId) => {
    const client = apiClient(platform().baseUrl, key);
    const at = `/api/projects/${project}/${operation}`;
    return method === "POST" ? client.post(at, body) : client.get(at);
  };

  it("401 without a key that is known", async () => {
    expect((await call("phx_nobody")).status).toBe(401);
  });

  it("403 without the scope, and 200 with it alone", async () => {
    const [without, alone] = [
      await aTenant(platform().world, { scopes: ["endpoint:read"] }),
      await aTenant(platform().world, { scopes: [scope] }),
    ];
    expect(await call(without.personalKey, without.projectId)).toMatchObject({
      status: 403,
      body: { code: "permission_denied", detail: expect.stringContaining(scope) },
    });
    expect((await call(alone.personalKey, alone.projectId)).status).toBe(200);
  });

  it("403 in the project of others, 404 in none", async () => {
    const other = await aTenant(platform().world);
    expect((await call(other.personalKey)).status).toBe(403);
    expect((await call(tenant.personalKey, 987_654_321)).status).toBe(404);
  });

  it("405 for other methods", async () => {
    expect((await api.remove(`${place}/${operation}`)).status).toBe(405);
  });
});
