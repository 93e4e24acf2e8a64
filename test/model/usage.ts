import type { Copy } from "./copies.ts";
import { Exact, sorted } from "./json.ts";
import { MOBILE_SESSION, WEB_SESSION } from "./recordings.ts";
import { isFreeTrace } from "./traces.ts";

const NEVER_EVENTS = [
  ..."$snapshot,$feature_flag_called,$experiment_exposure,survey sent,survey shown,survey dismissed,$exception".split(","),
  ..."loaded,widget_loaded,message_sent,user_identified,restore_link_requested,widget_state_changed,back_to_tickets"
    .split(",")
    .map((name) => `$conversations_${name}`),
];

/** How much of each usage type there is on each UTC day; what is imported has types of its own. Keys are `day type`. */
export const usageOf = (copies: readonly Copy[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const add = (day: number, type: string, count = 1): void => {
    const name = `${day} ${type}_in_period`;
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  };
  for (const copy of copies) for (const type of typesOf(copy)) add(copy.day, copy.historical ? `historical:${type}` : type);
  const live = copies.filter(({ historical }) => !historical);
  for (const parts of named(live, submissionOf)) add(Math.min(...parts.map(({ day }) => day)), "survey_responses_count");
  for (const pieces of named(live, recordingOf)) {
    const days = Map.groupBy(pieces, ({ day }) => day);
    // What was recorded the day before only goes on.
    for (const [day, own] of days) if (!days.has(day - 1)) for (const type of own.every(isMobile) ? MOBILE : WEB) add(day, type);
  }
  for (const [day, generations] of Map.groupBy(generationsOf(live), (generation) => generation.day)) {
    const cost = (isCode: boolean): bigint =>
      generations.reduce((sum, { copy }) => ((copy.properties.ai_product === CODE) === isCode ? sum + costOf(copy) : sum), 0n);
    // A credit is a cent, and the assistant's cost a fifth more.
    add(day, "ai_credits_used", halfEven(cost(false) * 120n, 100_000n));
    for (const type of ["service_code_token_credits_used", "service_code_credits_used"]) add(day, type, halfEven(cost(true), 1_000n));
  }
  return counts;
};

const WEB = ["recording_count"];
const MOBILE = ["mobile_recording_count", "mobile_billable_recording_count"];

/** What a copy counts towards by itself. */
const typesOf = (copy: Copy): readonly string[] => {
  const { event, isPersonal, historical } = copy;
  if (event === "$exception") return ["exceptions_captured"];
  if (event.startsWith("$ai_")) return ["ai_event_count"];
  if (event === "survey sent") return isOfTour(copy) || (submissionOf(copy) !== null && !historical) ? [] : ["survey_responses_count"];
  if (recordingOf(copy) !== null) return [];
  if (event === WEB_SESSION) return WEB;
  if (event === MOBILE_SESSION) return MOBILE;
  if (NEVER_EVENTS.includes(event)) return [];
  return isPersonal ? ["event_count", "enhanced_persons_event_count"] : ["event_count"];
};

/** The copies that are parts of something, by what they are parts of. */
const named = (copies: readonly Copy[], nameOf: (copy: Copy) => string | null): Iterable<readonly Copy[]> => {
  const parts = Map.groupBy(copies, nameOf);
  parts.delete(null);
  return parts.values();
};

const isOfTour = ({ properties }: Copy): boolean => (properties.$product_tour_id ?? null) !== null;

/** Which submission of which survey a copy is a part of. */
const submissionOf = (copy: Copy): string | null => {
  const { $survey_id: survey, $survey_submission_id: submission } = copy.properties;
  const isPart = copy.event === "survey sent" && !isOfTour(copy) && typeof submission === "string" && submission !== "";
  return isPart ? sorted([survey ?? null, submission]) : null;
};

/** Which recording a copy is a piece of. */
const recordingOf = ({ event, properties: { $session_id: session } }: Copy): string | null =>
  RECORDINGS.includes(event) && typeof session === "string" && session !== "" ? session : null;

const RECORDINGS = ["$snapshot", WEB_SESSION, MOBILE_SESSION];

const isMobile = ({ event, properties }: Copy): boolean => event === MOBILE_SESSION || properties.$snapshot_source === "mobile";

const CODE = "service_code";
const PRODUCTS: readonly unknown[] = [
  ...[CODE, "assistant", "posthog_ai", "slack_app", "workflows", "subscriptions", "alert_investigation_agent", "alert_llm_detector"],
  ...["product_analytics", "surveys", "replay_vision", "hogql_decide"],
];
const YES: readonly unknown[] = [true, "true", 1, "1"];

/** The generations that cost something, which those of a free trace do not. */
const generationsOf = (copies: readonly Copy[]) => {
  const free = new Set(
    copies.flatMap(({ event, properties }) =>
      event === "$ai_trace" && isFreeTrace(properties.$ai_output_state) ? [properties.$ai_trace_id] : [],
    ),
  );
  return copies.flatMap((copy) => {
    const { ai_product: product, $ai_billable: billable, $ai_trace_id: trace, task_origin_product: origin } = copy.properties;
    const costs = copy.event === "$ai_generation" && PRODUCTS.includes(product) && YES.includes(billable) && origin !== "task_analysis";
    return costs && !free.has(trace) ? [{ copy, day: copy.day }] : [];
  });
};

/** Hundred-thousandths of a dollar; finer digits are dropped. */
const costOf = ({ properties: { $ai_total_cost_usd: cost } }: Copy): bigint => {
  const text = cost instanceof Exact ? cost.digits : String(cost);
  const [, dollars, fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return dollars === undefined ? 0n : BigInt(dollars + fraction.padEnd(5, "0").slice(0, 5));
};

const halfEven = (amount: bigint, per: bigint): number => {
  const [whole, rest] = [amount / per, amount % per];
  const isMore = 2n * rest > per || (2n * rest === per && whole % 2n === 1n);
  return Number(isMore ? whole + 1n : whole);
};
