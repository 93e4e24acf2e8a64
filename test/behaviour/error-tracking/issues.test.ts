import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { errorTracking } from "../../../functions/error-tracking/routes.ts";
import { GroupingRules } from "../../../lib/error-tracking/rules.ts";
import { SpikeEvents } from "../../../lib/error-tracking/spike-events.ts";
import { put } from "../../../lib/table/store.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { overtakenTable } from "../../support/overtaken-table.ts";
import { type ATenant, aTenant, eventually, itsOwnPlatform } from "../../support/processes/platform.ts";
import { aRole } from "../../support/samples/roles.ts";
import { ask } from "../../support/worlds/api-world.ts";

// One key asks more than a key may in a minute.
process.env.THROTTLE_SCALE = "100";

const platform = itsOwnPlatform();
let tenant: ATenant;
let stranger: ATenant;
let api: ApiClient;
let other: ApiClient;
let base = "";

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  stranger = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  other = apiClient(platform().baseUrl, stranger.personalKey);
  base = `/api/projects/${tenant.projectId}/error_tracking`;
});

const NOBODY = "0190d0aa-0000-7000-8000-00000000000f";
const RULE = "01957a55-5d0a-7a11-b0de-77aa3c1f9e02";
const problem = (attr: string | null, code: string) => ({ type: "validation_error", code, attr });
const missing = { type: "invalid_request", code: "not_found" };

const Listed = z.object({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(z.looseObject({ id: z.string() })),
});
const list = async (path: string) => {
  const answer = await api.get(`${base}/${path}`);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return Listed.parse(answer.body);
};

let sent = 0;

/** Exceptions of some fingerprints; the issues by their fingerprints, in the order given. */
const issuesOf = async (...fingerprints: readonly string[]): Promise<readonly string[]> => {
  sent += 1;
  const frames = [{ platform: "python", filename: "a.py", function: `f${sent}`, lineno: 3, context_line: "x", pre_context: ["w"] }];
  const response = await fetch(`${platform().baseUrl}/batch/`, {
    method: "POST",
    body: JSON.stringify({
      api_key: tenant.projectToken,
      batch: fingerprints.map((fingerprint, index) => ({
        event: "$exception",
        distinct_id: "ann",
        timestamp: `2026-03-01T10:00:0${index}Z`,
        properties: {
          $exception_list: [{ type: `Error of ${fingerprint}`, value: "boom", stacktrace: { type: "raw", frames } }],
          ...(fingerprint.startsWith("automatic") ? {} : { $exception_fingerprint: fingerprint }),
        },
      })),
    }),
  });
  expect(response.status).toBe(200);
  return eventually(async () => {
    const { results } = await list("issues/?limit=1000");
    return fingerprints.map((fingerprint) => {
      const issue = results.find(({ name }) => name === `Error of ${fingerprint}`);
      if (issue === undefined) throw new Error(`${fingerprint} has no issue yet`);
      return issue.id;
    });
  });
};

/** The issue that a fingerprint leads to. */
const leadsTo = async (fingerprint: string): Promise<unknown> => {
  const answer = await api.get(`${base}/fingerprints/resolve/?fingerprint=${encodeURIComponent(fingerprint)}`);
  expect(answer.status).toBe(200);
  return z.object({ issue_id: z.string() }).parse(answer.body).issue_id;
};

const aSpike = async (issue_id: string, more: object = {}): Promise<void> => {
  const id = platform().world.ids.uuid();
  const spike = { detected_at: "2026-03-01T10:04:12.345678Z", computed_baseline: 12.5, current_bucket_value: 640 };
  await put(platform().world.table, SpikeEvents, { project: tenant.projectId, id, issue_id, ...spike, ...more });
};

describe("GET issues/", () => {
  it("200: pages through all issues, the newest first", async () => {
    const ids = await issuesOf("page-1", "page-2", "page-3");
    const all = await list("issues/?limit=1000");
    expect(all.count).toBe(all.results.length);
    expect(all.results.map(({ id }) => id)).toEqual(all.results.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)));
    const first = await list("issues/?limit=2");
    expect(first.results).toEqual(all.results.slice(0, 2));
    expect(first.next).toContain("offset=2");
    const second = await list("issues/?limit=1&offset=1");
    expect([second.results, second.previous]).toEqual([all.results.slice(1, 2), expect.any(String)]);
    expect(all.results.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
  });
});

