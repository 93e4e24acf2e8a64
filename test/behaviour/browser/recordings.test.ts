import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { type ATenant, aPlatform, eventually, tenantDocument, tenantOf } from "../../support/processes/platform.ts";

const platform = aPlatform();

/** An id as SDKs make one: the first 48 bits are a time. */
const sessionAt = (ms: number, tail: string): string => {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7abc-8def-${tail.padStart(12, "0")}`;
};

const record = (tenant: ATenant, session: string, properties: Readonly<Record<string, unknown>> = {}) => {
  const snapshot = { token: tenant.projectToken, distinct_id: "ana", $session_id: session, $snapshot_data: [{ type: 2 }], ...properties };
  const body = gzipSync(JSON.stringify([{ event: "$snapshot", properties: snapshot }]));
  return fetch(`${platform().ingestUrl}/s/?compression=gzip-js`, { method: "POST", body, headers: { origin: "https://shop.test" } });
};

const Series = z.object({ results: z.array(z.looseObject({ breakdown_value: z.unknown(), data: z.array(z.number()) })) });

const usageOf = async (tenant: ATenant): Promise<Readonly<Record<string, number>>> => {
  const query = new URLSearchParams({ breakdowns: '["type"]' });
  const reply = await fetch(`${platform().baseUrl}/api/billing/usage/?${query}`, {
    headers: { authorization: `Bearer ${tenant.personalKey}` },
  });
  const { results } = Series.parse(await reply.json());
  return Object.fromEntries(
    results.map(({ breakdown_value, data }) => [String(breakdown_value), data.reduce((sum, count) => sum + count, 0)]),
  );
};

const run = async (tenant: ATenant, name: string, query: string): Promise<unknown> => {
  const headers = { authorization: `Bearer ${tenant.personalKey}`, "content-type": "application/json" };
  const base = `${platform().baseUrl}/api/projects/${tenant.projectId}/endpoints/`;
  await fetch(base, { method: "POST", headers, body: JSON.stringify({ name, query: { kind: "HogQLQuery", query } }) });
  const reply = await fetch(`${base}${name}/run/`, { method: "POST", headers, body: '{"refresh":"force"}' });
  return z.object({ results: z.unknown() }).parse(await reply.json()).results;
};

describe("POST /s/", () => {
  it("is 200, counts each session once as a recording, and shows nothing of it to queries", async () => {
    const tenant = tenantOf(await applyDocument(platform().world, tenantDocument("recordings")));
    const now = Date.now();
    const [web, other, mobile] = ["1", "2", "3"].map((tail) => sessionAt(now - 1_000, tail));
    const event = { event: "seen", distinct_id: "ana", timestamp: new Date(now).toISOString() };
    await fetch(`${platform().ingestUrl}/batch/`, {
      method: "POST",
      body: JSON.stringify({ api_key: tenant.projectToken, batch: [event] }),
    });
    for (const session of [web, web, other, "of-no-known-beginning", web, "of-no-known-beginning"]) {
      const reply = await record(tenant, session ?? "");
      expect([reply.status, await reply.text(), reply.headers.get("access-control-allow-origin")]).toEqual([
        200,
        '{"status":"Ok"}',
        "https://shop.test",
      ]);
    }
    await record(tenant, mobile ?? "", { $snapshot_source: "mobile" });
    await eventually(
      async () => {
        const usage = await usageOf(tenant);
        expect(usage.recording_count_in_period).toBe(3);
        expect(usage.mobile_recording_count_in_period).toBe(1);
        expect(usage.mobile_billable_recording_count_in_period).toBe(1);
        expect(usage.event_count_in_period).toBe(1);
      },
      { everyMs: 250 },
    );
    expect(await run(tenant, "all", "SELECT event, count() FROM events GROUP BY event")).toEqual([["seen", 1]]);
    expect(await run(tenant, "count", "SELECT count() FROM events WHERE timestamp > now() - INTERVAL 2 DAY")).toEqual([[1]]);
    expect(await run(tenant, "people", "SELECT count() FROM persons")).toEqual([[1]]);
  });

  it("tells the SDK to stop where recordings are used up, and counts none", async () => {
    const document = tenantDocument("limited");
    const [organization] = document.organizations;
    const limited = { recordings: { limited_until: new Date(Date.now() + 86_400_000).toISOString() } };
    const projects = organization?.projects.map((project) => ({ ...project, quota: limited })) ?? [];
    const tenant = tenantOf(await applyDocument(platform().world, { organizations: [{ ...organization, projects }] }));
    const reply = await record(tenant, sessionAt(Date.now(), "9"));
    expect([reply.status, await reply.json()]).toEqual([200, { status: "Ok", quota_limited: ["recordings"] }]);
  });

  it("is refused without a token, as events are", async () => {
    const reply = await fetch(`${platform().ingestUrl}/s/`, { method: "POST", body: '[{"event":"$snapshot","properties":{}}]' });
    expect([reply.status, await reply.text()]).toEqual([401, "event submitted without an api_key"]);
  });
});
