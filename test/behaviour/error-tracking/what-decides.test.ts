import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { aRole } from "../../support/samples/roles.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();

const Listed = z.object({ count: z.int(), results: z.array(z.looseObject({ id: z.string() })) });
const Counts = z.object({ results: z.array(z.tuple([z.string(), z.int()])) });

/** A project that nothing has come to yet: what is set before the first exception holds for it. */
const aProject = async () => {
  const { projectId, projectToken, personalKey, userId, organizationId } = await aTenant(platform().world);
  const api = apiClient(platform().baseUrl, personalKey);
  const base = `/api/projects/${projectId}/error_tracking`;
  const runs = `/api/projects/${projectId}/endpoints`;
  expect((await api.post(`${runs}/`, { name: "counts", query: sqlQuery("SELECT event, count() FROM events GROUP BY event") })).status).toBe(
    201,
  );
  let sent = 0;
  /** Sends exceptions and a plain event, and waits until the plain one is counted: both are in one drain or the exceptions before it. */
  const send = async (...items: readonly object[]): Promise<void> => {
    sent += 1;
    const exceptions = items.map((properties) => ({ event: "$exception", distinct_id: "ana", properties }));
    const body = JSON.stringify({ api_key: projectToken, batch: [...exceptions, { event: "plain", distinct_id: "ana" }] });
    expect((await fetch(`${platform().baseUrl}/batch/`, { method: "POST", body })).status).toBe(200);
    await eventually(async () => expect((await counts()).get("plain")).toBe(sent), { everyMs: 100 });
  };
  const counts = async (): Promise<ReadonlyMap<string, number>> => {
    const { body } = await api.post(`${runs}/counts/run/`, { refresh: "force" });
    return new Map(Counts.parse(body).results);
  };
  const list = async (path: string) => Listed.parse((await api.get(`${base}/${path}`)).body);
  return { api, base, send, counts, list, userId, organizationId };
};

const error = (type: string) => ({ $exception_list: [{ type, value: "boom" }] });
const times = (count: number, of: object): readonly object[] => Array.from({ length: count }, () => of);
const where = (key: string, operator: string, value: unknown) => ({ type: "AND", values: [{ key, type: "event", operator, value }] });

describe("a burst of exceptions", () => {
  it("is a spike of its issue, and of no other", async () => {
    const { api, base, send, list } = await aProject();
    expect((await api.patch(`${base}/spike_detection_config/update_config/`, { threshold: 20 })).status).toBe(200);
    await send(...times(30, error("Burst")), ...times(19, error("Drizzle")));
    const { count, results } = await list("spike_events/");
    expect(count).toBe(1);
    expect(results).toMatchObject([
      {
        issue: { name: "Burst", description: "boom" },
        computed_baseline: 0,
        current_bucket_value: 30,
        detected_at: expect.stringMatching(/Z$/),
      },
    ]);
    await send(...times(30, error("Burst")));
    expect((await list("spike_events/")).count).toBe(1);
  });

  it("is stored up to the limits, and opens no issue beyond them", async () => {
    const { api, base, send, counts, list } = await aProject();
    const limits = { per_issue_rate_limit_value: 2, per_issue_rate_limit_bucket_size_minutes: 60 };
    const both = { ...limits, project_rate_limit_value: 3, project_rate_limit_bucket_size_minutes: 60 };
    expect((await api.patch(`${base}/settings/update_settings/`, both)).status).toBe(200);
    await send(...times(5, error("A")), ...times(5, error("B")), error("C"));
    expect((await counts()).get("$exception")).toBe(3);
    expect((await list("issues/")).count).toBe(2);
  });
});

describe("a suppressed issue", () => {
  it("takes no events, and the others do; resolved ones open again", async () => {
    const { api, base, send, counts, list } = await aProject();
    await send(error("Loud"), error("Quiet"));
    const { results } = await list("issues/");
    const idOf = (name: string) => results.find((issue) => issue.name === name)?.id;
    await api.patch(`${base}/issues/${idOf("Loud")}/`, { status: "suppressed" });
    await api.patch(`${base}/issues/${idOf("Quiet")}/`, { status: "resolved" });
    await send(...times(4, error("Loud")), error("Quiet"));
    expect((await counts()).get("$exception")).toBe(3);
    expect((await api.get(`${base}/issues/${idOf("Loud")}/`)).body).toMatchObject({ status: "suppressed" });
    expect((await api.get(`${base}/issues/${idOf("Quiet")}/`)).body).toMatchObject({ status: "active" });
  });
});

