import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;

const KINDS = ["severity_rules", "grouping_rules", "assignment_rules"] as const;
const DAY_MS = 86_400_000;

const at = (kind: (typeof KINDS)[number], project = tenant.projectId): string => `/api/projects/${project}/error_tracking/${kind}/try/`;

const leaf = (key: string, operator: string, value?: unknown, type = "event") => ({ key, type, operator, value });
const filters = (...values: readonly unknown[]) => ({ filters: { type: "AND", values } });

/** Seven TypeErrors, the last of 8 days ago; a TimeoutError with a fingerprint of its own, and one with a severity. */
const exceptions = (now: number) => {
  const sent = (index: number, type: string, properties: object = {}, at = now - index * 1_000) => ({
    event: "$exception",
    distinct_id: `person-${index}`,
    timestamp: new Date(at).toISOString(),
    uuid: `0198a5b2-4b7e-7c3e-9d51-${String(index).padStart(12, "0")}`,
    properties: { $exception_list: [{ type, value: `message ${index}` }], ...properties },
  });
  return [
    ...Array.from({ length: 6 }, (_, index) => sent(index, "TypeError")),
    sent(6, "TypeError", {}, now - 8 * DAY_MS),
    sent(7, "TimeoutError", { $exception_fingerprint: "mine" }),
    sent(8, "TimeoutError", { $issue_severity: "low" }),
  ];
};

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  const body = JSON.stringify({ api_key: tenant.projectToken, batch: exceptions(Date.now()) });
  expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  const query = { kind: "HogQLQuery", query: "SELECT count() FROM events WHERE issue_id IS NOT NULL" };
  const isStored = async () =>
    expect(await api.post(`/api/projects/${tenant.projectId}/query/`, { query })).toMatchObject({ body: { results: [[9]] } });
  await eventually(isStored, { everyMs: 250 });
});

describe.each(KINDS)("POST %s/try/", (kind) => {
  it("200: counts the exceptions of the last 7 days that the filters match, with the five newest of them", async () => {
    const { status, body } = await api.post(at(kind), filters(leaf("$exception_types", "exact", ["TypeError"])));
    expect(status).toBe(200);
    expect(body).toEqual({
      matched: 6,
      looked_at: 8,
      // Who looks after an issue is no matter of the client's: no exception brings it.
      unasked: kind === "assignment_rules" ? 0 : 1,
      complete: true,
      examples: Array.from({ length: 5 }, (_, index) => ({
        uuid: expect.stringMatching(`${index}$`),
        timestamp: expect.any(String),
        distinct_id: `person-${index}`,
        issue_id: expect.any(String),
        type: "TypeError",
        value: `message ${index}`,
      })),
    });
  });

  it("200: matches nothing that no event fulfils, and tries each of nested groups", async () => {
    expect((await api.post(at(kind), filters(leaf("nothing", "is_set")))).body).toMatchObject({ matched: 0, examples: [] });
    const either = { type: "OR", values: [leaf("nothing", "is_set"), leaf("$exception_values", "icontains", "MESSAGE 3")] };
    const pattern = leaf("$exception_values", "regex", "^message [3]$");
    for (const tried of [either, pattern]) {
      expect((await api.post(at(kind), filters(tried))).body).toMatchObject({ matched: 1, examples: [{ distinct_id: "person-3" }] });
    }
  });

  it("200: several at once each say what they found", async () => {
    const types = ["TypeError", "TimeoutError", "RangeError"];
    const answers = await Promise.all(types.map((type) => api.post(at(kind), filters(leaf("$exception_types", "exact", [type])))));
    expect(answers).toMatchObject([6, kind === "assignment_rules" ? 2 : 1, 0].map((matched) => ({ status: 200, body: { matched } })));
  });

  it("200: a project without exceptions has nothing to look at", async () => {
    const other = await aTenant(platform().world);
    const { status, body } = await apiClient(platform().baseUrl, other.personalKey).post(
      at(kind, other.projectId),
      filters(leaf("nothing", "is_not_set")),
    );
    expect([status, body]).toEqual([200, { matched: 0, looked_at: 0, unasked: 0, complete: true, examples: [] }]);
  });

  it("400: refuses filters that no rule can have", async () => {
    expect(await api.post(at(kind), {})).toMatchObject({ status: 400, body: { attr: "filters" } });
    expect(await api.post(at(kind), { filters: {} })).toMatchObject({ status: 400, body: { detail: "Invalid filters payload." } });
    expect(await api.post(at(kind), filters(leaf("a", "nonsense", "b")))).toMatchObject({
      status: 400,
      body: { detail: "There is no operator `nonsense`." },
    });
  });

  it("200: what an exception knows nothing of is missing", async () => {
    const asked = async (operator: string) =>
      (await api.post(at(kind), filters(leaf("email", operator, "ana@example.com", "person")))).body;
    const unasked = kind === "assignment_rules" ? 0 : 1;
    expect(await asked("exact")).toMatchObject({ matched: 0, unasked });
    expect(await asked("is_not")).toMatchObject({ matched: 8 - unasked, unasked });
  });
});

describe("what a rule is asked about", () => {
  it("is the exception as it came: a grouping rule knows no fingerprint, release or issue", async () => {
    const known = ["$exception_fingerprint", "$exception_fingerprint_record", "$exception_issue_id", "$exception_release"];
    const unset = filters(...known.map((key) => leaf(key, "is_not_set")));
    expect((await api.post(at("grouping_rules"), unset)).body).toMatchObject({ matched: 7, unasked: 1 });
    expect((await api.post(at("severity_rules"), unset)).body).toMatchObject({ matched: 0, unasked: 1 });
  });

  it("is for a severity rule the issue as well that the exception would make", async () => {
    const named = filters(
      leaf("name", "exact", "TimeoutError", "error_tracking_issue"),
      leaf("status", "exact", "active", "error_tracking_issue"),
    );
    expect((await api.post(at("severity_rules"), named)).body).toMatchObject({ matched: 1, examples: [{ distinct_id: "person-7" }] });
    expect((await api.post(at("grouping_rules"), named)).body).toMatchObject({ matched: 0, unasked: 1 });
  });
});
