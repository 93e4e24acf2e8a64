import { describe, expect, it } from "vitest";
import * as z from "zod";
import { closeDue } from "../../../functions/closing/schedule.ts";
import { showUsage } from "../../../infra/cli/usage-command.ts";
import { Invoices } from "../../../lib/billing/invoices.ts";
import { subscribe } from "../../../lib/billing/plans.ts";
import { list } from "../../../lib/table/store.ts";
import { type ATenant, aTenant, eventually, itsOwnPlatform } from "../../support/processes/platform.ts";

const platform = itsOwnPlatform();

const DAY_MS = 86_400_000;
const now = new Date();
/** The first day of this month, and the last of the one before. */
const FIRST = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
const LAST = FIRST - DAY_MS;
const NEXT = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
const MINUTE_MS = 60_000;
const BEFORE_MIDNIGHT = FIRST - MINUTE_MS;
const AFTER_MIDNIGHT = FIRST + MINUTE_MS;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const send = async (tenant: ATenant, at: number, event: string, properties: object): Promise<void> => {
  const batch = [{ event, distinct_id: "ana", timestamp: new Date(at).toISOString(), properties }];
  const reply = await fetch(`${platform().ingestUrl}/batch/`, {
    method: "POST",
    body: JSON.stringify({ api_key: tenant.projectToken, batch }),
  });
  expect(reply.status).toBe(200);
};

const answer = (submission: string) => ({ $survey_id: "s", $survey_submission_id: submission });
const generation = (trace: string) => ({ ai_product: "assistant", $ai_billable: true, $ai_trace_id: trace, $ai_total_cost_usd: 0.5 });
const freeEnd = (trace: string) => ({
  $ai_trace_id: trace,
  $ai_output_state: { messages: [{ type: "human" }, { tool_calls: [{ name: "summarize_sessions" }] }] },
});

const billing = async (tenant: ATenant, path: string): Promise<unknown> => {
  const reply = await fetch(`${platform().baseUrl}/api/billing/${path}`, {
    headers: { authorization: `Bearer ${tenant.personalKey}` },
  });
  expect(reply.ok, `${path} ${reply.status}`).toBe(true);
  return reply.json();
};

const Series = z.object({
  results: z.array(z.looseObject({ breakdown_value: z.unknown(), data: z.array(z.number()), dates: z.array(z.string()) })),
});
const Shown = z.object({ usage: z.array(z.object({ day: z.string(), usage_type: z.string(), count: z.int() })) });
const Overview = z.object({ usage_summary: z.record(z.string(), z.object({ usage: z.int() })) });

/** What is not zero, as `date type count`. */
const series = async (tenant: ATenant): Promise<readonly string[]> => {
  const query = new URLSearchParams({ breakdowns: '["type"]', start_date: dateOf(LAST), end_date: dateOf(now.getTime()) });
  const { results } = Series.parse(await billing(tenant, `usage/?${query}`));
  return results
    .flatMap(({ breakdown_value: type, data, dates }) => data.flatMap((count, at) => (count > 0 ? [`${dates[at]} ${type} ${count}`] : [])))
    .sort();
};

const admin = async ({ projectId }: ATenant): Promise<readonly string[]> => {
  const nothing = async (): Promise<void> => undefined;
  const target = {
    world: platform().world,
    forgetKeys: () => undefined,
    close: nothing,
  };
  const { json } = await showUsage(target, { words: [], flags: { project: String(projectId) }, switches: new Set() });
  return Shown.parse(json)
    .usage.map(({ day, usage_type, count }) => `${day} ${usage_type} ${count}`)
    .sort();
};

const isCounted = (tenant: ATenant, counts: readonly string[]): Promise<void> =>
  eventually(async () => expect(await series(tenant)).toEqual([...counts].sort()), { everyMs: 250 });

const SURVEYS = "survey_responses_count_in_period";

describe("usage over the end of a month", () => {
  it("counts what goes on there once, on the day it begins, in whichever order it arrives and is counted", async () => {
    const tenant = await aTenant(platform().world);
    const { world } = platform();
    const command = { organization: tenant.organizationId, operation: "activate", key: undefined, body: null };
    await subscribe({ ...world, clock: { now: () => FIRST } }, command, "surveys:");
    const halves = {
      first: async () => {
        await send(tenant, BEFORE_MIDNIGHT, "survey sent", answer("one"));
        await send(tenant, AFTER_MIDNIGHT, "survey sent", answer("two"));
        await send(tenant, BEFORE_MIDNIGHT, "$snapshot", { $session_id: "a" });
        await send(tenant, AFTER_MIDNIGHT, "$snapshot", { $session_id: "b" });
        await send(tenant, BEFORE_MIDNIGHT, "$ai_generation", generation("t"));
        await send(tenant, AFTER_MIDNIGHT, "$ai_trace", freeEnd("u"));
        await send(tenant, BEFORE_MIDNIGHT, "$ai_generation", generation("paid"));
      },
      second: async () => {
        await send(tenant, AFTER_MIDNIGHT, "survey sent", answer("one"));
        await send(tenant, BEFORE_MIDNIGHT, "survey sent", answer("two"));
        await send(tenant, AFTER_MIDNIGHT, "$snapshot", { $session_id: "a" });
        await send(tenant, BEFORE_MIDNIGHT, "$snapshot", { $session_id: "b" });
        await send(tenant, AFTER_MIDNIGHT, "$ai_trace", freeEnd("t"));
        await send(tenant, BEFORE_MIDNIGHT, "$ai_generation", generation("u"));
        await send(tenant, AFTER_MIDNIGHT, "$ai_generation", generation("paid"));
        await send(tenant, AFTER_MIDNIGHT, "survey sent", {});
      },
    };
    const [last, first] = [dateOf(LAST), dateOf(FIRST)];
    await halves.first();
    await isCounted(tenant, [
      `${last} ${SURVEYS} 1`,
      `${first} ${SURVEYS} 1`,
      `${last} recording_count_in_period 1`,
      `${first} recording_count_in_period 1`,
      `${last} ai_event_count_in_period 2`,
      `${first} ai_event_count_in_period 1`,
      `${last} ai_credits_used_in_period 120`,
    ]);
    await halves.second();
    const settled = [
      `${last} ${SURVEYS} 2`,
      `${first} ${SURVEYS} 1`,
      `${last} recording_count_in_period 2`,
      `${last} ai_event_count_in_period 3`,
      `${first} ai_event_count_in_period 3`,
      `${last} ai_credits_used_in_period 60`,
      `${first} ai_credits_used_in_period 60`,
    ];
    await isCounted(tenant, settled);
    expect(await admin(tenant)).toEqual([...settled].sort());
    const { usage_summary } = Overview.parse(await billing(tenant, ""));
    expect(usage_summary).toMatchObject({ survey_responses: { usage: 1 }, recordings: { usage: 0 }, ai_credits: { usage: 60 } });

    await closeDue({ ...world, clock: { now: () => NEXT + 8 * DAY_MS } }, { remainingMs: () => MINUTE_MS });
    const [invoice] = (await list(world.table, Invoices, "key", { organization_id: tenant.organizationId })).filter(
      ({ period_start }) => period_start === FIRST,
    );
    const lines = invoice?.lines.map(({ usage_type, quantity }) => [usage_type, quantity]);
    expect(lines).toEqual([[SURVEYS, 1]]);
  });
});
