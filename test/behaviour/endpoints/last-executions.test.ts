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
  for (const name of ["run", "idle", "removed", "failing"]) {
    const sql = name === "failing" ? "SELECT repeat('x', 200) FROM numbers(50000) LIMIT 50000" : "SELECT 1";
    expect((await api.post(path, { name, query: sqlQuery(sql) })).status).toBe(201);
  }
  for (const name of ["run", "removed", "failing"]) await api.post(`${path}${name}/run/`, {});
  await api.remove(`${path}removed/`);
});

const ask = (body: unknown) => api.post(`${path}last_execution_times/`, body);

describe("POST /endpoints/last_execution_times/", () => {
  it("200: has the endpoints that ran, and leaves out those that never did, failed, or are not there", async () => {
    const { status, body } = await ask({ names: ["run", "idle", "removed", "failing", "nobody", "run"] });
    const shown = Object((await api.get(`${path}run/`)).body).last_executed_at;
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        query_status: {
          id: "",
          team_id: tenant.projectId,
          complete: true,
          error: false,
          error_code: null,
          error_message: null,
          query_async: true,
          dashboard_id: null,
          insight_id: null,
          labels: null,
          task_id: null,
          start_time: null,
          end_time: null,
          pickup_time: null,
          expiration_time: null,
          results: [["run", shown]],
          query_progress: null,
          budget_remaining_bytes: null,
          bytes_read: null,
          cache_key: null,
          query_scan: null,
        },
      },
    });
  });

  it("200: has null for no names, and an empty list for names without a time", async () => {
    expect(await ask({ names: [] })).toMatchObject({ status: 200, body: { query_status: { results: null } } });
    expect(await ask({ names: ["idle"] })).toMatchObject({ status: 200, body: { query_status: { results: [] } } });
  });

  it("200: sees the endpoints of its own project only", async () => {
    const other = await aTenant(platform().world);
    const client = apiClient(platform().baseUrl, other.personalKey);
    const answer = await client.post(`/api/projects/${other.projectId}/endpoints/last_execution_times`, { names: ["run"] });
    expect(answer).toMatchObject({ status: 200, body: { query_status: { team_id: other.projectId, results: [] } } });
  });

  it("400: names that are missing, no list, none that an endpoint can have, or too many", async () => {
    for (const body of [
      {},
      { names: null },
      { names: "run" },
      { names: ["run", "1x"] },
      { names: ["a/b"] },
      { names: ["run", 5] },
      { names: Array.from({ length: 1_001 }, (_, index) => `n${index}`) },
    ])
      expect(await ask(body)).toMatchObject({ status: 400, body: { type: "validation_error", attr: "names" } });
  });

  it("403 and 405: refuses secret keys, and other methods", async () => {
    const secret = apiClient(platform().baseUrl, tenant.secretKey);
    expect(await secret.post(`${path}last_execution_times/`, { names: [] })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("does not support project secret API key") },
    });
    expect((await api.get(`${path}last_execution_times/`)).status).toBe(405);
  });
});
