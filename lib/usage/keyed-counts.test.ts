import { describe, expect, it } from "vitest";
import { KEYED_EVENTS, type KeyedCount, keyedCount } from "./keyed-counts.ts";

const generation = (more: object = {}) => ({
  ai_product: "surveys",
  $ai_billable: true,
  $ai_total_cost_usd: 0.5,
  $ai_trace_id: "t",
  ...more,
});
const ofTrace = (state: unknown) => ({ $ai_trace_id: "t", $ai_output_state: state });
const FREE = { messages: [{ tool_calls: [{ name: "summarize_sessions" }] }] };

/** Rows and their keyed counts as they stand in the facts of files. */
const KEYED: readonly (readonly [string, object, KeyedCount])[] = [
  ["survey sent", { $survey_submission_id: "x" }, ["~survey PH6byTDck_Af", 1]],
  ["survey sent", { $survey_id: "s", $survey_submission_id: "x" }, ["~survey SbLDuiBM5NRk", 1]],
  ["$snapshot", { $session_id: "x" }, ["~web LXEWQrcmsEQB", 1]],
  ["$snapshot", { $session_id: "x", $snapshot_source: "mobile" }, ["~mobile LXEWQrcmsEQB", 1]],
  ["$$recording", { $session_id: "x" }, ["~web LXEWQrcmsEQB", 1]],
  ["$$mobile_recording", { $session_id: "x" }, ["~mobile LXEWQrcmsEQB", 1]],
  ["$ai_generation", generation(), ["~assistant 47mKTaMaEn1L", 50_000]],
  ["$ai_generation", generation({ ai_product: "service_code", $ai_trace_id: 7 }), ["~code ", 50_000]],
  ["$ai_generation", generation({ $ai_billable: 1, task_origin_product: "another" }), ["~assistant 47mKTaMaEn1L", 50_000]],
  ["$ai_generation", generation({ $ai_billable: "1", $ai_total_cost_usd: "0.29" }), ["~assistant 47mKTaMaEn1L", 29_000]],
  ["$ai_generation", generation({ $ai_total_cost_usd: 0.00001 }), ["~assistant 47mKTaMaEn1L", 1]],
  ["$ai_generation", generation({ $ai_total_cost_usd: 1_000_000 }), ["~assistant 47mKTaMaEn1L", 100_000_000_000]],
  ["$ai_trace", ofTrace(FREE), ["~free 47mKTaMaEn1L", 1]],
  ["$ai_trace", ofTrace(JSON.stringify(FREE)), ["~free 47mKTaMaEn1L", 1]],
];

const UNKEYED: readonly (readonly [string, object])[] = [
  ["another", { $session_id: "x", $survey_submission_id: "x" }],
  ["survey sent", { $survey_submission_id: 5 }],
  ["$snapshot", { $session_id: "" }],
  ["$$recording", { $process_person_profile: false }],
  ["$ai_generation", generation({ ai_product: "mine" })],
  ...[0, false, null, "yes"].map((billable) => ["$ai_generation", generation({ $ai_billable: billable })] as const),
  ["$ai_generation", generation({ task_origin_product: "task_analysis" })],
  ...[0, -1, 0.000009, 1_000_001, "x", "0x10", true, [0.5], null].map(
    (cost) => ["$ai_generation", generation({ $ai_total_cost_usd: cost })] as const,
  ),
  ["$ai_trace", { ...ofTrace(FREE), $ai_trace_id: "" }],
  ...[
    null,
    5,
    '{"tool_calls"',
    '["tool_calls"]',
    [{ tool_calls: [] }],
    { messages: "tool_calls" },
    { messages: [null, { tool_calls: {} }] },
  ].map((state) => ["$ai_trace", ofTrace(state)] as const),
  ["$ai_trace", ofTrace({ messages: [{ tool_calls: [{ name: "search", args: null }] }] })],
];

describe("the keyed count of a row", () => {
  it.each(KEYED)("stays what it is in the files that there are: %s %j", (event, properties, counted) => {
    expect(keyedCount(event, JSON.stringify(properties))).toEqual(counted);
  });

  it.each(UNKEYED)("is on no other row: %s %j", (event, properties) => {
    expect(keyedCount(event, JSON.stringify(properties))).toBeUndefined();
  });

  it("tells surveys apart whose ids are numbers that differ in the last digit", () => {
    const counts = [12345678901234567n, 12345678901234568n].map((id) =>
      keyedCount("survey sent", `{"$survey_id":${id},"$survey_submission_id":"x"}`),
    );
    expect(new Set(counts.map(String)).size).toBe(2);
  });

  it("needs no other properties than those that are read for it", () => {
    for (const [event, properties] of [...KEYED, ...UNKEYED]) {
      const all = { ...properties, more: "x" };
      const read = Object.fromEntries(Object.entries(all).filter(([name]) => KEYED_EVENTS[event]?.includes(name)));
      expect(keyedCount(event, JSON.stringify(read)), JSON.stringify(all)).toEqual(keyedCount(event, JSON.stringify(all)));
    }
    expect(KEYED_EVENTS["survey sent"]).toContain("$product_tour_id");
  });
});
