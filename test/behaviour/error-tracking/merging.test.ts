import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let base = "";

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  base = `/api/projects/${tenant.projectId}/error_tracking`;
});

const named = (name: string, count: number): readonly string[] => Array.from({ length: count }, (_, at) => `${name}-${at}`);

const PAIR = named("pair", 2);
const RING = named("ring", 10);
const INTO_ONE = named("into-one", 51);
const FROM_ONE = named("from-one", 11);
const CLICKED = named("clicked", 3);
const SPLIT = named("split", 3);
const ALL = [...PAIR, ...RING, ...INTO_ONE, ...FROM_ONE, ...CLICKED, ...SPLIT];

/** Sent while all is merged, in so many requests. */
const MEANWHILE = 1_240;
const REQUESTS = 31;

let sent = 0;

const send = async (fingerprints: readonly string[]): Promise<void> => {
  sent += fingerprints.length;
  const response = await fetch(`${platform().baseUrl}/batch/`, {
    method: "POST",
    body: JSON.stringify({
      api_key: tenant.projectToken,
      batch: fingerprints.map(($exception_fingerprint) => ({
        event: "$exception",
        distinct_id: "ann",
        properties: { $exception_list: [{ type: "Error", value: "it failed" }], $exception_fingerprint },
      })),
    }),
  });
  expect(response.status).toBe(200);
};

/** The issue that a fingerprint leads to. */
const issueOf = async (fingerprint: string): Promise<string> => {
  const answer = await api.get(`${base}/fingerprints/resolve/?fingerprint=${fingerprint}`);
  expect([fingerprint, answer.status]).toEqual([fingerprint, 200]);
  return z.object({ issue_id: z.string() }).parse(answer.body).issue_id;
};

const issuesOf = async (fingerprints: readonly string[]): Promise<readonly string[]> => Promise.all(fingerprints.map(issueOf));

/** Events by issue, as a query counts them. */
const eventsByIssue = async (): Promise<ReadonlyMap<string, number>> => {
  const query = "SELECT toString(issue_id), count() FROM events WHERE event = '$exception' GROUP BY issue_id LIMIT 1000";
  const answer = await api.post(`/api/projects/${tenant.projectId}/query/`, { query: sqlQuery(query), refresh: "force_blocking" });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return new Map(z.object({ results: z.array(z.tuple([z.string(), z.int()])) }).parse(answer.body).results);
};

const allCounted = (): Promise<ReadonlyMap<string, number>> =>
  eventually(
    async () => {
      const counted = await eventsByIssue();
      expect([...counted.values()].reduce((sum, count) => sum + count, 0)).toBe(sent);
      return counted;
    },
    { everyMs: 100 },
  );

const merge = (target: string | undefined, ...ids: readonly (string | undefined)[]) => api.post(`${base}/issues/${target}/merge/`, { ids });
const split = (issue: string | undefined, fingerprint: string | undefined) =>
  api.post(`${base}/issues/${issue}/split/`, { fingerprints: [{ fingerprint }] });

describe("merges and splits of many at once, while exceptions come", () => {
  it("leave each fingerprint in one issue that is there, and each exception in it", async () => {
    await send(ALL);
    await allCounted();
    const ids = new Map((await issuesOf(ALL)).map((id, at) => [ALL[at], id]));
    const of = (fingerprints: readonly string[]) => fingerprints.map((fingerprint) => ids.get(fingerprint));
    const [pair, ring, intoOne, fromOne] = [of(PAIR), of(RING), of(INTO_ONE), of(FROM_ONE)];
    const [clicked, apart] = [of(CLICKED), of(SPLIT)];

    const requests = Array.from({ length: REQUESTS }, (_, request) =>
      Array.from({ length: MEANWHILE / REQUESTS }, (_, at) => ALL[(request * 7 + at * 3) % ALL.length] ?? ""),
    );
    const merges = [
      () => merge(pair[0], pair[1]),
      () => merge(pair[1], pair[0]),
      ...ring.map((id, at) => () => merge(ring[(at + 1) % ring.length], id)),
      ...intoOne.slice(1).map((id) => () => merge(intoOne[0], id)),
      ...fromOne.slice(1).map((id) => () => merge(id, fromOne[0])),
      ...Array.from({ length: 5 }, () => () => merge(clicked[0], clicked[1], clicked[2])),
    ];
    const splits = [
      () => merge(apart[0], apart[1]),
      ...Array.from({ length: 3 }, () => () => split(apart[0], SPLIT[1])),
      () => merge(apart[2], apart[0]),
    ];
    const [answers] = await Promise.all([Promise.all([...merges, ...splits].map((ask) => ask())), Promise.all(requests.map(send))]);
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, expect.objectContaining({ success: expect.any(Boolean) })]);

    const counted = await allCounted();
    const leads = new Map((await issuesOf(ALL)).map((id, at) => [ALL[at] ?? "", id]));
    const live = new Set(leads.values());
    for (const id of live) expect(await api.get(`${base}/issues/${id}/`)).toMatchObject({ status: 200, body: { id } });
    for (const id of ids.values()) expect((await api.get(`${base}/issues/${id}/`)).status).toBe(200);

    const issuesAmong = (fingerprints: readonly string[]) => new Set(fingerprints.map((fingerprint) => leads.get(fingerprint))).size;
    expect([PAIR, RING, INTO_ONE, FROM_ONE, CLICKED].map(issuesAmong)).toEqual([1, 1, 1, 1, 1]);

    const exceptions = new Map<string, number>();
    for (const fingerprint of [...ALL, ...requests.flat()]) {
      const id = leads.get(fingerprint) ?? "";
      exceptions.set(id, (exceptions.get(id) ?? 0) + 1);
    }
    expect(counted).toEqual(exceptions);
    expect((await api.get(`${base}/issues/?limit=1`)).body).toMatchObject({ count: live.size });
  });
});
