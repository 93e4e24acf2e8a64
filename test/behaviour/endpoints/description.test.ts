import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { lintOpenapi } from "../../support/openapi-linter.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
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

const described = async (name: string, query: object, more: object = {}) => {
  expect(await api.post(path, { name, query, ...more })).toMatchObject({ status: 201 });
  const { status, headers, body } = await api.get(`${path}${name}/openapi.json/`);
  expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  return Object(body);
};

const trend = (breakdowns: readonly string[]) => ({
  kind: "TrendsQuery",
  series: [{ kind: "EventsNode", event: "$pageview" }],
  breakdownFilter: { breakdowns: breakdowns.map((property) => ({ property, type: "event" })) },
});

describe("GET /endpoints/{name}/openapi.json/", () => {
  describe("200", () => {
    it("describes the run of the current version, and nothing else", async () => {
      const query = sqlQuery("SELECT {variables.a}, {variables.b}", { a: "x", b: null });
      const document = await described("two-variables", query, { description: "Two of them." });
      expect(document).toMatchObject({
        openapi: "3.0.3",
        info: { title: "two-variables", description: "Two of them.", version: "1" },
        servers: [{ url: platform().baseUrl }],
        components: {
          securitySchemes: { PersonalAPIKey: { type: "http", scheme: "bearer" } },
          schemas: {
            EndpointRunRequest: {
              required: ["variables"],
              properties: {
                client_query_id: { type: "string" },
                debug: { type: "boolean" },
                limit: { type: "integer" },
                offset: { type: "integer" },
                refresh: { enum: ["cache", "force", "direct"], default: "cache" },
                version: { type: "integer" },
                filters_override: { $ref: "#/components/schemas/DashboardFilter" },
                variables: { $ref: "#/components/schemas/Variables" },
              },
            },
            Variables: { type: "object", required: ["b"], properties: { a: { type: "string" }, b: {} } },
            PropertyFilter: { required: ["key"] },
          },
        },
      });
      const run = `/api/projects/${tenant.projectId}/endpoints/two-variables/run`;
      expect(Object.keys(document.paths)).toEqual([run]);
      expect(Object.keys(document.paths[run])).toEqual(["post"]);
      expect(document.paths[run].post).toMatchObject({
        operationId: "run_two_variables",
        security: [{ PersonalAPIKey: [] }],
        requestBody: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/EndpointRunRequest" } } } },
      });
      expect(Object.keys(document.paths[run].post.responses)).toEqual(["200", "400", "401", "404"]);
    });

    it("knows the types of variables by their defaults", async () => {
      const defaults = { s: "x", n: 1.5, b: true, l: [1] };
      const query = sqlQuery("SELECT {variables.s}, {variables.n}, {variables.b}, {variables.l}", defaults);
      expect((await described("typed", query)).components.schemas.Variables).toEqual({
        type: "object",
        properties: { s: { type: "string" }, n: { type: "number" }, b: { type: "boolean" }, l: { type: "array", items: {} } },
      });
    });

    it("names a variable once that is defined twice, as the later definition has it", async () => {
      const [id, again, other] = [1, 2, 3].map((number) => `0190d0aa-0000-7000-8000-00000000000${number}`);
      const defined = (variableId: string | undefined, more: object) => [variableId, { variableId, ...more }];
      const variables = (more: object) =>
        Object.fromEntries([
          defined(id, { code_name: "a" }),
          defined(again, { code_name: "a", ...more }),
          defined(other, { code_name: "b", value: "x" }),
        ]);
      const query = { kind: "HogQLQuery", query: "SELECT {variables.a}, {variables.b}" };
      const twice = await described("defined-twice", { ...query, variables: variables({}) });
      expect(twice.components.schemas.Variables).toEqual({
        type: "object",
        properties: { a: {}, b: { type: "string" } },
        required: ["a"],
      });
      const later = await described("defined-later", { ...query, variables: variables({ value: 5 }) });
      expect(later.components.schemas.Variables).toEqual({ type: "object", properties: { a: { type: "number" }, b: { type: "string" } } });
    });

    it("has no variables where the query has none, and then needs no body", async () => {
      const document = await described("no-variables", sqlQuery("SELECT 1"));
      const { schemas } = document.components;
      expect(schemas).not.toHaveProperty("Variables");
      expect(schemas.EndpointRunRequest).not.toHaveProperty("required");
      expect(schemas.EndpointRunRequest.properties).not.toHaveProperty("variables");
      expect(Object(Object.values(document.paths)[0]).post.requestBody.required).toBe(false);
    });

    it("of an insight has the breakdowns, of which the optional ones may be left out, and the dates", async () => {
      const document = await described("broken-down", trend(["$os", "$browser"]), { optional_breakdown_properties: ["$os"] });
      const { Variables, EndpointRunRequest } = document.components.schemas;
      expect(Variables.required).toEqual(["$browser"]);
      expect(Object.keys(Variables.properties).sort()).toEqual(["$browser", "$os", "date_from", "date_to"]);
      expect(EndpointRunRequest.properties).not.toHaveProperty("offset");
    });

    it("names a variable once that two breakdowns share", async () => {
      const { breakdownFilter, ...query } = trend(["plan"]);
      const breakdowns = [...breakdownFilter.breakdowns, { property: "plan", type: "person" }];
      const document = await described("shared-name", { ...query, breakdownFilter: { breakdowns } });
      expect(document.components.schemas.Variables.required).toEqual(["plan"]);
      const unknown = await api.post(`${path}shared-name/run/`, { variables: { x: 1 } });
      expect(Object(unknown.body).detail).toBe("Unknown variable(s) 'x'. This query has 'date_from', 'date_to', 'plan'.");
    });

    it("of a version with a table wants every value that chooses rows, and no dates of an insight", async () => {
      const day = "SELECT toDate(timestamp) AS day, count() AS n FROM events WHERE event = {variables.e} GROUP BY day";
      await described("table", sqlQuery(day, { e: "seen" }), { is_materialized: true });
      await described("insight-table", trend(["$browser"]), { is_materialized: true });
      for (const [name, variables] of [
        ["table", { required: ["e"], properties: { e: { type: "string" } } }],
        ["insight-table", { required: ["$browser"], properties: { $browser: { type: "string" } } }],
      ])
        await eventually(async () => {
          const { body } = await api.get(`${path}${name}/openapi.json/`);
          expect(Object(body).components.schemas.Variables).toEqual({ type: "object", ...Object(variables) });
        });
    });

    it("describes an older version when asked for it, and an inactive endpoint too", async () => {
      await described("versions", sqlQuery("SELECT {variables.old}", { old: "x" }));
      await api.patch(`${path}versions/`, { query: sqlQuery("SELECT 1"), is_active: false });
      expect((await api.get(`${path}versions/openapi.json?version=1`)).body).toMatchObject({
        info: { version: "1" },
        components: { schemas: { Variables: { properties: { old: { type: "string" } } } } },
      });
    });

    it("types the rows by their columns: each place of a row in OpenAPI 3.1, what any of them may be in 3.0", async () => {
      const text = "SELECT toDate(timestamp) AS day, count() AS n, avg(1) AS mean FROM events GROUP BY day";
      const { Row } = (await described("rows", sqlQuery(text))).components.schemas;
      const number = { type: "number", nullable: true };
      expect(Row).toMatchObject({ type: "array", minItems: 3, maxItems: 3 });
      expect(Row.items).toEqual({ anyOf: [{ type: "string", format: "date" }, { type: "integer" }, number] });
      const { body } = await api.get(`${path}rows/openapi.json/?openapi=3.1`);
      expect(body).toMatchObject({ openapi: "3.1.0" });
      expect(Object(body).components.schemas.Row.prefixItems).toEqual([
        { type: "string", format: "date", title: "day" },
        { type: "integer", title: "n" },
        { type: ["number", "null"], title: "mean" },
      ]);
    });

    it("types rows as runs answer them, also where an aggregate has nothing to aggregate", async () => {
      const columns = [
        "count(), sum(1), avg(1), min(event), max(timestamp), any(person_id), max(toDate(timestamp)), groupArray(event)",
        "argMax(event, timestamp), uniq(distinct_id), median(1), max(properties.never_sent), sum(toFloat(properties.never_sent))",
        "1 / 0, nullIf(1, 1), NULL, 1 = 1, [1, 2], map('a', 1), (1, 'a'), now(), toIntOrNull('x'), toDecimal(1, 2), {variables.v}",
      ];
      await described("every-type", sqlQuery(`SELECT ${columns.join(", ")} FROM events WHERE event = 'never sent'`, { v: "x" }));
      const { Row } = Object((await api.get(`${path}every-type/openapi.json/?openapi=3.1`)).body).components.schemas;
      const { results } = Object((await api.post(`${path}every-type/run/`, { variables: { v: ["any", "thing"] } })).body);
      const row = z.fromJSONSchema(Row);
      expect(results).toHaveLength(1);
      expect(row.safeParse(results[0]).error?.issues).toBeUndefined();
      expect(row.safeParse(["no number", ...results[0].slice(1)]).success).toBe(false);
    });

    it("types the rows of insights as their objects", async () => {
      const { Row } = (await described("trend-rows", trend([]))).components.schemas;
      expect(Row).toMatchObject({ type: "object", required: expect.arrayContaining(["data", "days", "label"]) });
      const retention = { kind: "RetentionQuery", retentionFilter: { period: "Week" } };
      expect((await described("retention-rows", retention)).components.schemas.Row.properties).toHaveProperty("values");
    });

    it("knows a property's type from the version, and says nothing of what a run decides", async () => {
      const { Row } = (await described("open-rows", sqlQuery("SELECT properties.never_sent AS a, 1 AS b FROM events"))).components.schemas;
      expect(Row.items).toEqual({});
    });

    it.each([
      ["a SQL query", () => sqlQuery("SELECT {variables.a}, 1, 'x', now()", { a: null })],
      ["a query without variables", () => sqlQuery("SELECT 1")],
      ["a query of several types", () => sqlQuery("SELECT 1, 'x', nullIf(1, 1), [1.5], map('a', 1)")],
      ["an insight", () => trend(["$browser"])],
    ])("is valid OpenAPI for %s, in either version", async (kind, query) => {
      const name = kind.replaceAll(" ", "-");
      const { body: newer } = await described(name, query()).then(() => api.get(`${path}${name}/openapi.json/?openapi=3.1`));
      const { body: older } = await api.get(`${path}${name}/openapi.json/`);
      for (const document of [older, newer]) {
        const { totals, problems } = await lintOpenapi(document, "minimal");
        expect({ errors: totals.errors, problems: totals.errors === 0 ? [] : problems }).toEqual({ errors: 0, problems: [] });
      }
    });
  });

  it("400 and 404: a version that is no number, and versions and endpoints that do not exist", async () => {
    await described("here", sqlQuery("SELECT 1"));
    expect(await api.get(`${path}here/openapi.json/?version=x`)).toMatchObject({ status: 400, body: { attr: "version" } });
    expect(await api.get(`${path}here/openapi.json/?openapi=2.0`)).toMatchObject({ status: 400, body: { attr: "openapi" } });
    expect(await api.get(`${path}here/openapi.json/?version=9`)).toMatchObject({ status: 404, body: { error: "Version 9 not found" } });
    expect(await api.get(`${path}nowhere/openapi.json/`)).toMatchObject({ status: 404, body: { code: "not_found" } });
  });
});
