import { describe, expect, it } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { aPlatform, aTenant, type TenantOptions } from "../../support/processes/platform.ts";

const platform = aPlatform();

/** The calls on one of the two settings, in a project of their own. */
const aProject = async (options?: TenantOptions) => {
  const tenant = await aTenant(platform().world, options);
  const api = apiClient(platform().baseUrl, tenant.personalKey);
  const base = `/api/projects/${tenant.projectId}/error_tracking`;
  const of = (readPath: string, writePath: string) => ({
    read: () => api.get(`${base}/${readPath}`),
    change: (body: unknown) => api.patch(`${base}/${writePath}`, body),
  });
  return {
    limits: of("settings/retrieve_settings/", "settings/update_settings/"),
    spikes: of("spike_detection_config/", "spike_detection_config/update_config/"),
  };
};

const NO_LIMITS = {
  project_rate_limit_value: null,
  project_rate_limit_bucket_size_minutes: null,
  per_issue_rate_limit_value: null,
  per_issue_rate_limit_bucket_size_minutes: null,
};
const SPIKES = { snooze_duration_minutes: 10, multiplier: 10, threshold: 500 };

describe("GET settings/retrieve_settings/ and spike_detection_config/", () => {
  it("200: a project that has set nothing has no limits, and a spike is ten times the baseline", async () => {
    const { limits, spikes } = await aProject();
    expect(await limits.read()).toMatchObject({ status: 200 });
    expect((await limits.read()).body).toEqual(NO_LIMITS);
    expect(await spikes.read()).toMatchObject({ status: 200, body: SPIKES });
  });

  it("200: one project's settings are nothing to another", async () => {
    const [mine, theirs] = [await aProject(), await aProject()];
    await mine.limits.change({ project_rate_limit_value: 5 });
    await mine.spikes.change({ threshold: 5 });
    expect((await theirs.limits.read()).body).toEqual(NO_LIMITS);
    expect((await theirs.spikes.read()).body).toEqual(SPIKES);
  });
});

describe("PATCH settings/update_settings/", () => {
  it("200: changes what is sent, in text or numbers, and null lifts it", async () => {
    const { limits } = await aProject();
    const set = { project_rate_limit_value: "5000", project_rate_limit_bucket_size_minutes: 60, unknown: 1 };
    const after = { ...NO_LIMITS, project_rate_limit_value: 5000, project_rate_limit_bucket_size_minutes: 60 };
    const answer = await limits.change(set);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(after);
    expect((await limits.change({ per_issue_rate_limit_value: 2_147_483_647 })).body).toEqual({
      ...after,
      per_issue_rate_limit_value: 2_147_483_647,
    });
    await limits.change({ per_issue_rate_limit_value: null, project_rate_limit_value: null });
    expect((await limits.read()).body).toEqual({ ...after, project_rate_limit_value: null });
  });

  it("200: an empty change changes nothing", async () => {
    const { limits } = await aProject();
    expect(await limits.change({})).toMatchObject({ status: 200, body: NO_LIMITS });
  });

  it("200: changes of different fields at the same moment all count", async () => {
    const { limits } = await aProject();
    const wanted = Object.fromEntries(Object.keys(NO_LIMITS).map((name, index) => [name, index + 1]));
    await Promise.all(Object.entries(wanted).map(([name, value]) => limits.change({ [name]: value })));
    expect((await limits.read()).body).toEqual(wanted);
  });

  it.each([
    [0, "min_value"],
    [-1, "min_value"],
    [2_147_483_648, "max_value"],
    [1.5, "invalid_input"],
    [true, "invalid_input"],
    ["many", "invalid_input"],
  ])("400: %j is no number of a limit, and nothing is changed", async (value, code) => {
    const { limits } = await aProject();
    const refused = await limits.change({ project_rate_limit_value: 3, per_issue_rate_limit_value: value });
    expect(refused).toMatchObject({ status: 400, body: { type: "validation_error", code, attr: "per_issue_rate_limit_value" } });
    expect((await limits.read()).body).toEqual(NO_LIMITS);
  });
});

describe("PATCH spike_detection_config/update_config/", () => {
  it("200: changes what is sent and keeps the rest", async () => {
    const { spikes } = await aProject();
    expect(await spikes.change({ threshold: "20" })).toMatchObject({ status: 200, body: { ...SPIKES, threshold: 20 } });
    expect(await spikes.change({ multiplier: 3 })).toMatchObject({ status: 200, body: { ...SPIKES, threshold: 20, multiplier: 3 } });
    expect((await spikes.read()).body).toEqual({ ...SPIKES, threshold: 20, multiplier: 3 });
  });

  it.each([
    ["snooze_duration_minutes", 0, "min_value"],
    ["multiplier", null, "null"],
    ["threshold", 0.5, "invalid_input"],
  ])("400: %s cannot be %j", async (field, value, code) => {
    const { spikes } = await aProject();
    expect(await spikes.change({ [field]: value })).toMatchObject({ status: 400, body: { code, attr: field } });
  });
});

describe("scopes", () => {
  it("403: reading opens nothing that writes", async () => {
    const { limits, spikes } = await aProject({ scopes: ["error_tracking:read"] });
    for (const { read, change } of [limits, spikes]) {
      expect((await read()).status).toBe(200);
      expect(await change({})).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    }
  });
});
