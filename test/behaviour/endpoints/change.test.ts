import { beforeAll, describe, expect, it } from "vitest";
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

const made = async (name: string, sql = "SELECT 1 AS one", more: object = {}): Promise<string> => {
  const { status } = await api.post(path, { name, query: sqlQuery(sql), ...more });
  expect(status).toBe(201);
  return `${path}${name}/`;
};

describe("GET /endpoints/", () => {
  it("200: lists the project's own in the order of their creation, by pages with an exact count", async () => {
    const own = await aTenant(platform().world);
    const client = apiClient(platform().baseUrl, own.personalKey);
    const base = `/api/projects/${own.projectId}/endpoints/`;
    for (const name of ["c", "a", "b"]) await client.post(base, { name, query: sqlQuery("SELECT 1"), is_active: name !== "a" });
    expect(await client.get(base)).toMatchObject({ status: 200, body: { count: 3, next: null, previous: null } });
    expect(names(await client.get(base))).toEqual(["c", "a", "b"]);
    const second = await client.get(`${base}?limit=1&offset=1`);
    expect(names(second)).toEqual(["a"]);
    expect(second.body).toMatchObject({
      count: 3,
      next: `${platform().baseUrl}${base}?limit=1&offset=2`,
      previous: `${platform().baseUrl}${base}?limit=1`,
    });
    expect(names(await client.get(`${base}?is_active=false`))).toEqual(["a"]);
    expect(names(await client.get(`${base}?is_active=False`))).toEqual(["a"]);
    expect(names(await client.get(`${base}?is_active=TRUE`))).toEqual(["c", "b"]);
    expect(names(await client.get(`${base}?is_active=maybe`))).toEqual(["c", "a", "b"]);
    expect(names(await client.get(`${base}?created_by=${own.userId}&limit=2`))).toEqual(["c", "a"]);
    expect(names(await client.get(`${base}?offset=9`))).toEqual([]);
  });

  it("400: refuses a creator that does not exist", async () => {
    expect(await api.get(`${path}?created_by=999999`)).toMatchObject({ status: 400, body: { code: "invalid_choice", attr: "created_by" } });
  });
});

describe("GET /endpoints/{name}/", () => {
  it("200: shows the endpoint with the version fields of its current version", async () => {
    const one = await made("shown");
    expect(await api.get(one)).toMatchObject({
      status: 200,
      body: { name: "shown", version: 1, endpoint_is_active: true, version_updated_at: null },
    });
  });

  it("200: shows one version without links", async () => {
    const one = await made("versioned");
    await api.patch(one, { query: sqlQuery("SELECT 2 AS two") });
    const first = await api.get(`${one}?version=1`);
    expect(first).toMatchObject({
      status: 200,
      body: { version: 1, current_version: 2, url: null, ui_url: null, columns: [{ name: "one", type: "integer" }] },
    });
    const { version_id } = fields(first);
    expect(first.body).toMatchObject({ current_version_id: version_id });
  });

  it("400 and 404: a version that is no number, a version and a name that do not exist", async () => {
    const one = await made("lonely");
    expect(await api.get(`${one}?version=x`)).toMatchObject({ status: 400, body: { attr: "version" } });
    expect(await api.get(`${one}?version=9`)).toMatchObject({ status: 404, body: { error: "Version 9 not found" } });
    for (const number of ["99999999999999999999", "9007199254740991", "-99999999999999999999", "0"])
      for (const address of [one, `${one}materialization_status/`, `${one}openapi.json/`])
        expect(await api.get(`${address}?version=${number}`)).toMatchObject({
          status: 404,
          body: { error: `Version ${number} not found` },
        });
    expect(await api.get(`${path}nobody/`)).toMatchObject({ status: 404, body: { code: "not_found", detail: "Not found." } });
  });
});

