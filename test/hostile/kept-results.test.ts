import { beforeAll, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
});

it("a run is never answered with the rows of another's variables", async () => {
  const base = `/api/projects/${tenant.projectId}/endpoints/`;
  await api.post(base, { name: "told", query: sqlQuery("SELECT {variables.a} AS a", { a: "" }) });
  const rows = async (a: unknown): Promise<unknown> => (await api.post(`${base}told/run/`, { variables: { a } })).body;
  for (const [a, result] of [
    [["null"], [[["null"]]]],
    [null, [[null]]],
    ["null", [["null"]]],
    [[["null"]], [[[["null"]]]]],
  ]) {
    expect(await rows(a)).toMatchObject({ results: result, is_cached: false });
    expect(await rows(a)).toMatchObject({ results: result, is_cached: true });
  }
});

it("a run takes variables whose fields have the names of JavaScript's own methods as values like any other", async () => {
  const base = `/api/projects/${tenant.projectId}/endpoints/`;
  await api.post(base, { name: "methods", query: sqlQuery("SELECT toString({variables.b}) AS b, {variables.a} AS a", { a: "", b: 1 }) });
  for (const b of [[{ toString: 0 }], { toString: 0, valueOf: 1 }, { toJSON: 1 }, { constructor: { name: 2 } }]) {
    expect((await api.post(`${base}methods/run/`, { variables: { b } })).status).toBe(200);
  }
});