describe("rules", () => {
  it("group, assign and rate what comes after them, and their issue outlives them", async () => {
    const { api, base, send, list, userId, organizationId } = await aProject();
    const assignee = { type: "user", id: userId };
    const made = await api.post(`${base}/grouping_rules/`, { filters: where("$exception_types", "regex", "^Time(out|d)"), assignee });
    const { id } = z.looseObject({ id: z.string() }).parse(made.body);
    for (const severity of ["high", "low"]) {
      const rule = { filters: where("$exception_values", "icontains", "BOO"), severity };
      expect((await api.post(`${base}/severity_rules/`, rule)).status).toBe(201);
    }
    const role = { type: "role", id: await aRole(platform().world, organizationId) };
    const assigning = { filters: where("$exception_values", "is_set", null), assignee: role };
    expect((await api.post(`${base}/assignment_rules/`, assigning)).status).toBe(201);
    await send(error("TimeoutError"), error("TimedOut"), error("Other"));
    const { results } = await list("issues/");
    expect(results).toHaveLength(2);
    const ruled = results.find(({ name }) => name === "TimeoutError");
    expect(ruled).toMatchObject({ severity: "high", assignee });
    expect(results.find(({ name }) => name === "Other")).toMatchObject({ severity: "high", assignee: role });
    expect((await api.get(`${base}/grouping_rules/${id}/`)).body).toMatchObject({ issue: { id: ruled?.id, name: "TimeoutError" } });
    const resolved = await api.get(`${base}/fingerprints/resolve/?fingerprint=custom-rule:${id}`);
    expect(resolved.body).toMatchObject({ issue_id: ruled?.id });
    expect((await api.get(`${base}/issues/${ruled?.id}/grouping/`)).body).toMatchObject({ fingerprints: [{ how: "rule", rule: { id } }] });
    expect((await api.remove(`${base}/grouping_rules/${id}/`)).status).toBe(204);
    expect((await api.get(`${base}/issues/${ruled?.id}/`)).status).toBe(200);
  });
});

describe("the explanation of a fingerprint", () => {
  const explained = async (api: ApiClient, base: string, fingerprint: string) => {
    const { body } = await api.get(`${base}/fingerprints/resolve/?fingerprint=${encodeURIComponent(fingerprint)}`);
    const { id } = z.looseObject({ id: z.string() }).parse(body);
    return (await api.get(`${base}/fingerprints/${id}/explain/`)).body;
  };
  const onlyFingerprint = async (api: ApiClient, base: string): Promise<string> => {
    const { body } = await api.get(`${base}/fingerprints/`);
    return z.object({ results: z.tuple([z.looseObject({ fingerprint: z.string() })]) }).parse(body).results[0].fingerprint;
  };
  const stack = (filename: string) => ({
    type: "raw",
    frames: [{ platform: "ruby", function: "checkout", filename, lineno: 12, context_line: "raise", in_app: true }],
  });

  it("has its pieces with the frames that are stored, and the version that made it", async () => {
    const { api, base, send } = await aProject();
    await send({ $exception_list: [{ type: "A", value: "x", stacktrace: stack("/srv/releases/20261101/cart.rb") }] });
    const fingerprint = await onlyFingerprint(api, base);
    expect(await explained(api, base, fingerprint)).toEqual({
      fingerprint,
      issue_id: expect.any(String),
      version: "v2",
      how: "automatic",
      rule: null,
      pieces: [
        { type: "exception", id: expect.any(String), pieces: ["Exception Type"] },
        {
          type: "frame",
          raw_id: expect.stringMatching(/^[0-9a-f]{128}\/0$/),
          pieces: ["Source file name", "Resolved function name"],
          frame: expect.objectContaining({
            contents: expect.objectContaining({ source: "/srv/releases/20261101/cart.rb", resolved_name: "checkout" }),
          }),
        },
      ],
    });
  });

  it("says the oldest version that makes it", async () => {
    const { api, base, send } = await aProject();
    await send({ $exception_list: [{ type: "A", value: "x", stacktrace: stack("app/cart.rb") }] });
    expect(await explained(api, base, await onlyFingerprint(api, base))).toMatchObject({ version: "v1", how: "automatic" });
  });

  it("says that a client or a rule gave it", async () => {
    const { api, base, send } = await aProject();
    const made = await api.post(`${base}/grouping_rules/`, { filters: where("$exception_types", "exact", "Ruled"), description: "ours" });
    const { id } = z.looseObject({ id: z.string() }).parse(made.body);
    await send(error("Ruled"), { $exception_list: [{ type: "A" }], $exception_fingerprint: "own" });
    expect(await explained(api, base, "own")).toMatchObject({ version: null, how: "manual", rule: null, pieces: [{ type: "manual" }] });
    expect(await explained(api, base, `custom-rule:${id}`)).toMatchObject({
      version: null,
      how: "rule",
      rule: { id, description: "ours" },
      pieces: [{ type: "custom", rule_id: id }],
    });
    expect((await api.get(`${base}/fingerprints/x/explain/`)).status).toBe(400);
    expect((await api.get(`${base}/fingerprints/${id}/explain/`)).status).toBe(404);
  });
});

describe("/api/environments/", () => {
  it("serves the same under the other name of a project's place, with pages of its own", async () => {
    const { api, base, send } = await aProject();
    await send(error("A"), error("B"));
    const other = base.replace("/api/projects/", "/api/environments/");
    const { body } = await api.get(`${other}/issues?limit=1`);
    const { next } = z.looseObject({ count: z.literal(2), next: z.string() }).parse(body);
    expect(next).toContain(`${other}/issues`);
    expect((await api.patch(`${other}/settings/update_settings/`, { project_rate_limit_value: 7 })).status).toBe(200);
    expect((await api.get(`${base}/settings/retrieve_settings/`)).body).toMatchObject({ project_rate_limit_value: 7 });
  });
});
