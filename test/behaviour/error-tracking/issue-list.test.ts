import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let base: string;

const HOUR_MS = 3_600_000;
/** Noon, so that hours around it lie in one day. */
const NOON = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS - 12 * HOUR_MS;
const at = (hoursBefore: number): string => new Date(NOON - hoursBefore * HOUR_MS).toISOString();

const exception = (type: string, who: string, hoursBefore: number, session?: string) => ({
  event: "$exception",
  distinct_id: who,
  timestamp: at(hoursBefore),
  properties: {
    $exception_list: [{ type, value: `about ${type}` }],
    $exception_fingerprint: type,
    ...(session !== undefined && { $session_id: session }),
  },
});

const EXCEPTIONS = [
  ...[1, 2, 3, 4].map((hours) => exception("Often", "ann", hours, "s1")),
  ...["ann", "bob", "cid"].map((who, place) => exception("Wide", who, 5 + place, `s${place}`)),
  exception("Late", "bob", 0),
  exception("Old", "ann", 24 * 60),
];

const IDS: Record<string, string> = {};
const Listed = z.object({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(z.object({ id: z.guid(), name: z.string().nullable() }).catchall(z.unknown())),
});

const list = async (query: string): Promise<z.output<typeof Listed>> => {
  const answer = await api.get(`${base}/issues/?${query}`);
  expect([query, answer.status, answer.body]).toEqual([query, 200, expect.anything()]);
  return Listed.parse(answer.body);
};
const names = async (query: string) => {
  const { count, results } = await list(query);
  return [count, ...results.map(({ name }) => name)];
};

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  base = `/api/projects/${tenant.projectId}/error_tracking`;
  const body = JSON.stringify({ api_key: tenant.projectToken, batch: EXCEPTIONS });
  const sent = await fetch(`${platform().baseUrl}/batch/`, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect(sent.status).toBe(200);
  await eventually(async () => {
    const { results } = await list("aggregations=occurrences&date_from=-90d");
    const counts = results.map(({ aggregations }) => z.object({ occurrences: z.int() }).parse(aggregations).occurrences);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(EXCEPTIONS.length);
  });
  for (const { id, name } of (await list("")).results) IDS[name ?? ""] = id;
  await api.patch(`${base}/issues/${IDS.Old}/`, { status: "resolved", severity: "high" });
  await api.patch(`${base}/issues/${IDS.Wide}/`, { description: "Of MANY people" });
  await api.patch(`${base}/issues/${IDS.Late}/assign/`, { assignee: { type: "user", id: tenant.userId } });
});