describe("issues/{id}/", () => {
  it("200: is retrieved, also with its own fingerprint", async () => {
    const [id] = await issuesOf("one");
    const issue = {
      id,
      status: "active",
      severity: null,
      name: "Error of one",
      description: "boom",
      first_seen: "2026-03-01T10:00:00Z",
      assignee: null,
      external_issues: [],
      cohort: null,
    };
    for (const query of ["", "?fingerprint=one", "?fingerprint=unknown"]) {
      expect(await api.get(`${base}/issues/${id}/${query}`)).toMatchObject({ status: 200, body: issue });
    }
  });
  it("308: names the issue that a fingerprint leads to instead, even when the asked one is gone", async () => {
    const [id] = await issuesOf("elsewhere");
    const answer = await api.get(`${base}/issues/${NOBODY}/?fingerprint=elsewhere`);
    expect([answer.status, answer.body, answer.headers.get("location")]).toEqual([308, { issue_id: id }, null]);
  });
  it("404: there is none, it is no id, or it is of another project", async () => {
    const [id] = await issuesOf("mine");
    for (const path of [`${base}/issues/${NOBODY}/`, `${base}/issues/nonsense/`]) {
      expect(await api.get(path)).toMatchObject({ status: 404, body: { ...missing, detail: "Issue not found" } });
    }
    const foreign = `/api/projects/${stranger.projectId}/error_tracking/issues/${id}`;
    expect((await other.get(`${foreign}/`)).status).toBe(404);
    expect((await other.patch(`${foreign}/`, { status: "resolved" })).status).toBe(404);
    expect((await other.post(`${foreign}/merge/`, { ids: [id] })).status).toBe(404);
    expect((await other.patch(`${foreign}/assign/`, { assignee: null })).status).toBe(404);
  });
  it("404: for no issue, whatever is sent", async () => {
    const nobody = `${base}/issues/${NOBODY}`;
    for (const change of ["patch", "put"] as const) {
      expect(await api[change](`${nobody}/`, { status: "no status" })).toMatchObject({ status: 404, body: missing });
    }
    expect(await api.patch(`${nobody}/assign/`, { assignee: { type: "nobody" } })).toMatchObject({ status: 404, body: missing });
    expect(await api.post(`${nobody}/merge/`, { ids: [] })).toMatchObject({ status: 404, body: missing });
  });
  it("404: what can be no id is none, however long; an id in capitals is one", async () => {
    const [id] = await issuesOf("capitals");
    for (const odd of ["x".repeat(3_000), "%23", `${id}x`]) {
      expect((await api.get(`${base}/issues/${odd}/`)).status).toBe(404);
      expect((await api.patch(`${base}/issues/${odd}/`, { status: "resolved" })).status).toBe(404);
      expect((await api.patch(`${base}/issues/${odd}/assign/`, { assignee: null })).status).toBe(404);
      expect((await api.post(`${base}/issues/${odd}/merge/`, { ids: [id] })).status).toBe(404);
    }
    const capitals = `${base}/issues/${id?.toUpperCase()}`;
    expect(await api.get(`${capitals}/?fingerprint=capitals`)).toMatchObject({ status: 200, body: { id } });
    expect(await api.patch(`${capitals}/`, { severity: "low" })).toMatchObject({ status: 200, body: { id, severity: "low" } });
    expect(await api.patch(`${capitals}/assign/`, { assignee: null })).toMatchObject({ status: 200 });
  });
  it("404: nothing of another project is seen, changed, merged or split by its ids", async () => {
    const [id] = await issuesOf("not-theirs-at-all");
    const theirs = `/api/projects/${stranger.projectId}/error_tracking`;
    const [fingerprint] = (await list(`fingerprints/?issue_id=${id}`)).results;
    const [frame] = (await list("stack_frames/")).results;
    for (const path of [`issues/${id}`, `issues/${id}/grouping`, `fingerprints/${fingerprint?.id}`, `stack_frames/${frame?.id}`]) {
      expect([path, (await other.get(`${theirs}/${path}/`)).status]).toEqual([path, 404]);
    }
    expect((await other.post(`${theirs}/issues/${id}/split/`, { fingerprints: [{ fingerprint: "not-theirs-at-all" }] })).status).toBe(404);
    expect((await other.put(`${theirs}/issues/${id}/cohort/`, { cohortId: 1 })).status).toBe(404);
    expect((await other.patch(`${theirs}/fingerprints/${fingerprint?.id}/`, { deleted: true })).status).toBe(404);
    expect((await other.post(`${theirs}/issues/bulk/`, { action: "set_status", ids: [id], status: "suppressed" })).status).toBe(200);
    expect((await other.get(`${theirs}/spike_events/?issue_ids=${id}`)).body).toMatchObject({ count: 0 });
    expect((await other.get(`${theirs}/fingerprints/?issue_id=${id}`)).body).toMatchObject({ count: 0 });
    for (const path of ["issues/", "fingerprints/", "stack_frames/"]) {
      expect((await other.get(`${base}/${path}`)).status).toBe(403);
    }
    expect(await api.get(`${base}/issues/${id}/`)).toMatchObject({ status: 200, body: { status: "active" } });
  });
  it("200: changes what is sent and nothing else, by PATCH and by PUT", async () => {
    const [id] = await issuesOf("change");
    expect(await api.patch(`${base}/issues/${id}/`, { status: "resolved", severity: "high" })).toMatchObject({
      status: 200,
      body: { status: "resolved", severity: "high", name: "Error of change" },
    });
    expect(await api.put(`${base}/issues/${id}/`, { severity: null, name: "", description: null })).toMatchObject({
      status: 200,
      body: { status: "resolved", severity: null, name: "", description: null },
    });
    expect(await api.patch(`${base}/issues/${id}/`, {})).toMatchObject({ status: 200, body: { status: "resolved" } });
  });
  it.each([
    [{ status: "archived" }, "status", "invalid_choice"],
    [{ status: "nonsense" }, "status", "invalid_choice"],
    [{ severity: "extreme" }, "severity", "invalid_choice"],
    [{ name: {} }, "name", "invalid_input"],
  ])("400: %j", async (body, attr, code) => {
    const [id] = await issuesOf("refuse");
    const answer = await api.patch(`${base}/issues/${id}/`, body);
    expect(answer).toMatchObject({ status: 400, body: problem(attr, code) });
    if (code === "invalid_choice") expect(JSON.stringify(answer.body)).toContain(Object.values(body).map(String)[0] ?? "");
  });
  it("405: is never deleted, and the body is empty", async () => {
    expect(await api.remove(`${base}/issues/${NOBODY}/`)).toMatchObject({ status: 405, body: "" });
  });
});

