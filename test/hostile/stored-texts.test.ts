import { beforeAll, describe, expect, it } from "vitest";
import { EndpointVersions, SavedEndpoints } from "../../lib/endpoints/saved-endpoints.ts";
import { MAX_PAGE_BYTES } from "../../lib/http/pagination.ts";
import { list, remove } from "../../lib/table/store.ts";
import { type ApiClient, apiClient } from "../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let path = "";

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/endpoints/`;
});

describe("half a surrogate pair", () => {
  const LONE = "\\ud800";
  it.each([
    ["a name", `{"name": "a${LONE}", "query": {"kind": "HogQLQuery", "query": "SELECT 1"}}`, "name"],
    ["a description", `{"name": "a", "description": "${LONE}", "query": {"kind": "HogQLQuery", "query": "SELECT 1"}}`, "description"],
    ["a query", `{"name": "a", "query": {"kind": "HogQLQuery", "query": "SELECT '${LONE}'"}}`, "query__query"],
    ["a tag", `{"name": "a", "tags": ["x", "${LONE}"], "query": {"kind": "HogQLQuery", "query": "SELECT 1"}}`, "tags__1"],
  ])("is refused in %s", async (_name, body, attr) => {
    expect(await api.post(path, body)).toMatchObject({ status: 400, body: { type: "validation_error", code: "invalid_input", attr } });
  });
  it("is refused in a variable of a run", async () => {
    await api.post(path, { name: "with-variable", query: sqlQuery("SELECT {variables.x}", { x: "" }) });
    const answer = await api.post(`${path}with-variable/run/`, `{"variables": {"x": "${LONE}"}}`);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input", attr: "variables.x" } });
  });
});

describe("a list of long queries", () => {
  it("has as many rows to a page as a reply carries, and goes on with the next", async () => {
    const own = await aTenant(platform().world);
    const client = apiClient(platform().baseUrl, own.personalKey);
    const base = `/api/projects/${own.projectId}/endpoints/`;
    const names = Array.from({ length: 16 }, (_, at) => `long-${String(at).padStart(2, "0")}`);
    for (const name of names) {
      const { status } = await client.post(base, { name, query: sqlQuery(`SELECT '${"€".repeat(99_000)}' AS x`) });
      expect(status).toBe(201);
    }
    const seen: string[] = [];
    let next: string | null = `${base}?limit=100`;
    for (let pages = 0; next !== null && pages < 10; pages += 1) {
      const { body } = await client.get(next.replace(platform().baseUrl, ""));
      const found = body as { next: string | null; count: number; results: { name: string }[] };
      expect(JSON.stringify(found).length).toBeLessThan(MAX_PAGE_BYTES + 200_000);
      expect(found.count).toBe(names.length);
      seen.push(...found.results.map(({ name }) => name));
      next = found.next;
    }
    expect(seen).toEqual(names);
  });

  it("leaves out what is deleted while it is read", async () => {
    const own = await aTenant(platform().world);
    const client = apiClient(platform().baseUrl, own.personalKey);
    const base = `/api/projects/${own.projectId}/endpoints/`;
    for (const name of ["a", "b"]) await client.post(base, { name, query: sqlQuery("SELECT 1") });
    const { table } = platform().world;
    const [first] = await list(table, SavedEndpoints, "key", { project: own.projectId });
    if (first) await remove(table, EndpointVersions, { project: own.projectId, endpoint_id: first.id, version: 1 });
    const { status, body } = await client.get(base);
    expect(status).toBe(200);
    expect((body as { results: unknown[] }).results).toHaveLength(1);
  });
});