describe("GET issues/", () => {
  it("200: filters by what is stored, and counts what passes", async () => {
    expect(await names("status=resolved")).toEqual([1, "Old"]);
    expect((await names("status=active,suppressed"))[0]).toBe(3);
    expect((await names("status=all&order_by="))[0]).toBe(4);
    expect(await names("severity=high,critical")).toEqual([1, "Old"]);
    expect((await names("severity=none"))[0]).toBe(3);
    expect(await names(`assignee=user:${tenant.userId}`)).toEqual([1, "Late"]);
    expect((await names("assignee=none"))[0]).toBe(3);
    expect(await names("assignee=role:0190a1b2-c3d4-7e5f-8a9b-000000000001")).toEqual([0]);
    expect(await names("search=many%20PEOPLE")).toEqual([1, "Wide"]);
    expect(await names("search=ofte&status=active")).toEqual([1, "Often"]);
  });

  it("200: orders by what is stored, page by page", async () => {
    expect(await names("order_by=first_seen")).toEqual([4, "Old", "Wide", "Often", "Late"]);
    expect(await names("order_by=-first_seen")).toEqual([4, "Late", "Often", "Wide", "Old"]);
    const made = (await list("")).results.map(({ id }) => id);
    expect((await list("order_by=created_at")).results.map(({ id }) => id)).toEqual(made.toReversed());
    const page = await list("order_by=first_seen&limit=2&offset=2");
    expect([page.count, page.next, page.results.map(({ name }) => name)]).toEqual([4, null, ["Often", "Late"]]);
    expect(page.previous).toContain("order_by=first_seen");
  });

  it("200: orders by exceptions of the last 30 days, where one that had none is the least", async () => {
    expect(await names("order_by=-occurrences")).toEqual([4, "Often", "Wide", "Late", "Old"]);
    expect(await names("order_by=occurrences&status=active")).toEqual([3, "Late", "Wide", "Often"]);
    expect((await names("order_by=-users")).slice(0, 2)).toEqual([4, "Wide"]);
    expect((await names("order_by=-sessions")).slice(0, 3)).toEqual([4, "Wide", "Often"]);
    expect(await names("order_by=-last_seen")).toEqual([4, "Late", "Often", "Wide", "Old"]);
    expect(await names("order_by=-last_seen&limit=1&offset=1")).toEqual([4, "Often"]);
    expect(await names("order_by=-last_seen&offset=9")).toEqual([4]);
  });

  it("200: with dates only issues with an exception in that time", async () => {
    expect(await names(`date_from=${at(4)}&order_by=first_seen`)).toEqual([2, "Often", "Late"]);
    expect(await names(`date_from=${at(7)}&date_to=${at(5)}&order_by=-users`)).toEqual([1, "Wide"]);
    expect(await names("date_from=-90d&order_by=-created_at&limit=1&offset=3")).toHaveLength(2);
    expect(await names(`date_from=${at(4)}&offset=5`)).toEqual([2]);
  });

  it("200: in the order of their making, also with dates and where exceptions tie", async () => {
    const made = (await list("")).results.map(({ id }) => id);
    const ids = async (query: string) => (await list(`date_from=-90d&${query}`)).results.map(({ id }) => id);
    expect(await ids("")).toEqual(made);
    expect(await ids("order_by=created_at")).toEqual(made.toReversed());
    const single = made.filter((id) => [IDS.Late, IDS.Old].includes(id));
    expect((await ids("order_by=-occurrences")).slice(2)).toEqual(single);
    expect((await ids("order_by=occurrences")).slice(0, 2)).toEqual(single.toReversed());
  });

  it("200: carries what is asked for of the exceptions, and only that", async () => {
    const [often, wide] = (await list("order_by=-occurrences&aggregations=occurrences,users,sessions,last_seen,sparkline")).results;
    const Steps = z.object({ sparkline: z.array(z.object({ start: z.iso.datetime(), count: z.int() })).max(48) });
    expect(often?.aggregations).toMatchObject({ occurrences: 4, users: 1, sessions: 1, last_seen: at(1).replace(".000Z", "Z") });
    expect(wide?.aggregations).toMatchObject({ occurrences: 3, users: 3, sessions: 3, last_seen: at(5).replace(".000Z", "Z") });
    const { sparkline } = Steps.parse(wide?.aggregations);
    expect(sparkline.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(sparkline.length).toBeGreaterThan(28);
    const hourly = (await list(`aggregations=sparkline&date_from=${at(12)}&date_to=${at(0)}&search=Often`)).results[0];
    const steps = Steps.parse(hourly?.aggregations).sparkline;
    expect([steps.length, steps.filter(({ count }) => count > 0).map(({ start }) => start)]).toEqual([
      25,
      [4, 3, 2, 1].map((hours) => at(hours).replace(".000Z", "Z")),
    ]);
    const old = (await list("aggregations=last_seen,occurrences&search=old")).results[0];
    expect(old?.aggregations).toEqual({ occurrences: 0, last_seen: null });
  });

  it("200: has the nine keys of an issue and no others unless they are asked for", async () => {
    const keys = (results: readonly object[]) => new Set(results.flatMap((result) => Object.keys(result)));
    const plain = keys((await list("")).results);
    expect(plain.size).toBe(9);
    expect(keys((await list("order_by=-users&status=all")).results)).toEqual(plain);
    expect(keys((await list("aggregations=users")).results)).toEqual(new Set([...plain, "aggregations"]));
  });

  it.each([
    ["order_by=name", "order_by", "invalid_choice"],
    ["status=open", "status", "invalid_choice"],
    ["status=active,", "status", "invalid_choice"],
    ["severity=worst", "severity", "invalid_choice"],
    ["aggregations=events", "aggregations", "invalid_choice"],
    ["assignee=ann", "assignee", "invalid_input"],
    ["assignee=user:x", "assignee", "invalid_input"],
    ["assignee=role:17", "assignee", "invalid_input"],
    ["date_from=sometime", "date_from", "invalid_input"],
    ["date_to=2026-99-99", "date_to", "invalid_input"],
    ["date_to=0000-01-01", "date_to", "invalid_input"],
    ["date_from=0000-01-01T00:00:00%2B14:00", "date_from", "invalid_input"],
    ["date_from=2026-02-01&date_to=2026-01-01", "date_from", "invalid_input"],
  ])("400: %s", async (query, attr, code) => {
    expect(await api.get(`${base}/issues/?${query}`)).toMatchObject({ status: 400, body: { type: "validation_error", code, attr } });
  });

  it("200: counts the exceptions of merged issues with the one that they lead to", async () => {
    await api.post(`${base}/issues/${IDS.Often}/merge/`, { ids: [IDS.Wide] });
    const { count, results } = await list("order_by=-occurrences&aggregations=occurrences,users&limit=1");
    expect([count, results[0]?.name, results[0]?.aggregations]).toEqual([3, "Often", { occurrences: 7, users: 3 }]);
    await api.post(`${base}/issues/${IDS.Often}/unmerge/`, { ids: [IDS.Wide] });
    const apart = await list("order_by=-occurrences&aggregations=occurrences&limit=2");
    expect([apart.count, ...apart.results.map(({ aggregations }) => aggregations)]).toEqual([4, { occurrences: 4 }, { occurrences: 3 }]);
  });
});