describe("POST issues/{id}/merge/", () => {
  it("200: leads the fingerprints and spikes of the others here, now and later, and their ids", async () => {
    const [target, source] = await issuesOf("merge-a", "merge-b");
    await api.patch(`${base}/issues/${source}/assign/`, { assignee: { type: "user", id: String(tenant.userId) } });
    await aSpike(source ?? "");
    const before = await list("issues/");
    expect(await api.post(`${base}/issues/${target}/merge/`, { ids: [source, NOBODY, target] })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await list("issues/")).count).toBe(before.count - 1);
    expect(await api.get(`${base}/issues/${source}/`)).toMatchObject({ status: 200, body: { id: target } });
    expect(await api.post(`${base}/issues/${target}/merge/`, { ids: [source] })).toMatchObject({ body: { success: false } });
    expect((await api.get(`${base}/issues/${source}/?fingerprint=merge-b`)).body).toEqual({ issue_id: target });
    expect(await api.get(`${base}/issues/${target}/`)).toMatchObject({ body: { assignee: { type: "user", id: tenant.userId } } });
    expect((await list(`spike_events/?issue_ids=${target}`)).count).toBe(1);
    await api.patch(`${base}/issues/${target}/`, { status: "resolved" });
    await fetch(`${platform().baseUrl}/batch/`, {
      method: "POST",
      body: JSON.stringify({
        api_key: tenant.projectToken,
        batch: [
          { event: "$exception", distinct_id: "a", properties: { $exception_list: [{ type: "E" }], $exception_fingerprint: "merge-b" } },
        ],
      }),
    });
    await eventually(async () => expect(await api.get(`${base}/issues/${target}/`)).toMatchObject({ body: { status: "active" } }));
    expect((await list("issues/")).count).toBe(before.count - 1);
  });
  it("200: everything that was merged can be taken out again, as it was", async () => {
    const [target, first, second] = await issuesOf("undo-a", "undo-b", "undo-c");
    const known = async (fingerprint: string) => (await api.get(`${base}/fingerprints/resolve/?fingerprint=${fingerprint}`)).body;
    await api.patch(`${base}/issues/${second}/`, { name: "second", status: "resolved", severity: "high" });
    await api.post(`${base}/issues/${first}/merge/`, { ids: [second] });
    await api.post(`${base}/issues/${target}/merge/`, { ids: [first] });
    for (const fingerprint of ["undo-a", "undo-b", "undo-c"]) expect(await known(fingerprint)).toMatchObject({ issue_id: target });
    expect(await list(`issues/${target}/merged/`)).toMatchObject({
      count: 1,
      results: [{ id: first, fingerprints: 2, merged_by: tenant.userId }],
    });
    expect(await api.post(`${base}/issues/${target}/unmerge/`, { ids: [first, NOBODY] })).toEqual(
      expect.objectContaining({ status: 200, body: { success: true } }),
    );
    expect(await known("undo-a")).toMatchObject({ issue_id: target });
    for (const fingerprint of ["undo-b", "undo-c"]) expect(await known(fingerprint)).toMatchObject({ issue_id: first });
    expect((await list(`fingerprints/?issue_id=${first}`)).count).toBe(2);
    await api.post(`${base}/issues/${first}/unmerge/`, { ids: [second] });
    expect(await api.get(`${base}/issues/${second}/`)).toMatchObject({
      body: { id: second, name: "second", status: "resolved", severity: "high" },
    });
    expect(await known("undo-c")).toMatchObject({ issue_id: second });
    expect(await api.post(`${base}/issues/${first}/unmerge/`, { ids: [second] })).toMatchObject({ status: 200, body: { success: false } });
  });
  it.each([
    [null, "user"],
    ["user", null],
  ])("200: a source whose assignee changes from %s to %s meanwhile was merged before or after", async (before, after) => {
    const { world } = platform();
    const [target, source] = await issuesOf(`adopted-${before}`, `adopting-${before}`);
    const assign = (type: string | null) =>
      api.patch(`${base}/issues/${source}/assign/`, { assignee: type === null ? null : { type, id: tenant.userId } });
    expect((await assign(before)).status).toBe(200);
    const table = overtakenTable(world.table, () => assign(after));
    const asked = { key: tenant.personalKey, body: { ids: [source] } };
    expect((await ask(errorTracking, { ...world, table }, "POST", `${base}/issues/${target}/merge/`, asked)).status).toBe(200);
    const assignee = after === null ? null : { type: "user", id: tenant.userId };
    expect((await api.get(`${base}/issues/${target}/`)).body).toMatchObject({ assignee });
  });
  it("200: says when there is nothing to merge", async () => {
    const [target] = await issuesOf("merge-nothing");
    for (const ids of [[target], [NOBODY]]) {
      expect(await api.post(`${base}/issues/${target}/merge/`, { ids })).toMatchObject({ status: 200, body: { success: false } });
    }
  });
  it("400 and 404: ids are needed, and are ids; the target is there", async () => {
    const [target] = await issuesOf("merge-refused");
    const path = `${base}/issues/${target}/merge/`;
    expect(await api.post(path, {})).toMatchObject({ status: 400, body: problem("ids", "required") });
    expect(await api.post(path, { ids: [] })).toMatchObject({ status: 400, body: problem("ids", "empty") });
    expect(await api.post(path, { ids: ["x"] })).toMatchObject({ status: 400, body: problem("ids__0", "invalid_input") });
    expect((await api.post(`${base}/issues/${NOBODY}/merge/`, { ids: [target] })).status).toBe(404);
  });
});

