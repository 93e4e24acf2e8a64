import { Exact } from "../model/json.ts";
import type { Random } from "./random.ts";
import type { SentEvent } from "./scenario.ts";

/** Events that are counted otherwise than one by one. */
export const BILLED_EVENTS = ["survey sent", "$snapshot", "$ai_generation", "$ai_trace"] as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The midnight at which a month began, and the one that comes after a time. */
export const midnightsAt = (time: number): readonly [number, number] => {
  const date = new Date(time);
  return [Date.UTC(date.getUTCFullYear(), date.getUTCMonth()), (Math.floor(time / DAY_MS) + 1) * DAY_MS];
};

/** What an event says that is a part of something around a midnight: of one of so many submissions, recordings or traces. */
export const billedEvent = (random: Random, midnight: number, most: number, event = random.pick(BILLED_EVENTS)): SentEvent => {
  const number = random.int(1, most);
  return { event, properties: saidOf(random, event, `${new Date(midnight).toISOString().slice(0, 10)}-${number}`, number % 3) };
};

/** Within the days before and after a midnight, or right beside it; no further ahead than an event may be. */
export const timeBeside = (random: Random, midnight: number): number =>
  midnight + random.pick([-1, 0, 1, random.int(-20 * HOUR_MS, 0), random.int(0, 10 * HOUR_MS)]);

const saidOf = (random: Random, event: (typeof BILLED_EVENTS)[number], name: string, kind: number): SentEvent => {
  switch (event) {
    case "survey sent": {
      const submission = random.chance(0.9) ? { $survey_submission_id: name } : {};
      return {
        $survey_id: random.pick(["nps", "nps", "csat"]),
        ...submission,
        ...(random.chance(0.1) ? { $product_tour_id: "tour" } : {}),
      };
    }
    case "$snapshot":
      return { $session_id: name, $snapshot_source: kind === 0 ? "mobile" : "web" };
    case "$ai_generation":
      return {
        ai_product: random.pick(["assistant", "service_code", "assistant", "chat"]),
        $ai_billable: random.pick([true, true, "true", false]),
        $ai_total_cost_usd: random.pick(COSTS),
        ...(random.chance(0.7) ? { $ai_trace_id: name } : {}),
        ...(random.chance(0.1) ? { task_origin_product: "task_analysis" } : {}),
      };
    case "$ai_trace": {
      const state = { messages: [...CHARGED, HUMAN, ...(kind === 1 ? CHARGED : FREE)] };
      return { $ai_trace_id: name, $ai_output_state: random.chance(0.5) ? state : JSON.stringify(state) };
    }
  }
};

/** Parts of a cent, halves of a credit, and digits that are dropped. */
const COSTS: readonly [unknown, ...unknown[]] = [0.01, 0.005, 0.0125, 0.12345, 0.000019, "0.5", 3, new Exact("0.0123400000000000000001")];

const HUMAN = { type: "human", content: "How?" };
const CHARGED = [HUMAN, { type: "ai", tool_calls: [{ name: "search", args: { kind: "insights" } }] }];
const FREE = [
  { type: "ai", tool_calls: [{ name: "search", args: { kind: "docs" } }] },
  { type: "ai", tool_calls: [{ name: "summarize_sessions", args: {} }] },
];

/** A piece of a recording as a recorder sends it to `/s/`, of one of so many sessions. Its id says when it began, unless that is null. */
export const recordingPiece = (random: Random, began: number | null, most: number): SentEvent => {
  const number = random.int(1, most);
  const digits = began?.toString(16).padStart(12, "0");
  const tail = number.toString(16).padStart(12, "0");
  const session = digits === undefined ? `session ${number}` : `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-${tail}`;
  return { event: "$snapshot", properties: { $session_id: session, $snapshot_source: number % 3 === 0 ? "mobile" : "web" } };
};
