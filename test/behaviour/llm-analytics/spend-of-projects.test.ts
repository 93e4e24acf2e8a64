import { expect, it } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { apiClient } from "../../support/api-client.ts";
import { aPlatform, eventually, tenantDocument } from "../../support/processes/platform.ts";

const platform = aPlatform();

const EMAIL = "pair@example.test";
const AT = "2026-11-10T09:00:00Z";

const identified = { event: "$identify", distinct_id: "me", timestamp: "2026-11-09T00:00:00Z", properties: { $set: { email: EMAIL } } };

/** A generation of a dollar for each trace that is named. */
const generations = (...traces: readonly string[]) =>
  traces.map(($ai_trace_id) => ({
    event: "$ai_generation",
    distinct_id: "me",
    timestamp: AT,
    properties: { ai_product: "service_code", $ai_total_cost_usd: 1, $ai_trace_id, $ai_model: $ai_trace_id },
  }));

it("adds up what several projects have of one trace, however few are shown", async () => {
  const { world, ingestUrl, baseUrl } = platform();
  const [home] = tenantDocument("pair").organizations;
  const projects = ["web", "backend"].map((key) => ({ key, name: key }));
  const tree = await applyDocument(world, { organizations: [{ ...home, projects }] });
  const tokens = tree.organizations[0]?.projects.map(({ token }) => token) ?? [];
  // Each project by itself spent most on another trace than both together did.
  const parts = [generations("a", "a", "a", "both", "both"), generations("b", "b", "b", "both", "both")];
  for (const [at, api_key] of tokens.entries()) {
    const body = JSON.stringify({ api_key, batch: [identified, ...(parts[at] ?? [])] });
    expect((await fetch(`${ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  }
  const api = apiClient(baseUrl, tree.organizations[0]?.members[0]?.personal_api_keys[0]?.value ?? "");
  const query = "product=service_code&date_from=2026-11-10&date_to=2026-11-11&limit=1&refresh=true";
  await eventually(
    async () =>
      expect((await api.get(`/api/llm_analytics/@me/spend/?${query}`)).body).toMatchObject([
        {
          summary: { scoped_event_count: 10 },
          by_model: { items: [{ model: "both", cost_usd: 4 }], truncated: true },
          top_traces: { items: [{ trace_id: "both", generation_count: 4, cost_usd: 4 }], truncated: true },
        },
      ]),
    { everyMs: 7_000 },
  );
});