describe("POST issues/{id}/split/", () => {
  it("200: takes back what was merged, fingerprint by fingerprint", async () => {
    const [target, source, foreign] = await issuesOf("split-a", "split-b", "split-c");
    await api.post(`${base}/issues/${target}/merge/`, { ids: [source] });
    await aSpike(target ?? "");
    const answer = await api.post(`${base}/issues/${target}/split/`, {
      fingerprints: [{ fingerprint: "split-b", name: "Back again", description: "d" }, { fingerprint: "split-c" }, { fingerprint: "none" }],
    });
    expect(answer).toMatchObject({ status: 200, body: { success: true, new_issue_ids: [expect.any(String)] } });
    const { new_issue_ids } = z.object({ new_issue_ids: z.array(z.string()) }).parse(answer.body);
    expect(await leadsTo("split-a")).toBe(target);
    expect(await leadsTo("split-b")).toBe(new_issue_ids[0]);
    expect(await leadsTo("split-c")).toBe(foreign);
    expect(await api.get(`${base}/issues/${new_issue_ids[0]}/`)).toMatchObject({
      body: { name: "Back again", description: "d", status: "active", first_seen: "2026-03-01T10:00:01Z" },
    });
    expect((await list(`spike_events/?issue_ids=${target}`)).count).toBe(0);
  });
  it("200: makes one issue of a fingerprint that is named twice, as it is named first", async () => {
    const [id] = await issuesOf("split-twice");
    const fingerprints = [
      { fingerprint: "split-twice", name: "First" },
      { fingerprint: "split-twice", name: "Second" },
    ];
    const answer = await api.post(`${base}/issues/${id}/split/`, { fingerprints });
    const made = z.object({ new_issue_ids: z.tuple([z.string()]) }).parse(answer.body).new_issue_ids[0];
    expect(await api.get(`${base}/issues/${made}/`)).toMatchObject({ body: { name: "First", description: null } });
  });
  it("200: takes numbers as their text for a name and a description", async () => {
    const [id] = await issuesOf("split-numbered");
    const numbered = { fingerprint: "split-numbered", name: 404, description: 5.5 };
    const answer = await api.post(`${base}/issues/${id}/split/`, { fingerprints: [numbered] });
    const made = z.object({ new_issue_ids: z.array(z.string()) }).parse(answer.body).new_issue_ids[0];
    expect(await api.get(`${base}/issues/${made}/`)).toMatchObject({ body: { name: "404", description: "5.5" } });
  });
  it("200: names an issue that is given none, and makes none when nothing is named", async () => {
    const [id] = await issuesOf("split-unnamed");
    const answer = await api.post(`${base}/issues/${id}/split/`, { fingerprints: [{ fingerprint: "split-unnamed" }] });
    const made = z.object({ new_issue_ids: z.array(z.string()) }).parse(answer.body).new_issue_ids[0];
    expect(await api.get(`${base}/issues/${made}/`)).toMatchObject({ body: { name: "Untitled issue", description: null } });
    for (const body of [{}, { fingerprints: [{ fingerprint: "x".repeat(5_000) }, { fingerprint: "" }] }]) {
      expect(await api.post(`${base}/issues/${id}/split/`, body)).toMatchObject({
        status: 200,
        body: { success: true, new_issue_ids: [] },
      });
    }
    expect(await api.post(`${base}/issues/${id}/split/`, { fingerprints: [{}] })).toMatchObject({
      status: 400,
      body: problem("fingerprints__0__fingerprint", "required"),
    });
  });
});

