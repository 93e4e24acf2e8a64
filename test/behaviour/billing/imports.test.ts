import { describe, expect, it } from "vitest";
import * as z from "zod";
import { showUsage } from "../../../infra/cli/usage-command.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** Events of each kind that is billed, and of those that other pipelines take. */
const EVERY_KIND = [
  { event: "$pageview", properties: {} },
  { event: "$$heatmap", properties: {} },
  { event: "$$client_ingestion_warning", properties: {} },
  { event: "$exception", properties: { $exception_list: [{ type: "E", value: "boom" }] } },
  { event: "$ai_generation", properties: {} },
  { event: "survey sent", properties: { $survey_id: "s" } },
];

const send = async ({ projectToken: api_key }: ATenant, at: string, events: readonly object[], historical_migration: boolean) => {
  const batch = events.map((event) => ({ distinct_id: "ana", timestamp: at, ...event }));
  const body = JSON.stringify({ api_key, historical_migration, batch });
  const reply = await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body });
  expect(reply.status).toBe(200);
};

const Usage = z.object({ results: z.array(z.looseObject({ breakdown_value: z.string(), data: z.array(z.number()) })) });

/** What is billed of the last forty days, by type. */
const billed = async ({ personalKey }: ATenant): Promise<Readonly<Record<string, number>>> => {
  const query = new URLSearchParams({ breakdowns: '["type"]', start_date: "-40d" });
  const reply = await fetch(`${platform().baseUrl}/api/billing/usage/?${query}`, { headers: { authorization: `Bearer ${personalKey}` } });
  const { results } = Usage.parse(await reply.json());
  return Object.fromEntries(results.map(({ breakdown_value, data }) => [breakdown_value, data.reduce((sum, count) => sum + count, 0)]));
};

const Counted = z.object({ usage: z.array(z.object({ usage_type: z.string() })) });

/** The names under which something was counted so far, for the operator. */
const counted = async ({ projectId }: ATenant): Promise<readonly string[]> => {
  const target = { world: platform().world, forgetKeys: () => undefined, close: async () => undefined };
  const { json } = await showUsage(target, { words: [], flags: { project: String(projectId) }, switches: new Set() });
  return Counted.parse(json).usage.map(({ usage_type }) => usage_type);
};

describe("GET /api/billing/usage/ of an import", () => {
  it("200: nothing that was imported is billed, of whichever kind; what is too young for an import is", async () => {
    const tenant = await aTenant(platform().world);
    await send(tenant, daysAgo(20), EVERY_KIND, true);
    await send(tenant, daysAgo(1), EVERY_KIND, true);
    const once = {
      event_count_in_period: 3,
      enhanced_persons_event_count_in_period: 3,
      exceptions_captured_in_period: 1,
      ai_event_count_in_period: 1,
      survey_responses_count_in_period: 1,
    };
    const imported = Object.keys(once).map((type) => `historical:${type}`);
    await eventually(async () => expect(await counted(tenant)).toEqual(expect.arrayContaining(imported)));
    await eventually(async () => expect(await billed(tenant)).toEqual(once));
  });
});
