import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { activityWrite } from "../../../lib/error-tracking/activity.ts";
import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import { counting } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { putting } from "../../../lib/table/store.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../../support/processes/platform.ts";

const platform = aPlatform();
let tenant: ATenant;
let stranger: ApiClient;
let api: ApiClient;
let base = "";

beforeAll(async () => {
  stranger = apiClient(platform().baseUrl, (await aTenant(platform().world)).personalKey);
});

// Each test has a project of its own, so that its list of all issues holds nothing else.
beforeEach(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  base = `/api/projects/${tenant.projectId}/error_tracking`;
});

const anIssue = async (more: Partial<Issue> = {}): Promise<string> => {
  const { table, ids, clock } = platform().world;
  const project = tenant.projectId;
  const created_at = new Date(clock.now()).toISOString().replace("Z", "000Z");
  const issue: Issue = {
    project,
    id: ids.uuid(),
    status: "active",
    severity: null,
    name: "TypeError",
    description: "x is undefined",
    first_seen: created_at,
    assignee: null,
    created_at,
    ...more,
  };
  await table.transact([putting(Issues, issue), counting(counterKey("issueCount", project), 1)]);
  return issue.id;
};

const Activity = z.strictObject({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(
    z.strictObject({
      id: z.guid(),
      issue_id: z.guid(),
      activity: z.string(),
      detail: z.record(z.string(), z.unknown()),
      user: z.strictObject({ id: z.int(), first_name: z.string(), email: z.string() }).nullable(),
      created_at: z.string().regex(/Z$/),
    }),
  ),
});

const activity = async (path: string) => {
  const answer = await api.get(`${base}/issues/${path}`);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return Activity.parse(answer.body);
};
const doneWith = async (id: string) => (await activity(`${id}/activity/`)).results.map(({ activity, detail }) => [activity, detail]);