describe("PATCH /endpoints/{name}/", () => {
  it("200: a different query makes a version that inherits its settings; the old one stays as it was", async () => {
    const one = await made("growing", "SELECT 1 AS one", { description: "first", data_freshness_seconds: 900 });
    const changed = await api.patch(one, { query: sqlQuery("SELECT 2 AS two") });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        current_version: 2,
        versions_count: 2,
        description: "first",
        data_freshness_seconds: 900,
        columns: [{ name: "two", type: "integer" }],
      },
    });
    expect(await api.get(`${one}?version=1`)).toMatchObject({ body: { query: { query: "SELECT 1 AS one" }, version: 1 } });
  });

  it("200: PUT leaves alone what it does not name, also as a form", async () => {
    const one = await made("put-as-patch");
    for (const body of [new URLSearchParams({ description: "as a form" }), JSON.stringify({ description: "as JSON" })]) {
      const headers = {
        authorization: `Bearer ${tenant.personalKey}`,
        ...(typeof body === "string" && { "content-type": "application/json" }),
      };
      expect((await fetch(platform().baseUrl + one, { method: "PUT", headers, body })).status).toBe(200);
      expect((await api.get(one)).body).toMatchObject({ description: expect.stringContaining("as "), is_active: true });
    }
  });

  it("200: the same query, keys in another order, and metadata make no version", async () => {
    const one = await made("steady", "SELECT {variables.a} AS a", { query: sqlQuery("SELECT {variables.a} AS a", { a: 1 }) });
    const { variables } = sqlQuery("SELECT {variables.a} AS a", { a: 1 });
    const same = { variables, name: null, query: "SELECT {variables.a} AS a", kind: "HogQLQuery" };
    expect(await api.patch(one, { query: same, description: "new" })).toMatchObject({
      status: 200,
      body: { current_version: 1, description: "new" },
    });
    expect(await api.put(one, { tags: ["x"] })).toMatchObject({
      status: 200,
      body: { current_version: 1, description: "new", tags: ["x"] },
    });
  });

  it("200: with a version only that version changes, and the answer shows it", async () => {
    const one = await made("two-versions");
    await api.patch(one, { query: sqlQuery("SELECT 2 AS two") });
    const first = await api.patch(one, { version: 1, description: "old", is_active: false });
    expect(first).toMatchObject({ status: 200, body: { version: 1, description: "old", is_active: false, endpoint_is_active: true } });
    expect(await api.get(one)).toMatchObject({ body: { is_active: true, description: "" } });
  });

  it("200: another engine makes no new version, belongs to the version, and null is the standard again", async () => {
    const one = await made("elsewhere", "SELECT 1 AS one", { engine: "clickhouse" });
    expect(await api.patch(one, { engine: "embedded" })).toMatchObject({ status: 200, body: { current_version: 1, engine: "embedded" } });
    expect(await api.patch(one, { description: "kept" })).toMatchObject({ body: { engine: "embedded" } });
    const query = sqlQuery("SELECT 2 AS two");
    expect(await api.patch(one, { query })).toMatchObject({ body: { current_version: 2, engine: "embedded" } });
    expect(await api.patch(one, { engine: null })).toMatchObject({ body: { current_version: 2, engine: "auto" } });
    expect(await api.get(`${one}?version=1`)).toMatchObject({ body: { engine: "embedded" } });
    expect(await api.patch(one, { engine: "spark" })).toMatchObject({ status: 400, body: { code: "invalid_input", attr: "engine" } });
  });

  it("200: a new version is active, has its own columns, maker and times, and the settings that the same request sends", async () => {
    const one = await made("renewed", "SELECT 1 AS one", { description: "first" });
    await api.patch(one, { version: 1, is_active: false });
    await api.post(`${one}run/`, {});
    const query = sqlQuery("SELECT 'x' AS two");
    const changed = await api.patch(one, { query, description: "second", data_freshness_seconds: 900, tags: ["b ", "A", "a"] });
    expect(changed).toMatchObject({ status: 200, body: { description: "second", data_freshness_seconds: 900, tags: ["a", "b"] } });
    expect(changed.body).not.toHaveProperty("version");
    expect(await api.get(`${one}?version=2`)).toMatchObject({
      body: {
        is_active: true,
        last_executed_at: null,
        version_updated_at: null,
        version_created_by: { id: tenant.userId },
        version_created_at: expect.stringMatching(/\+00:00$/),
        columns: [{ name: "two", type: "string" }],
      },
    });
    expect(await api.get(`${one}?version=1`)).toMatchObject({
      body: { is_active: false, description: "first", data_freshness_seconds: 86_400, columns: [{ name: "one", type: "integer" }] },
    });
  });

  it("200: the version of the body wins over that of the address, and tags are the endpoint's whatever the version", async () => {
    const one = await made("aimed");
    await api.patch(one, { query: sqlQuery("SELECT 2 AS two") });
    const aimed = await api.patch(`${one}?version=2`, { version: 1, description: "aimed", data_freshness_seconds: 1_800, tags: ["kpi"] });
    expect(aimed).toMatchObject({
      status: 200,
      body: { version: 1, description: "aimed", data_freshness_seconds: 1_800, tags: ["kpi"], url: null, current_version: 2 },
    });
    expect(await api.patch(`${one}?version=1`, { data_freshness_seconds: null })).toMatchObject({
      body: { data_freshness_seconds: 86_400 },
    });
    expect(await api.get(one)).toMatchObject({ body: { description: "", data_freshness_seconds: 86_400, tags: ["kpi"] } });
    expect(await api.patch(`${one}?version=x`, {})).toMatchObject({ status: 400, body: { attr: "version" } });
    expect(await api.patch(`${one}?version=99999999999999999999`, {})).toMatchObject({
      status: 400,
      body: { code: "invalid_input", attr: "version", detail: expect.stringContaining("99999999999999999999") },
    });
    expect(await api.patch(one, { version: 0 })).toMatchObject({ status: 400, body: { attr: "version" } });
  });

  it("200: every update moves the endpoint's time of update, and an inactive endpoint leaves its versions active", async () => {
    const one = await made("touched");
    const before = fields(await api.get(one));
    const after = fields(await api.patch(one, { is_active: false }));
    expect(String(after.updated_at) > String(before.updated_at)).toBe(true);
    expect(after).toMatchObject({ is_active: false, created_at: before.created_at, id: before.id });
    expect(await api.get(`${one}?version=1`)).toMatchObject({ body: { is_active: true, endpoint_is_active: false } });
    expect(await api.patch(one, { is_active: true, deleted: false })).toMatchObject({ status: 200, body: { is_active: true } });
    expect((await api.post(`${one}run/`, {})).status).toBe(200);
  });

  it("200: an update shows in the very next run", async () => {
    const one = await made("followed", "SELECT 1 AS one");
    for (let n = 2; n < 5; n += 1) {
      await api.patch(one, { query: sqlQuery(`SELECT ${n} AS n`) });
      expect(await api.post(`${one}run/`, {})).toMatchObject({ body: { results: [[n]], endpoint_version: n } });
    }
    await api.patch(one, { version: 4, is_active: false });
    expect((await api.post(`${one}run/`, {})).status).toBe(400);
    await api.patch(one, { version: 4, is_active: true });
    expect((await api.post(`${one}run/`, {})).status).toBe(200);
  });

  it("200: null of the freshness is its default, null of others no change, and the name never changes", async () => {
    const one = await made("nulled", "SELECT 1", { description: "kept", data_freshness_seconds: 900, tags: ["kept"] });
    const answer = await api.patch(one, { data_freshness_seconds: null, description: null, tags: null, name: "renamed" });
    expect(answer).toMatchObject({
      status: 200,
      body: { name: "nulled", data_freshness_seconds: 86_400, description: "kept", tags: ["kept"] },
    });
  });

  it("200: another name and another insight are not looked at, whatever they are", async () => {
    const one = await made("fixed", "SELECT 1", { derived_from_insight: "abc123" });
    expect(await api.patch(one, { name: "1 / 2", derived_from_insight: "x".repeat(13) })).toMatchObject({
      status: 200,
      body: { name: "fixed", derived_from_insight: "abc123" },
    });
  });

  it("200: deleted: true deletes and says so", async () => {
    const one = await made("doomed");
    expect(await api.patch(one, { deleted: true, description: "x" })).toMatchObject({ status: 200, body: { success: true } });
    expect((await api.get(one)).status).toBe(404);
  });

  it("400: a version with a query, an unknown version, an unknown key", async () => {
    const one = await made("refusing");
    expect(await api.patch(one, { version: 1, query: sqlQuery("SELECT 3") })).toMatchObject({ status: 400, body: { attr: "query" } });
    expect(await api.patch(one, { version: 7 })).toMatchObject({ status: 400, body: { type: "validation_error", attr: "version" } });
    expect(await api.patch(one, { colour: 1 })).toMatchObject({
      status: 400,
      body: { type: "invalid_request", code: "parse_error", attr: null },
    });
    await api.patch(one, { query: sqlQuery("SELECT count() FROM events WHERE event IN {variables.e}", { e: ["a"] }) });
    expect(await api.patch(one, { is_materialized: true })).toMatchObject({
      status: 400,
      body: { attr: null, detail: expect.stringMatching(/^Cannot materialize endpoint\. Reason: /) },
    });
  });

  it("200: of queries that are saved at once each makes a version", async () => {
    const one = await made("raced");
    const answers = await Promise.all([2, 3, 4, 5, 6].map((n) => api.patch(one, { query: sqlQuery(`SELECT ${n} AS n`) })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.map((answer) => fields(answer).current_version).toSorted()).toEqual([2, 3, 4, 5, 6]);
    const versions = Object((await api.get(`${one}versions/`)).body).results.map(
      (version: { query: { query: string } }) => version.query.query,
    );
    expect(versions.toSorted()).toEqual(["SELECT 1 AS one", ...[2, 3, 4, 5, 6].map((n) => `SELECT ${n} AS n`)]);
  });

  it("200: of fields that are changed at once each is changed, and of equal queries one makes a version", async () => {
    const one = await made("raced-fields");
    const query = sqlQuery("SELECT 2 AS two");
    const bodies = [{ tags: ["a"] }, { is_active: false }, { description: "d" }, { data_freshness_seconds: 900 }, { query }, { query }];
    const answers = await Promise.all(bodies.map((body) => api.patch(one, body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    expect(await api.get(one)).toMatchObject({
      body: { tags: ["a"], is_active: false, description: "d", data_freshness_seconds: 900, versions_count: 2, query },
    });
  });
});

describe("GET /endpoints/{name}/versions/", () => {
  it("200: newest first, by pages", async () => {
    const one = await made("history");
    for (const n of [2, 3]) await api.patch(one, { query: sqlQuery(`SELECT ${n} AS n`) });
    const answer = await api.get(`${one}versions/?limit=2`);
    expect(answer).toMatchObject({ status: 200, body: { count: 3, results: [{ version: 3 }, { version: 2 }] } });
    expect(await api.get(`${one}versions/?limit=2&offset=2`)).toMatchObject({ body: { results: [{ version: 1, tags: [] }], next: null } });
  });
});

describe("DELETE /endpoints/{name}/", () => {
  it("204: the endpoint is gone everywhere and its name free for a new one that starts at version 1", async () => {
    const one = await made("reborn");
    const before = fields(await api.get(one));
    await api.patch(one, { query: sqlQuery("SELECT 2") });
    expect(await api.remove(one)).toMatchObject({ status: 204, body: "" });
    expect((await api.remove(one)).status).toBe(404);
    expect((await api.post(`${one}run/`)).status).toBe(404);
    await made("reborn", "SELECT 5 AS five");
    const after = fields(await api.get(one));
    expect(after.id).not.toBe(before.id);
    expect(after).toMatchObject({ current_version: 1, versions_count: 1 });
  });
});

it("403: a secret key runs endpoints and does nothing else with them", async () => {
  const one = await made("secretive");
  const secret = apiClient(platform().baseUrl, tenant.secretKey);
  const refused = { status: 403, body: { detail: expect.stringContaining("does not support project secret API key") } };
  for (const address of [path, one, `${one}versions/`, `${one}logs/`, `${one}openapi.json/`])
    expect(await secret.get(address)).toMatchObject(refused);
  expect(await secret.patch(one, {})).toMatchObject(refused);
  expect(await secret.remove(one)).toMatchObject(refused);
  expect((await secret.get(`${one}run/`)).status).toBe(200);
});

it("405: tags are not changed in bulk", async () => {
  expect(await api.post(`${path}bulk_update_tags/`, {})).toMatchObject({ status: 405, body: { detail: expect.any(String) } });
});

const fields = ({ body }: { readonly body: unknown }): Readonly<Record<string, unknown>> => Object(body);

const names = (answer: { readonly body: unknown }): unknown[] => {
  const { results } = fields(answer);
  return Array.isArray(results) ? results.map((entry) => Object(entry).name) : [];
};