describe("PATCH issues/{id}/assign/", () => {
  it("200: assigns to a user or role, or to nobody", async () => {
    const [id] = await issuesOf("assign");
    const role = await aRole(platform().world, tenant.organizationId);
    for (const [sentAs, kept] of [
      [
        { type: "user", id: tenant.userId },
        { type: "user", id: tenant.userId },
      ],
      [null, null],
      [
        { type: "user", id: String(tenant.userId) },
        { type: "user", id: tenant.userId },
      ],
      [
        { type: "role", id: role },
        { type: "role", id: role },
      ],
      [null, null],
    ]) {
      expect(await api.patch(`${base}/issues/${id}/assign/`, { assignee: sentAs })).toMatchObject({ status: 200, body: { success: true } });
      expect(await api.get(`${base}/issues/${id}/`)).toMatchObject({ body: { assignee: kept } });
    }
  });
  it.each([
    [{}, "assignee", "required"],
    [{ assignee: { type: "team", id: 1 } }, "assignee__type", "invalid_choice"],
    [{ assignee: { type: "user" } }, "assignee__id", "required"],
    [{ assignee: { type: "user", id: NOBODY } }, "assignee__id", "invalid_input"],
    [{ assignee: { type: "user", id: true } }, "assignee__id", "invalid_input"],
    [{ assignee: { type: "user", id: 1.5 } }, "assignee__id", "invalid_input"],
    [{ assignee: { type: "user", id: 999_999 } }, "assignee__id", "invalid_input"],
    [{ assignee: { type: "user", id: -1 } }, "assignee__id", "invalid_input"],
    [{ assignee: { type: "role", id: 5 } }, "assignee__id", "invalid_input"],
    [{ assignee: { type: "role", id: NOBODY } }, "assignee__id", "invalid_input"],
  ])("400: %j", async (body, attr, code) => {
    const [id] = await issuesOf("assign-refused");
    expect(await api.patch(`${base}/issues/${id}/assign/`, body)).toMatchObject({ status: 400, body: problem(attr, code) });
  });
  it("400: nobody of another organization, one by one or in bulk", async () => {
    const [id] = await issuesOf("assign-stranger");
    const assignee = { type: "user", id: stranger.userId };
    const refused = { status: 400, body: problem("assignee__id", "invalid_input") };
    expect(await api.patch(`${base}/issues/${id}/assign/`, { assignee })).toMatchObject(refused);
    expect(await api.post(`${base}/issues/bulk/`, { action: "assign", ids: [id], assignee })).toMatchObject(refused);
    expect(await api.get(`${base}/issues/${id}/`)).toMatchObject({ body: { assignee: null } });
  });
});