describe("GET issues/{id}/activity/", () => {
  it("200: what was changed, from what to what and by whom, the newest first; nothing for what changed nothing", async () => {
    const id = await anIssue();
    const me = { type: "user", id: tenant.userId };
    await api.patch(`${base}/issues/${id}/`, { status: "resolved", severity: "high" });
    await api.patch(`${base}/issues/${id}/`, { status: "resolved" });
    await api.patch(`${base}/issues/${id}/`, { name: "Checkout fails", description: "x is undefined" });
    await api.patch(`${base}/issues/${id}/assign/`, { assignee: me });
    await api.patch(`${base}/issues/${id}/assign/`, { assignee: me });
    await api.post(`${base}/issues/bulk/`, { action: "assign", ids: [id], assignee: null });
    const { count, results } = await activity(`${id}/activity/`);
    expect(results.map((entry) => [entry.activity, entry.detail])).toEqual([
      ["assigned", { from: me, to: null }],
      ["assigned", { from: null, to: me }],
      ["renamed", { name: { from: "TypeError", to: "Checkout fails" } }],
      ...[expect.anything(), expect.anything()],
      ["created", {}],
    ]);
    expect(results.slice(3, 5).map((entry) => [entry.activity, entry.detail])).toEqual(
      expect.arrayContaining([
        ["status_changed", { from: "active", to: "resolved" }],
        ["severity_changed", { from: null, to: "high" }],
      ]),
    );
    expect(count).toBe(6);
    expect(results.map(({ user }) => user?.id ?? null)).toEqual([...Array(5).fill(tenant.userId), null]);
    expect(results[0]?.user).toMatchObject({ first_name: "Ana", email: expect.stringContaining("@example.test") });
    expect(new Set(results.map(({ issue_id }) => issue_id))).toEqual(new Set([id]));
  });

  it("200: notes what happened however many change the same at once", async () => {
    const id = await anIssue();
    const severities = ["low", "medium", "high", "critical", "low", "medium"];
    await Promise.all(severities.map((severity) => api.patch(`${base}/issues/${id}/`, { severity })));
    const { results } = await activity(`${id}/activity/`);
    const changes = results.filter((entry) => entry.activity === "severity_changed").map(({ detail }) => detail);
    // Each begins where another one ended: they make one way from nothing to what the issue has now.
    const ends = changes.map(({ to }) => to);
    const begins = changes.map(({ from }) => from);
    const now = z.object({ severity: z.string() }).parse((await api.get(`${base}/issues/${id}/`)).body).severity;
    expect([...begins, now].map(String).sort()).toEqual([...ends, null].map(String).sort());
  });

  it("200: goes by pages, the last of which ends with the making of the issue", async () => {
    const id = await anIssue();
    for (const severity of ["low", "high", "critical"]) await api.patch(`${base}/issues/${id}/`, { severity });
    const first = await activity(`${id}/activity/?limit=2`);
    expect([first.count, first.previous, first.results.map(({ detail }) => detail.to)]).toEqual([4, null, ["critical", "high"]]);
    const second = await activity(new URL(first.next ?? "").href.split("/issues/")[1] ?? "");
    expect(second.results.map((entry) => entry.activity)).toEqual(["severity_changed", "created"]);
    expect([second.next, second.previous]).toEqual([null, expect.stringContaining("page=1")]);
    expect((await activity(`${id}/activity/?limit=3&page=2`)).results.map((entry) => entry.activity)).toEqual(["created"]);
    expect((await activity(`${id}/activity/?limit=4&page=2`)).results).toEqual([]);
    expect((await activity(`${id}/activity/?limit=x&page=-1`)).results).toHaveLength(4);
  });

  it("404: an issue that is none, or is another project's", async () => {
    const id = await anIssue();
    expect(await api.get(`${base}/issues/0190d0aa-0000-7000-8000-00000000000f/activity/`)).toMatchObject({ status: 404 });
    const away = await aTenant(platform().world);
    const answer = await apiClient(platform().baseUrl, away.personalKey).get(
      `/api/projects/${away.projectId}/error_tracking/issues/${id}/activity/`,
    );
    expect(answer).toMatchObject({ status: 404 });
  });

  it.each(["issues/activity/", "issues/0190d0aa-0000-7000-8000-00000000000f/activity/"])("403: %s without the scope", async (path) => {
    const { projectId, personalKey } = await aTenant(platform().world, { scopes: ["error_tracking:write"] });
    const client = apiClient(platform().baseUrl, personalKey);
    expect(await client.get(`/api/projects/${projectId}/error_tracking/${path}`)).toMatchObject({
      status: 403,
      body: { code: "permission_denied" },
    });
    expect(await stranger.get(`${base}/${path}`)).toMatchObject({ status: 403 });
  });
});

describe("GET issues/activity/", () => {
  it("200: that of all issues, the newest first, by pages", async () => {
    const one = await anIssue();
    await api.patch(`${base}/issues/${one}/`, { status: "suppressed" });
    const other = await anIssue();
    const { table, clock, ids } = platform().world;
    const done = { project: tenant.projectId, issue_id: one, user: null } as const;
    await table.transact([activityWrite({ clock, ids }, { ...done, activity: "reopened", detail: { from: "resolved" } })]);
    const all = await activity("activity/");
    expect(all.results.map(({ issue_id, activity, user }) => [issue_id, activity, user?.id ?? null])).toEqual([
      [one, "reopened", null],
      [other, "created", null],
      [one, "status_changed", tenant.userId],
      [one, "created", null],
    ]);
    expect(all.count).toBe(4);
    for (const page of [1, 2, 3, 4, 5]) {
      expect((await activity(`activity/?limit=1&page=${page}`)).results).toEqual(all.results.slice(page - 1, page));
    }
    expect(await doneWith(other)).toEqual([["created", {}]]);
  });

  it("200: nothing in a project without issues", async () => {
    expect(await activity("activity/")).toEqual({ count: 0, next: null, previous: null, results: [] });
  });
});
