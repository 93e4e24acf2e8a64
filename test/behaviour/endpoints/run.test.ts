import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let path = "";

/** Twelve events of three people on three days: `seen` ten times with a growing number, `left` twice. */
const EVENTS = Array.from({ length: 12 }, (_, index) => ({
  event: index < 10 ? "seen" : "left",
  distinct_id: `person-${index % 3}`,
  timestamp: `2026-01-0${1 + (index % 3)}T10:00:0${index % 10}Z`,
  properties: { number: index, $browser: index % 2 === 0 ? "Chrome" : "Firefox" },
}));

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/endpoints/`;
  await send(tenant.projectToken, EVENTS);
  await saved("total", "SELECT count() FROM events");
  await eventually(async () => expect(rowsOf(await api.post(`${path}total/run/`, { refresh: "force" }))).toEqual([[12]]));
});

const send = async (token: string, batch: readonly object[]): Promise<void> => {
  const response = await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body: JSON.stringify({ api_key: token, batch }) });
  expect(await response.json()).toEqual({ status: "Ok" });
};

const saved = async (name: string, sql: string, defaults: Readonly<Record<string, unknown>> = {}, more: object = {}): Promise<string> => {
  const { status, body } = await api.post(path, { name, query: sqlQuery(sql, defaults), ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  return `${path}${name}/run/`;
};

const rowsOf = ({ body }: Answer): unknown => Object(body).results;

describe("POST /endpoints/{name}/run/", () => {
  describe("200", () => {
    it("answers rows first, with columns, types, version and execution id", async () => {
      const run = await saved("by-event", "SELECT event, count() AS n FROM events GROUP BY event ORDER BY n DESC");
      const answer = await api.post(run, {});
      expect(Object.keys(Object(answer.body))[0]).toBe("results");
      expect(answer).toMatchObject({
        status: 200,
        body: {
          results: [
            ["seen", 10],
            ["left", 2],
          ],
          columns: ["event", "n"],
          types: [
            ["event", "String"],
            ["n", "UInt64"],
          ],
          hasMore: false,
          name: "by-event",
          endpoint_version: 1,
          is_cached: false,
          error: null,
          timezone: "UTC",
          execution_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      });
      expect(answer.body).not.toHaveProperty("limit");
      expect(answer.body).not.toHaveProperty("cache_key");
    });

    it("runs by GET, with the secret key, and without the final slash", async () => {
      const run = await saved("everywhere", "SELECT 1 AS one");
      const secret = apiClient(platform().baseUrl, tenant.secretKey);
      expect(rowsOf(await secret.get(run.slice(0, -1)))).toEqual([[1]]);
      expect(rowsOf(await secret.post(run))).toEqual([[1]]);
    });

    it("fills variables from the body, else from their defaults; null is NULL", async () => {
      const run = await saved("counted", "SELECT count() FROM events WHERE event = {variables.e}", { e: "left" });
      expect(rowsOf(await api.post(run, {}))).toEqual([[2]]);
      expect(rowsOf(await api.post(run, { variables: { e: "seen" } }))).toEqual([[10]]);
      expect(rowsOf(await api.post(run, { variables: { e: null } }))).toEqual([[0]]);
      expect(rowsOf(await api.post(run, { variables: { e: "' OR 1=1 --" } }))).toEqual([[0]]);
    });

    it("serves a result from the cache until a run is forced", async () => {
      const run = await saved("cached", "SELECT count() FROM events WHERE event = 'late'");
      expect(await api.post(run, {})).toMatchObject({ body: { results: [[0]], is_cached: false } });
      await send(tenant.projectToken, [{ event: "late", distinct_id: "person-1" }]);
      await eventually(async () => expect(rowsOf(await api.post(run, { refresh: "force" }))).toEqual([[1]]));
      // What is gathered in between is another state of the lake: a version's first rows are kept as long as that stays as it is.
      await eventually(async () => expect(await api.post(run, {})).toMatchObject({ body: { results: [[1]], is_cached: true } }));
    });

    it("pages with limit and offset, and says whether there is more", async () => {
      const run = await saved("paged", "SELECT properties.number AS n FROM events WHERE event = 'seen' ORDER BY n");
      expect(await api.post(run, { limit: 4 })).toMatchObject({
        body: { results: [[0], [1], [2], [3]], hasMore: true, limit: 4, offset: 0 },
      });
      expect(await api.post(run, { limit: 4, offset: 8 })).toMatchObject({
        body: { results: [[8], [9]], hasMore: false, limit: 4, offset: 8 },
      });
      expect(await api.post(`${run}?limit=4&offset=6`)).toMatchObject({ body: { results: [[6], [7], [8], [9]], hasMore: false } });
      expect(await api.post(`${run}?limit=9`, { limit: 1 })).toMatchObject({ body: { limit: 1 } });
    });

    it("never pages past the LIMIT of the text", async () => {
      const run = await saved("ceiling", "SELECT properties.number FROM events WHERE event = 'seen' ORDER BY properties.number LIMIT 5");
      expect(await api.post(run, { limit: 3, offset: 3 })).toMatchObject({ body: { results: [[3], [4]], hasMore: false } });
      expect(await api.post(run, { limit: 3 })).toMatchObject({ body: { results: [[0], [1], [2]], hasMore: true } });
      expect(await api.post(run, { limit: 5 })).toMatchObject({ body: { hasMore: false } });
      expect(await api.post(run, { limit: 3, offset: 5 })).toMatchObject({ body: { results: [], hasMore: false } });
    });

    it("returns 100 rows where neither text nor request says more, and at most 50,000", async () => {
      const hundred = await saved("hundred", "SELECT number FROM numbers(1000)");
      expect(rowsOf(await api.post(hundred, {}))).toHaveLength(100);
      const most = await saved("most", "SELECT number FROM numbers(60000) LIMIT 60000");
      expect(rowsOf(await api.post(most, {}))).toHaveLength(50_000);
    });

    it("never holds more than 50,000 rows in a page, and says that there are more", async () => {
      const free = await saved("wide-page", "SELECT number AS n FROM numbers(100000) ORDER BY n");
      const bounded = await saved("wide-ceiling", "SELECT number AS n FROM numbers(100000) ORDER BY n LIMIT 60000");
      const page = async (run: string, asked: object) => {
        const { results, ...body } = Object((await api.post(run, asked)).body);
        return { rows: results.length, first: results[0], hasMore: body.hasMore, limit: body.limit };
      };
      expect(await page(free, { limit: 60_000 })).toEqual({ rows: 50_000, first: [0], hasMore: true, limit: 60_000 });
      expect(await page(free, { limit: 50_001, offset: 7 })).toEqual({ rows: 50_000, first: [7], hasMore: true, limit: 50_001 });
      expect(await page(free, { limit: 60_000, offset: 50_000 })).toEqual({ rows: 50_000, first: [50_000], hasMore: false, limit: 60_000 });
      expect(await page(bounded, { limit: 60_000 })).toEqual({ rows: 50_000, first: [0], hasMore: true, limit: 60_000 });
      expect(await page(bounded, { limit: 60_000, offset: 10_000 })).toMatchObject({ rows: 50_000, first: [10_000], hasMore: false });
    });

    it("runs an older version when asked for it", async () => {
      const run = await saved("older", "SELECT 1 AS one");
      await api.patch(`${path}older/`, { query: sqlQuery("SELECT 2 AS two") });
      expect(await api.post(run, {})).toMatchObject({ body: { results: [[2]], endpoint_version: 2 } });
      expect(await api.post(run, { version: 1 })).toMatchObject({ body: { results: [[1]], endpoint_version: 1 } });
      expect(await api.get(`${run}?version=1`)).toMatchObject({ body: { results: [[1]] } });
    });

    it("takes the version, the limit and the offset of the body before those of the address, and a client's id without showing it", async () => {
      const run = await saved("both", "SELECT number FROM numbers(5)");
      await api.patch(`${path}both/`, { query: sqlQuery("SELECT 9 AS nine") });
      const answer = await api.post(`${run}?version=2&limit=1&offset=4`, { version: 1, limit: 2, offset: 1, client_query_id: "mine" });
      expect(answer).toMatchObject({ status: 200, body: { results: [[1], [2]], endpoint_version: 1, limit: 2, offset: 1, hasMore: true } });
      expect(JSON.stringify(answer.body)).not.toContain("mine");
      expect((await api.get(run.replace("/api/projects/", "/api/environments/"))).body).toMatchObject({ results: [[9]] });
    });

    it("keeps the debug fields only when asked", async () => {
      const run = await saved("debugged", "SELECT 1");
      expect((await api.post(run, { debug: true })).body).toHaveProperty("cache_key");
    });

    it("notes when endpoint and version were last run", async () => {
      const run = await saved("noted", "SELECT 1");
      await api.post(run, {});
      const shown = await api.get(`${path}noted/`);
      expect(shown.body).toMatchObject({ last_executed_at: expect.stringMatching(/\+00:00$/) });
      expect((await api.get(`${path}noted/?version=1`)).body).toMatchObject({ last_executed_at: expect.any(String) });
    });

    it("sees the rows of its own project only", async () => {
      const other = await aTenant(platform().world);
      const client = apiClient(platform().baseUrl, other.personalKey);
      const base = `/api/projects/${other.projectId}/endpoints/`;
      await client.post(base, { name: "all", query: sqlQuery("SELECT count(), (SELECT count() FROM persons) FROM events") });
      expect(rowsOf(await client.post(`${base}all/run/`, {}))).toEqual([[0, 0]]);
    });
  });

  describe("400", () => {
    it("has the contract's bodies for numbers that are wrong", async () => {
      const run = await saved("numbers", "SELECT 1");
      const wrong = (error: string) => ({ status: 400, body: { error } });
      expect(await api.post(run, { limit: 0 })).toMatchObject(wrong("Invalid limit parameter: 0"));
      expect(await api.post(run, { limit: 1, offset: -1 })).toMatchObject(wrong("Invalid offset parameter: -1"));
      expect(await api.post(`${run}?limit=x`)).toMatchObject(wrong("Invalid limit parameter: x"));
      expect(await api.post(`${run}?version=x`)).toMatchObject(wrong("Invalid version parameter: x"));
      expect(await api.post(run, { offset: 1 })).toMatchObject(wrong("offset requires limit to be set"));
    });

    it("names the field of the body that is wrong", async () => {
      const run = await saved("fields", "SELECT 1");
      const problem = (attr: string) => ({ status: 400, body: { type: "validation_error", code: "invalid_input", attr } });
      expect(await api.post(run, { query_override: {} })).toMatchObject(problem("query_override"));
      expect(await api.post(run, { refresh: "always" })).toMatchObject(problem("refresh"));
      expect(await api.post(run, { refresh: "direct" })).toMatchObject(problem("refresh"));
      expect(await api.post(run, { limit: "ten" })).toMatchObject(problem("limit"));
      expect(await api.post(run, { filters_override: { date_from: "-7d" } })).toMatchObject(problem("filters_override"));
      expect(await api.post(run, { variables: { nobody: 1 } })).toMatchObject(problem("variables"));
    });

    it("refuses to page a UNION and to run an inactive version", async () => {
      const union = await saved("union", "SELECT 1 UNION ALL SELECT 2");
      expect((await api.post(union, { limit: 1 })).status).toBe(400);
      const inactive = await saved("inactive-version", "SELECT 1");
      await api.patch(`${path}inactive-version/`, { version: 1, is_active: false });
      expect(await api.post(inactive, {})).toMatchObject({ status: 400, body: { detail: expect.stringContaining("inactive") } });
    });

    it("answers a query that fails at run with its error, and goes on", async () => {
      const run = await saved("too-large", "SELECT repeat('x', 200) AS wide FROM numbers(50000) LIMIT 50000");
      expect(await api.post(run, {})).toMatchObject({ status: 400, body: { type: "server_error", code: "query_too_large", attr: null } });
      expect(rowsOf(await api.post(`${path}total/run/`, {}))).toEqual(expect.any(Array));
    });

    it("answers as much as a function can send, in which every quotation mark of the reply counts twice", async () => {
      const quoted = async (marks: number) => {
        const run = await saved(`quotes-${marks}`, `SELECT repeat('"', ${marks}) AS marks FROM numbers(50000) LIMIT 50000`);
        return api.post(run, {});
      };
      const carried = (body: unknown) => Buffer.byteLength(JSON.stringify({ statusCode: 200, body: JSON.stringify(body) }));
      const most = await quoted(29);
      expect([most.status, carried(most.body) > 6_000_000, carried(most.body) < 6_291_556]).toEqual([200, true, true]);
      expect(await quoted(30)).toMatchObject({ status: 400, body: { type: "server_error", code: "query_too_large", attr: null } });
    });
  });

  it("404: an unknown version names the current one; an inactive endpoint is not there", async () => {
    const run = await saved("gone", "SELECT 1");
    expect(await api.post(run, { version: 9 })).toMatchObject({
      status: 404,
      body: { error: "Version 9 not found for endpoint 'gone'", current_version: 1 },
    });
    const beyond = { status: 404, body: { error: "Version 99999999999999999999 not found for endpoint 'gone'", current_version: 1 } };
    expect(await api.get(`${run}?version=99999999999999999999`)).toMatchObject(beyond);
    expect(await api.post(`${run}?version=99999999999999999999`, {})).toMatchObject(beyond);
    await api.patch(`${path}gone/`, { is_active: false });
    expect(await api.post(run, {})).toMatchObject({ status: 404, body: { code: "not_found", detail: "Not found." } });
    expect((await api.get(`${path}gone/`)).status).toBe(200);
  });

  it("404: an endpoint that is not there or is inactive is not found, whatever the body says", async () => {
    await saved("hidden", "SELECT 1");
    await api.patch(`${path}hidden/`, { is_active: false });
    for (const name of ["nowhere", "hidden"])
      for (const body of [{ query_override: {} }, { limit: "ten" }, { limit: 0 }, { refresh: 1, variables: [] }, [], "null"])
        expect(await api.post(`${path}${name}/run/?limit=x`, body)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await api.post(`${path}nowhere/run/`, "{")).toMatchObject({ status: 400, body: { code: "parse_error" } });
  });

  it("403: refuses the secret key of another project, and a key without the scope", async () => {
    const other = await aTenant(platform().world, { secretScopes: [] });
    const foreign = await apiClient(platform().baseUrl, other.secretKey).post(`${path}total/run/`, {});
    expect(foreign).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("does not have access to the requested project") },
    });
    const own = await apiClient(platform().baseUrl, other.secretKey).post(`/api/projects/${other.projectId}/endpoints/x/run/`, {});
    expect(own).toMatchObject({ status: 403, body: { detail: expect.stringContaining("missing required scope 'endpoint:read'") } });
  });
});
