import { beforeAll, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aTenant, eventually, itsOwnPlatform } from "../../support/processes/platform.ts";
import { HOSTILE, OWN_EVENTS, SECRET } from "../../support/samples/hostile-queries.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

/** A run that would never end is ended after this instead of the 20 seconds of a deployment. */
process.env.QUERY_TIME_MS = "500";
process.env.ENGINE_MEMORY_MB = "300";
process.env.THROTTLE_SCALE = "100";

const platform = itsOwnPlatform();
let api: ApiClient;
let path = "";

/** Events whose every part that a tenant can name holds the mark. */
const eventsOf = (mark: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    event: index === 0 ? "$identify" : `seen ${mark}`,
    distinct_id: `someone ${mark}`,
    timestamp: `2026-01-0${index + 1}T10:00:00Z`,
    properties: { mark, $set: { mark }, $groups: { company: mark } },
  }));

const clientOf = (tenant: ATenant): ApiClient => apiClient(platform().baseUrl, tenant.personalKey);
const pathOf = (tenant: ATenant): string => `/api/projects/${tenant.projectId}/endpoints/`;

/** A tenant whose events can be queried. */
const tenantWith = async (mark: string, count: number): Promise<ATenant> => {
  const tenant = await aTenant(platform().world);
  const body = JSON.stringify({ api_key: tenant.projectToken, batch: eventsOf(mark, count) });
  const response = await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body });
  expect(await response.json()).toEqual({ status: "Ok" });
  const client = clientOf(tenant);
  await client.post(pathOf(tenant), { name: "total", query: sqlQuery("SELECT count() FROM events") });
  await eventually(async () =>
    expect(await client.post(`${pathOf(tenant)}total/run/`, { refresh: "force" })).toMatchObject({ body: { results: [[count]] } }),
  );
  return tenant;
};

beforeAll(async () => {
  await tenantWith(SECRET, 2);
  const author = await tenantWith("own", OWN_EVENTS);
  api = clientOf(author);
  path = pathOf(author);
});

/** Words that only the engine, its adapters and this machine use. */
const INTERNAL = /Binder|Catalog Error|Parser Error|[Dd]uck|scan_\d|read_parquet|node_modules|\.parquet|LINE 1|\/tmp\/|table\.db/;

it.each(HOSTILE)("%s", async (what, text) => {
  const name = `n${[...what].map((letter) => letter.charCodeAt(0).toString(36)).join("")}`.slice(0, 128);
  const saved = await api.post(path, { name, query: sqlQuery(text) });
  expect([201, 400]).toContain(saved.status);
  const answer = saved.status === 201 ? await api.post(`${path}${name}/run/`, { refresh: "force" }) : saved;
  expect([200, 400]).toContain(answer.status);
  const { results, detail } = Object(answer.body);
  expect(JSON.stringify(answer.body)).not.toContain(SECRET);
  if (answer.status === 200) expect(JSON.stringify(results)).not.toMatch(/root:|HOME=/);
  // What is quoted of the author's own text is no word of ours.
  else if (!INTERNAL.test(text)) expect(detail).not.toMatch(INTERNAL);
});

it("leaves a platform that answers as before", async () => {
  expect(await api.post(`${path}total/run/`, { refresh: "force" })).toMatchObject({ status: 200, body: { results: [[OWN_EVENTS]] } });
});