describe("other operations on issues", () => {
  it("PUT cohort/: 400 without a number, 404 for every cohort", async () => {
    const [id] = await issuesOf("cohort");
    expect(await api.put(`${base}/issues/${id}/cohort/`, {})).toMatchObject({ status: 400, body: problem("cohortId", "required") });
    expect((await api.put(`${base}/issues/${id}/cohort/`, { cohortId: 1 })).status).toBe(404);
  });
  it("POST bulk/: changes all that are there", async () => {
    const [a, b] = await issuesOf("bulk-a", "bulk-b");
    expect(await api.post(`${base}/issues/bulk/`, { action: "set_status", ids: [a, b, NOBODY], status: "resolved" })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    for (const id of [a, b]) expect(await api.get(`${base}/issues/${id}/`)).toMatchObject({ body: { status: "resolved" } });
    await api.post(`${base}/issues/bulk/`, { action: "assign", ids: [a], assignee: { type: "user", id: tenant.userId } });
    expect(await api.get(`${base}/issues/${a}/`)).toMatchObject({ body: { assignee: { type: "user", id: tenant.userId } } });
    await api.post(`${base}/issues/bulk/`, { action: "assign", ids: [a], assignee: null });
    expect(await api.get(`${base}/issues/${a}/`)).toMatchObject({ body: { assignee: null } });
    for (const [body, attr, code] of [
      [{ action: "set_status", ids: [a] }, "status", "required"],
      [{ action: "set_status", ids: [a], status: "archived" }, "status", "invalid_choice"],
      [{ action: "assign", ids: [a], assignee: { type: "user", id: "x" } }, "assignee__id", "invalid_input"],
      [{ action: "remove", ids: [a] }, "action", "invalid_choice"],
    ] as const) {
      expect(await api.post(`${base}/issues/bulk/`, body)).toMatchObject({ status: 400, body: problem(attr, code) });
    }
  });
  it("GET values/ and exists/: suggest names, and say whether there is anything", async () => {
    await issuesOf("needle-1", "needle-2");
    const names = await api.get(`${base}/issues/values/?key=name&value=NEEDLE`);
    const found = [{ name: "Error of needle-1" }, { name: "Error of needle-2" }];
    expect(names.body).toEqual({ results: expect.arrayContaining(found), refreshing: false });
    expect((await api.get(`${base}/issues/values/?key=name`)).body).toEqual({ results: [], refreshing: false });
    expect((await api.get(`${base}/issues/exists/`)).body).toEqual({ exists: true });
    expect((await other.get(`/api/projects/${stranger.projectId}/error_tracking/issues/exists/`)).body).toEqual({ exists: false });
  });
  it("GET grouping/: says by which rule, or by which frames, events were grouped", async () => {
    const filters = JSON.stringify({
      type: "AND",
      values: [{ key: "$exception_types", type: "event", operator: "icontains", value: "automatic-ruled" }],
    });
    const stamp = "2026-01-01T00:00:00.000000Z";
    const rule = { project: tenant.projectId, id: RULE, filters, assignee: null, description: "Ruled", order_key: 0, disabled_data: null };
    await put(platform().world.table, GroupingRules, { ...rule, created_at: stamp, updated_at: stamp });
    const [automatic, manual] = await issuesOf("automatic-plain", "manual");
    expect(await api.get(`${base}/issues/${automatic}/grouping/`)).toMatchObject({
      status: 200,
      body: {
        issue_id: automatic,
        fingerprints: [{ how: "automatic", moved: false, rule: null, record: [{ type: "exception" }, { type: "frame" }] }],
        frames: [{ contents: { source: "a.py" }, context: { line: { number: 3, line: "x" } } }],
      },
    });
    expect(await api.get(`${base}/issues/${manual}/grouping/`)).toMatchObject({
      body: { fingerprints: [{ fingerprint: "manual", how: "manual" }], frames: [] },
    });
    const ruled = await eventually(async () => {
      await issuesOf(`automatic-ruled-${sent}`);
      const id = await leadsTo(`custom-rule:${RULE}`);
      return String(id);
    });
    expect(await api.get(`${base}/issues/${ruled}/grouping/`)).toMatchObject({
      body: { fingerprints: [{ how: "rule", rule: { id: RULE, description: "Ruled" } }] },
    });
  });
});

describe("fingerprints/", () => {
  it("200: lists them, the oldest first, also of one issue, and finds each by id and by text", async () => {
    const odd = "a/b ä#%?&";
    const [id] = await issuesOf(odd);
    const all = await list("fingerprints/?limit=1000");
    expect(all.count).toBe(all.results.length);
    const own = await list(`fingerprints/?issue_id=${id}`);
    expect(own.results).toEqual([
      { id: expect.any(String), fingerprint: odd, issue_id: id, created_at: expect.any(String), first_seen: "2026-03-01T10:00:00Z" },
    ]);
    expect((await api.get(`${base}/fingerprints/${own.results[0]?.id}/`)).body).toEqual(own.results[0]);
    expect((await api.get(`${base}/fingerprints/resolve/?fingerprint=${encodeURIComponent(odd)}`)).body).toEqual(own.results[0]);
    expect((await list(`fingerprints/?issue_id=${NOBODY}`)).count).toBe(0);
    expect((await list("fingerprints/?issue_id=")).count).toBe(all.count);
  });
  it("400 and 404: what is no id, what is missing, what is unknown or of another project", async () => {
    expect(await api.get(`${base}/fingerprints/?issue_id=x`)).toMatchObject({ status: 400, body: problem("issue_id", "invalid_input") });
    expect((await api.get(`${base}/fingerprints/nonsense/`)).status).toBe(400);
    expect((await api.get(`${base}/fingerprints/${NOBODY}/`)).status).toBe(404);
    expect(await api.get(`${base}/fingerprints/resolve/`)).toMatchObject({ status: 400, body: problem("fingerprint", "required") });
    expect((await api.get(`${base}/fingerprints/resolve/?fingerprint=`)).status).toBe(400);
    expect((await api.get(`${base}/fingerprints/resolve/?fingerprint=${"x".repeat(3_000)}`)).status).toBe(404);
    await issuesOf("not-theirs");
    expect(
      (await other.get(`/api/projects/${stranger.projectId}/error_tracking/fingerprints/resolve/?fingerprint=not-theirs`)).status,
    ).toBe(404);
  });
  it("200 and 405: are hidden and brought back by PATCH, and never deleted", async () => {
    await issuesOf("hidden");
    const { results } = await list("fingerprints/?limit=1000");
    const row = results.find(({ fingerprint }) => fingerprint === "hidden");
    const path = `${base}/fingerprints/${row?.id}/`;
    expect(await api.patch(path, { deleted: true })).toMatchObject({ status: 200, body: row });
    expect((await api.get(path)).status).toBe(404);
    expect((await api.get(`${base}/fingerprints/resolve/?fingerprint=hidden`)).status).toBe(404);
    expect((await list("fingerprints/?limit=1000")).count).toBe(results.length - 1);
    await api.patch(path, { deleted: false });
    expect((await list("fingerprints/?limit=1000")).results).toEqual(results);
    expect(await api.remove(path)).toMatchObject({ status: 405, body: "" });
  });
  it("200: one that is split off while it is hidden is hidden, and stays in its new issue", async () => {
    const { world } = platform();
    const [issue] = await issuesOf("hidden-and-split");
    const { results } = await list(`fingerprints/?issue_id=${issue}`);
    const path = `${base}/fingerprints/${results[0]?.id}/`;
    const split = () => api.post(`${base}/issues/${issue}/split/`, { fingerprints: [{ fingerprint: "hidden-and-split" }] });
    const asked = { key: tenant.personalKey, body: { deleted: true } };
    const late = await ask(errorTracking, { ...world, table: overtakenTable(world.table, split) }, "PATCH", path, asked);
    expect(late.status).toBe(200);
    expect((await api.get(path)).status).toBe(404);
    await api.patch(path, { deleted: false });
    expect((await api.get(path)).body).toMatchObject({ issue_id: expect.not.stringMatching(issue ?? "") });
  });
});

describe("stack_frames/", () => {
  it("200: lists and finds frames by id and by raw id", async () => {
    await issuesOf("frames");
    const { count, results } = await list("stack_frames/?limit=1000");
    expect(count).toBe(results.length);
    const [frame] = results;
    expect(frame).toEqual({
      id: expect.any(String),
      raw_id: expect.stringMatching(/^[0-9a-f]{128}\/0$/),
      created_at: expect.any(String),
      contents: expect.objectContaining({ raw_id: frame?.raw_id, lang: "python", source: "a.py", line: 3 }),
      resolved: true,
      context: { before: [{ number: 2, line: "w" }], line: { number: 3, line: "x" }, after: [] },
      symbol_set_ref: null,
      release: null,
    });
    expect((await api.get(`${base}/stack_frames/${frame?.id}/`)).body).toEqual(frame);
    const get = (body: object) => api.post(`${base}/stack_frames/batch_get/`, body);
    expect((await get({ raw_ids: [frame?.raw_id, frame?.raw_id, "nonsense", "a/b/c"] })).body).toEqual({ results: [frame] });
    for (const all of [{}, { raw_ids: [] }, { raw_ids: null, symbol_set: null }]) expect((await get(all)).body).toEqual({ results });
    expect((await get({ raw_ids: [frame?.raw_id], symbol_set: NOBODY })).body).toEqual({ results: [] });
    expect((await get({ raw_ids: "x" })).status).toBe(400);
    for (const id of [NOBODY, "x", "x".repeat(3_000)]) expect((await api.get(`${base}/stack_frames/${id}/`)).status).toBe(404);
    expect(await api.remove(`${base}/stack_frames/${frame?.id}/`)).toMatchObject({ status: 405, body: "" });
  });
});

describe("GET spike_events/", () => {
  it("200: filters by issue and time, and orders by each of its numbers", async () => {
    const [a, b] = await issuesOf("spike-a", "spike-b");
    await aSpike(a ?? "", { detected_at: "2026-03-01T10:00:00.000000Z", computed_baseline: 1, current_bucket_value: 900 });
    await aSpike(a ?? "", { detected_at: "2026-03-02T10:00:00.000000Z", computed_baseline: 3, current_bucket_value: 800 });
    await aSpike(b ?? "", { detected_at: "2026-03-03T10:00:00.500000Z", computed_baseline: 2, current_bucket_value: 700 });
    const ask = async (query: string) =>
      (await list(`spike_events/?issue_ids=${a},%20,${b}&${query}`)).results.map(({ current_bucket_value }) => current_bucket_value);
    expect(await ask("")).toEqual([700, 800, 900]);
    expect(await ask("order_by=detected_at&date_from=&date_to=")).toEqual([900, 800, 700]);
    expect(await ask("order_by=-computed_baseline")).toEqual([800, 700, 900]);
    expect(await ask("order_by=current_bucket_value")).toEqual([700, 800, 900]);
    expect(await ask("date_from=2026-03-02T10:00:00Z&date_to=2026-03-03T10:00:00.5Z")).toEqual([700, 800]);
    expect(await ask("date_from=2026-03-02T10:00Z&date_to=2026-03-03T10:30%2B01:00")).toEqual([800]);
    expect(await ask("limit=1&offset=1")).toEqual([800]);
    expect(await ask("date_from=2026-03-03T10:00:00.500000Z")).toEqual([700]);
    expect(await ask("date_from=2026-03-03T10:00:00.500001Z")).toEqual([]);
    expect((await list(`spike_events/?issue_ids=${b}`)).results).toEqual([
      {
        id: expect.any(String),
        issue: { id: b, name: "Error of spike-b", description: "boom" },
        detected_at: "2026-03-03T10:00:00.500000Z",
        computed_baseline: 2,
        current_bucket_value: 700,
      },
    ]);
  });
  it.each([
    ["issue_ids=x", "issue_ids", "invalid_input"],
    ["date_from=-7d", "date_from", "invalid_input"],
    ["date_to=5", "date_to", "invalid_input"],
    ["order_by=name", "order_by", "invalid_choice"],
  ])("400: %s", async (query, attr, code) => {
    expect(await api.get(`${base}/spike_events/?${query}`)).toMatchObject({ status: 400, body: problem(attr, code) });
  });
});
