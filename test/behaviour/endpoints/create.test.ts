import { beforeAll, describe, expect, it } from "vitest";
import { groups } from "../../../functions/index.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let path = "";

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/endpoints/`;
});

const problem = (attr: string | null, code = "invalid_input") => ({ type: "validation_error", code, attr });
const unreadable = { type: "invalid_request", code: "parse_error", attr: null, detail: expect.stringMatching(/^JSON parse error - /) };

/** Operations that lie where an endpoint of their name would: it could neither be shown nor changed nor removed. */
const OTHER_OPERATIONS = groups
  .flatMap(({ routes }) => routes)
  .flatMap(({ path: address }) => /^\/api\/projects\/\{project_id\}\/endpoints\/([a-z_]+)\/$/.exec(address)?.[1] ?? [])
  .filter((name, index, all) => all.indexOf(name) === index);

const trendOf = (series: object, more: object = {}) => ({
  kind: "TrendsQuery",
  series: [{ kind: "EventsNode", event: "$pageview", ...series }],
  ...more,
});
const trend = (more: object) => trendOf({}, more);

describe("POST /endpoints/", () => {
  describe("201", () => {
    it("answers the whole endpoint, with every known key of the query and the columns it returns", async () => {
      const answer = await api.post(path, {
        name: "daily",
        description: "Per day",
        query: sqlQuery("SELECT toDate(timestamp) AS day, count() AS n FROM events WHERE event = {variables.e} GROUP BY day", {
          e: "$pageview",
        }),
        tags: [" KPI ", "billing", "kpi"],
      });
      expect(answer).toMatchObject({
        status: 201,
        body: {
          name: "daily",
          description: "Per day",
          query: {
            kind: "HogQLQuery",
            explain: null,
            filters: null,
            modifiers: null,
            name: null,
            response: null,
            tags: null,
            values: null,
            version: null,
          },
          is_active: true,
          data_freshness_seconds: 86_400,
          engine: "auto",
          endpoint_path: `/api/projects/${tenant.projectId}/endpoints/daily/run`,
          url: `${platform().baseUrl}/api/projects/${tenant.projectId}/endpoints/daily/run`,
          is_materialized: false,
          current_version: 1,
          versions_count: 1,
          derived_from_insight: null,
          last_executed_at: null,
          bucket_overrides: null,
          columns: [
            { name: "day", type: "date" },
            { name: "n", type: "integer" },
          ],
          tags: ["billing", "kpi"],
          optional_breakdown_properties: [],
          created_by: { id: tenant.userId },
          materialization: { name: "daily", enabled: false, ready: false },
        },
      });
      expect(answer.body).toMatchObject({ created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) });
    });

    it("drops variables that the text does not use, and has none where it uses none", async () => {
      const { body } = await api.post(path, { name: "plain", query: sqlQuery("SELECT count() FROM events", { unused: 1 }) });
      expect(body).toMatchObject({ query: { variables: null } });
    });

    it("drops one that the text does not use also where its key is no UUID", async () => {
      const crooked = { zz: { variableId: "zz", code_name: "unused", value: 1 } };
      const none = await api.post(path, { name: "none-used", query: { ...sqlQuery("SELECT 1"), variables: crooked } });
      expect(none).toMatchObject({ status: 201, body: { query: { variables: null } } });
      const { variables, ...query } = sqlQuery("SELECT {variables.n}", { n: 1 });
      const one = await api.post(path, { name: "one-used", query: { ...query, variables: { ...crooked, ...variables } } });
      expect(one.status).toBe(201);
      expect(Object(one.body).query.variables).toMatchObject(variables);
      expect(Object.keys(Object(one.body).query.variables)).toEqual(Object.keys(variables));
    });

    it("keeps the variables of a part that nothing reads", async () => {
      const text = "WITH unread AS (SELECT event FROM events WHERE event = {variables.x}) SELECT 1 AS one";
      const { body } = await api.post(path, { name: "unread", query: sqlQuery(text, { x: "a" }) });
      expect(Object.values(Object(body).query.variables)).toMatchObject([{ code_name: "x", value: "a" }]);
      expect(await api.post(`${path}unread/run/`, { variables: { x: "b" } })).toMatchObject({ status: 200, body: { results: [[1]] } });
    });

    it("keeps a breakdown by cohorts as it was sent, which a run refuses with what to break down by instead", async () => {
      for (const breakdownFilter of [{ breakdown_type: "cohort", breakdown: [1, 2] }, { breakdowns: [{ property: 1, type: "cohort" }] }]) {
        expect(await api.post(path, { name: "cohorts", query: trend({ breakdownFilter }) })).toMatchObject({
          status: 201,
          body: { query: { breakdownFilter }, materialization: { reason: expect.stringContaining("Cohort breakdowns are not supported") } },
        });
        expect(await api.post(`${path}cohorts/run/`, {})).toMatchObject({
          status: 400,
          body: { type: "validation_error", attr: null, detail: expect.stringContaining("property of persons") },
        });
        expect((await api.remove(`${path}cohorts/`)).status).toBe(204);
      }
    });

    it("takes the same path under environments and without the final slash", async () => {
      const created = await api.post(`/api/environments/${tenant.projectId}/endpoints`, {
        name: "other-place",
        query: sqlQuery("SELECT 1"),
      });
      expect(created.status).toBe(201);
      expect((await api.get(`${path}other-place`)).status).toBe(200);
    });

    it("takes null for every field that may be left out", async () => {
      const nothing = {
        description: null,
        is_active: null,
        data_freshness_seconds: null,
        engine: null,
        derived_from_insight: null,
        version: null,
        deleted: null,
      };
      const more = { is_materialized: null, bucket_overrides: null, tags: null, optional_breakdown_properties: null };
      const answer = await api.post(path, { name: "nulls", query: sqlQuery("SELECT 1"), ...nothing, ...more });
      const standard = { description: "", is_active: true, data_freshness_seconds: 86_400, engine: "auto", tags: [] };
      expect(answer).toMatchObject({ status: 201, body: standard });
    });
  });

  describe("400", () => {
    const query = sqlQuery("SELECT 1");
    const broken = { ...problem("query"), detail: expect.stringContaining("cannot be compiled") };
    it.each(OTHER_OPERATIONS)("refuses a name at whose address another operation lies: %s", async (name) => {
      expect(await api.post(path, { name, query })).toMatchObject({ status: 400, body: problem("name") });
    });

    it.each([
      ["a missing query", { name: "a" }, problem("query")],
      ["a missing name", { query }, problem("name")],
      ["a name that begins with a digit", { name: "1a", query }, problem("name")],
      ["a name of 129 characters", { name: `a${"b".repeat(128)}`, query }, problem("name")],
      ["a name with a slash", { name: "a/b", query }, problem("name")],
      ["text that is no query", { name: "a", query: sqlQuery("SELEC 1") }, problem("query")],
      ["an unknown field", { name: "a", query: sqlQuery("SELECT nothing_such FROM events") }, problem("query")],
      ["an unknown table", { name: "a", query: sqlQuery("SELECT 1 FROM nothing_such") }, problem("query")],
      ["an unknown function", { name: "a", query: sqlQuery("SELECT nothingSuch(1)") }, problem("query")],
      ["a pattern that does not compile", { name: "a", query: sqlQuery("SELECT match('a', '(')") }, broken],
      ["an operator's pattern that does not compile", { name: "a", query: sqlQuery("SELECT event =~ '(' FROM events") }, broken],
      [
        "a filter's pattern that does not compile",
        { name: "a", query: trend({ properties: [{ type: "event", key: "version", operator: "regex", value: "(" }] }) },
        broken,
      ],
      ["a variable without a definition", { name: "a", query: sqlQuery("SELECT {variables.x}") }, problem("query")],
      [
        "a placeholder that names no variable",
        { name: "a", query: sqlQuery("SELECT {variables}", { x: 1 }) },
        { ...problem("query"), detail: expect.stringContaining("names no variable") },
      ],
      [
        "a variable whose key is no UUID",
        { name: "a", query: { ...sqlQuery("SELECT {variables.x}"), variables: { y: { variableId: "y", code_name: "x", value: 1 } } } },
        { ...problem("query"), detail: 'The key of a variable must be a UUID, and "y" is none.' },
      ],
      ["a freshness that is not offered", { name: "a", query, data_freshness_seconds: 60 }, problem("data_freshness_seconds")],
      ["an engine that there is not", { name: "a", query, engine: "spark" }, problem("engine")],
      [
        "breakdowns of a query that has none",
        { name: "a", query, optional_breakdown_properties: ["$os"] },
        problem("optional_breakdown_properties"),
      ],
      [
        "an insight's id of 13 characters",
        { name: "a", query, derived_from_insight: "x".repeat(13) },
        problem("derived_from_insight", "max_length"),
      ],
      ["a description of a megabyte", { name: "a", query, description: "x".repeat(1_000_000) }, problem("description", "max_length")],
      ["a tag of a megabyte", { name: "a", query, tags: ["x".repeat(1_000_000)] }, problem("tags", "max_length")],
      [
        "overrides of a megabyte",
        { name: "a", query, bucket_overrides: { ["x".repeat(1_000_000)]: "day" } },
        problem("bucket_overrides", "max_length"),
      ],
      ["a query with a megabyte beside its text", { name: "a", query: { ...query, tags: { x: "x".repeat(1_000_000) } } }, problem("query")],
      ["an unknown bucket", { name: "a", query, bucket_overrides: { timestamp: "decade" } }, problem(null)],
      ["an unknown key", { name: "a", query, colour: "red" }, unreadable],
      ["an unknown key of the query", { name: "a", query: { ...query, colour: "red" } }, unreadable],
      ["a kind of query that does not exist", { name: "a", query: { kind: "NothingQuery" } }, unreadable],
      ["an insight without series", { name: "a", query: { kind: "TrendsQuery", series: [] } }, unreadable],
      ["an unknown key deep in an insight", { name: "a", query: trend({ trendsFilter: { colour: "red" } }) }, unreadable],
      ["a kind of insight that is not offered", { name: "a", query: { kind: "FunnelsQuery", series: [] } }, unreadable],
      [
        "an insight of an action",
        { name: "a", query: { kind: "TrendsQuery", series: [{ kind: "ActionsNode", id: 1 }] } },
        problem("query"),
      ],
      [
        "an insight with a cohort",
        { name: "a", query: trend({ properties: [{ type: "cohort", key: "id", value: 1 }] }) },
        problem("query"),
      ],
      ["an expression that is none", { name: "a", query: trendOf({ math: "hogql", math_hogql: "count(" }) }, problem("query")],
      [
        "an expression with an unknown field",
        { name: "a", query: trendOf({ math: "hogql", math_hogql: "sum(nothing)" }) },
        problem("query"),
      ],
      [
        "an expression with a variable",
        { name: "a", query: trendOf({ math: "hogql", math_hogql: "sum({variables.x})" }) },
        problem("query"),
      ],
      ["a date that is none", { name: "a", query: trend({ dateRange: { date_from: "someday" } }) }, problem("query")],
      [
        "an optional breakdown that the insight does not have",
        { name: "a", query: trend({}), optional_breakdown_properties: ["$os"] },
        problem("optional_breakdown_properties"),
      ],
      ["a name that is no text", { name: 5, query }, unreadable],
      ["tags that are no list", { name: "a", query, tags: "kpi" }, unreadable],
      ["a body that is a list", [], unreadable],
      ["a body that is no JSON", "{", unreadable],
    ])("refuses %s", async (_, body, error) => {
      expect(await api.post(path, body)).toMatchObject({ status: 400, body: error });
    });

    it("says what is wrong with what is very long in a sentence that fits into an answer", async () => {
      const answer = await api.post(path, { name: "a", query: trend({}), optional_breakdown_properties: ['"'.repeat(1_000_000)] });
      expect(answer).toMatchObject({ status: 400, body: problem("optional_breakdown_properties") });
      expect(Object(answer.body).detail).toHaveLength(10_001);
    });

    it.each([
      [
        "what shows a query",
        { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [] } },
        "query.kind: InsightVizNode only says how a query is shown: send its `source` as the query.",
      ],
      [
        "variables as a run gives them",
        { kind: "HogQLQuery", query: "SELECT 1", variables: { event_name: "x" } },
        'query.variables.event_name: Write variables as {"<UUID>": {"variableId": "<the same UUID>", "code_name": "event_name", "value": "its default"}}.',
      ],
      ["the kind", { kind: "TrendQuery", series: [] }, "query.kind: Unknown kind. Use HogQLQuery, TrendsQuery or RetentionQuery."],
      ["a series", { kind: "TrendsQuery", series: [{ event: "x" }] }, "query.series.0.kind: Unknown kind. Use EventsNode."],
      [
        "a filter within groups",
        trend({ properties: { type: "AND", values: [{ type: "OR", values: [{ key: "a", operator: "is" }] }] } }),
        'query.properties.values.0.values.0.operator: "is" is not a valid choice.',
      ],
      ["one breakdown too many", trend({ breakdownFilter: { breakdowns: Array(4).fill({ property: "a" }) } }), /breakdowns: .* 3 elements/],
    ])("says what is wrong with %s", async (_, query, detail) => {
      const { body } = await api.post(path, { name: "a", query });
      expect(Object(body).detail).toEqual(detail instanceof RegExp ? expect.stringMatching(detail) : `JSON parse error - ${detail}`);
    });

    it("says where a query is wrong, with the line and a caret", async () => {
      const { body } = await api.post(path, { name: "a", query: sqlQuery("SELECT count()\nFROM events WHERE evnt = 'x'") });
      expect(body).toMatchObject({ detail: expect.stringContaining("evnt = 'x'\n") });
      expect(body).toMatchObject({ detail: expect.stringMatching(/^Invalid HogQL query/) });
    });

    it.each(["matchesAction('x')", "sparkline([1])", "convertCurrency('USD', 'EUR', 1)", "sumState(1)"])(
      "calls %s an unsupported function",
      async (call) => {
        const answer = await api.post(path, { name: "a", query: sqlQuery(`SELECT ${call} FROM events`) });
        expect(answer).toMatchObject({ status: 400, body: problem("query") });
        expect(Object(answer.body).detail).toMatch(/^Invalid HogQL query: Unsupported function `/);
      },
    );

    it("names the variables that are not defined", async () => {
      const { body } = await api.post(path, { name: "a", query: sqlQuery("SELECT {variables.country}") });
      expect(body).toMatchObject({ detail: expect.stringContaining("undefined variable") });
      expect(body).toMatchObject({ detail: expect.stringContaining("country") });
    });

    it("says which defined variable an undefined one may mean", async () => {
      const id = "0190d0aa-0000-7000-8000-000000000001";
      const variables = { [id]: { variableId: id, code_name: "country", value: "DE" } };
      const answer = await api.post(path, { name: "a", query: { ...sqlQuery("SELECT {variables.contry}"), variables } });
      expect(answer).toMatchObject({ status: 400, body: problem("query") });
      expect(Object(answer.body).detail).toMatch(/"contry" \(did you mean "country"\?\)/);
    });

    it("refuses a name that is taken, whatever else the second one says", async () => {
      await api.post(path, { name: "taken", query });
      expect(await api.post(path, { name: "taken", query: sqlQuery("SELECT 2") })).toMatchObject({ status: 400, body: problem("name") });
    });

    it("stores nothing of a refused endpoint", async () => {
      await api.post(path, { name: "refused", query, data_freshness_seconds: 60 });
      expect((await api.get(`${path}refused/`)).status).toBe(404);
    });
  });

  it("403: refuses a key that may only read, and a secret key", async () => {
    const reader = await aTenant(platform().world, { scopes: ["endpoint:read"] });
    const own = `/api/projects/${reader.projectId}/endpoints/`;
    const readOnly = await apiClient(platform().baseUrl, reader.personalKey).post(own, { name: "a", query: sqlQuery("SELECT 1") });
    expect(readOnly).toMatchObject({ status: 403, body: { detail: "API key missing required scope 'endpoint:write'" } });
    const secret = await apiClient(platform().baseUrl, tenant.secretKey).post(path, { name: "a", query: sqlQuery("SELECT 1") });
    expect(secret).toMatchObject({ status: 403, body: { code: "permission_denied" } });
  });

  it("403: refuses a member of another organization", async () => {
    const stranger = await aTenant(platform().world);
    const answer = await apiClient(platform().baseUrl, stranger.personalKey).post(path, { name: "a", query: sqlQuery("SELECT 1") });
    expect(answer).toMatchObject({ status: 403, body: { type: "authentication_error", code: "permission_denied", attr: null } });
  });
});
