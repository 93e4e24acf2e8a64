import { PostHog } from "posthog-node";
import { expect, test } from "vitest";
import * as z from "zod";
import { aPlatform, aTenant, eventually } from "../support/processes/platform.ts";

const platform = aPlatform();
const BUDGET = { everyMs: 500 };
const Answer = z.object({ results: z.array(z.array(z.unknown())) });

test("posthog-node hears that a flag has no payload, and its AI events arrive by their own path", async () => {
  const tenant = await aTenant(platform().world);
  const faults: unknown[] = [];
  const client = new PostHog(tenant.projectToken, { host: platform().ingestUrl, personalApiKey: tenant.personalKey, flushAt: 1 });
  client.on("error", (fault) => faults.push(fault));
  expect(await client.getRemoteConfigPayload("beta")).toBeNull();
  client.captureAi({ distinctId: "ana", event: "$ai_generation", properties: { $ai_model: "claude", $ai_input_tokens: 12 } });
  await client.shutdown();
  const base = `${platform().baseUrl}/api/projects/${tenant.projectId}/endpoints/`;
  const headers = { authorization: `Bearer ${tenant.personalKey}`, "content-type": "application/json" };
  const query = {
    kind: "HogQLQuery",
    query: "SELECT event, properties.$ai_model, count() FROM events WHERE event = '$ai_generation' GROUP BY 1, 2",
  };
  await fetch(base, { method: "POST", headers, body: JSON.stringify({ name: "generations", query }) });
  await eventually(async () => {
    const reply = await fetch(`${base}generations/run/`, { method: "POST", headers, body: '{"refresh":"force"}' });
    expect(Answer.parse(await reply.json()).results).toEqual([["$ai_generation", "claude", 1]]);
  }, BUDGET);
  expect(faults).toEqual([]);
});
