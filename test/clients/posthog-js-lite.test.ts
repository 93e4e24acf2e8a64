import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type ApiClient, apiClient } from "../support/api-client.ts";
import { aPlatform, aTenant, eventually } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";

const platform = aPlatform();
const ORIGIN = "https://shop.test";
const BUDGET = { everyMs: 500 };
const ANONYMOUS = "01a20389-afd7-7574-a71a-4aa3e4c843e2";

const ask = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: Uint8Array | string): Promise<Response> =>
  fetch(`${platform().ingestUrl}${path}`, { method, headers: { origin: ORIGIN, ...headers }, ...(body !== undefined && { body }) });

/** What the SDK says of the page with every event. */
const PAGE = { $lib: "js", $lib_version: "4.12.1", $browser: "Chrome", $current_url: `${ORIGIN}/`, $time: 1795355684.836 };
const GROUPS = { $groups: { company: "acme" } };

/** A visit as posthog-js-lite 4.12.1 sends it: what was done before somebody signed in, and after. */
const VISIT = [
  [ANONYMOUS, "bought", { price: 12.5, $process_person_profile: false, $is_identified: false }],
  ["ana", "$identify", { $anon_distinct_id: ANONYMOUS, $set: { plan: "pro" } }],
  ["ana", "$groupidentify", { $group_type: "company", $group_key: "acme", $group_set: { name: "Acme" }, ...GROUPS }],
  ["ana", "$pageview", { navigation_type: "pushState", $process_person_profile: true, $is_identified: true, ...GROUPS }],
  ["ana", "$create_alias", { distinct_id: "ana", alias: "ana2", ...GROUPS }],
] as const;

const batchOf = (token: string) => ({
  api_key: token,
  batch: VISIT.map(([distinct_id, event, properties], at) => ({
    distinct_id,
    event,
    properties: { ...PAGE, $insert_id: `insert-${at}`, ...properties },
    timestamp: new Date().toISOString(),
    uuid: `01a20389-aff8-7b39-b584-c90fbb46730${at}`,
  })),
  sent_at: new Date().toISOString(),
});

const rows = async (api: ApiClient, path: string): Promise<unknown> => Object((await api.post(path, { refresh: "force" })).body).results;

it("what posthog-js-lite sends from a page of another origin is admitted, answered without flags, and can be queried", async () => {
  const tenant = await aTenant(platform().world);
  for (const [path, headers] of [
    ["/flags/?v=2", "content-type"],
    ["/batch/", "content-encoding,content-type"],
  ] as const) {
    const asked = await ask("OPTIONS", path, { "access-control-request-method": "POST", "access-control-request-headers": headers });
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([200, ORIGIN]);
    expect(asked.headers.get("access-control-allow-headers")).toBe(headers);
  }

  const person = { token: tenant.projectToken, distinct_id: "ana", groups: { company: "acme" }, $anon_distinct_id: ANONYMOUS };
  const asked = JSON.stringify({ ...person, person_properties: {}, group_properties: {} });
  const flags = await ask("POST", "/flags/?v=2", { "content-type": "application/json" }, asked);
  expect([flags.status, flags.headers.get("access-control-allow-origin")]).toEqual([200, ORIGIN]);
  expect(await flags.json()).toMatchObject({ flags: {}, errorsWhileComputingFlags: false });

  const packed = { "content-type": "application/json", "content-encoding": "gzip" };
  const sent = await ask("POST", "/batch/", packed, gzipSync(JSON.stringify(batchOf(tenant.projectToken))));
  expect([sent.status, sent.headers.get("access-control-allow-origin"), await sent.json()]).toEqual([200, ORIGIN, { status: "Ok" }]);

  const api = apiClient(platform().baseUrl, tenant.personalKey);
  const path = `/api/projects/${tenant.projectId}/endpoints/`;
  const query = sqlQuery("SELECT event, properties.$lib, count(), uniq(person_id) FROM events GROUP BY ALL ORDER BY event");
  await api.post(path, { name: "visit", query });
  const persons = sqlQuery("SELECT count(DISTINCT person_id), max(person.properties.plan) FROM events");
  await api.post(path, { name: "persons", query: persons });
  await eventually(async () => {
    expect(await rows(api, `${path}visit/run/`)).toEqual([...VISIT.map(([, event]) => [event, "js", 1, 1])].sort());
    expect(await rows(api, `${path}persons/run/`)).toEqual([[1, "pro"]]);
  }, BUDGET);
});
