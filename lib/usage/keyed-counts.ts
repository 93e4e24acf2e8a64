import { createHash } from "node:crypto";
import { exactJson, isExactNumber } from "../core/exact-json.ts";
import { type Fields, isFields } from "../event/fields.ts";
import { propertyNumber } from "../event/hot-properties.ts";
import { MOBILE_RECORDING, RECORDING } from "../event/recordings.ts";

/**
 * Begins the names of keyed counts. What cannot be counted row by row is counted by a key (a submission, a session, a trace), which is a name
 * among a file's counts. Keyed counts add up and are taken back like others, and only all of them together say what is counted: see
 * `resolveKeyedCounts`.
 */
export const KEY_PREFIX = "~";

/** Whether any of the counts is keyed. */
export const hasKeyedCounts = (days: Readonly<Record<string, Readonly<Record<string, number>>>>): boolean =>
  Object.values(days).some((counts) => Object.keys(counts).some((name) => name.startsWith(KEY_PREFIX)));

/** The kinds of keys, by their prefix. */
export const KEYED_PREFIXES = {
  /** Rows of one submission of one survey. */
  submission: `${KEY_PREFIX}survey `,
  /** Rows of a recording of the web, and of one of a mobile application. */
  web: `${KEY_PREFIX}web `,
  mobile: `${KEY_PREFIX}mobile `,
  /** Cost of a trace's generations by the assistant, and by the code product, in hundred-thousandths of a dollar. */
  assistant: `${KEY_PREFIX}assistant `,
  code: `${KEY_PREFIX}code `,
  /** Rows that say that a trace costs nothing. */
  free: `${KEY_PREFIX}free `,
} as const;

/** The products inside the application whose generations use credits, and the one that has credits of its own. */
const ASSISTANTS: ReadonlySet<unknown> = new Set([
  "assistant",
  "posthog_ai",
  "slack_app",
  "workflows",
  "subscriptions",
  "alert_investigation_agent",
  "alert_llm_detector",
  "product_analytics",
  "surveys",
  "replay_vision",
  "hogql_decide",
]);
const CODE: ReadonlySet<unknown> = new Set(["service_code"]);

/** Work that is never charged, whoever asks for it. */
const UNBILLED_ORIGINS: ReadonlySet<unknown> = new Set(["task_analysis"]);

/** The events whose properties are looked at, and which of those. */
export const KEYED_EVENTS: Readonly<Record<string, readonly string[]>> = {
  "survey sent": ["$product_tour_id", "$survey_id", "$survey_submission_id"],
  $snapshot: ["$session_id", "$snapshot_source"],
  [RECORDING]: ["$session_id"],
  [MOBILE_RECORDING]: ["$session_id"],
  $ai_generation: ["ai_product", "$ai_billable", "$ai_total_cost_usd", "$ai_trace_id", "task_origin_product"],
  $ai_trace: ["$ai_trace_id", "$ai_output_state"],
};

/** A name with its key, and how much of it a row is. */
export type KeyedCount = readonly [name: string, amount: number];

/** The keyed count of a row; undefined for one that has none. */
export const keyedCount = (event: string, properties: string): KeyedCount | undefined => {
  switch (event) {
    case "survey sent":
      return submissionCount(asFields(exactJson(properties)));
    case "$snapshot":
      return recordingCount(parseFields(properties));
    case RECORDING:
      return sessionCount(KEYED_PREFIXES.web, parseFields(properties));
    case MOBILE_RECORDING:
      return sessionCount(KEYED_PREFIXES.mobile, parseFields(properties));
    case "$ai_generation":
      // Most applications' generations are of no product here, and their prompts are long.
      return properties.includes('"ai_product"') ? generationCost(parseFields(properties)) : undefined;
    case "$ai_trace":
      return properties.includes("tool_calls") ? freeTraceCount(parseFields(properties)) : undefined;
    default:
      return undefined;
  }
};

const parseFields = (properties: string): Fields => asFields(JSON.parse(properties));

const asFields = (parsed: unknown): Fields => (isFields(parsed) ? parsed : {});

const submissionCount = ({ $survey_id: survey, $survey_submission_id: submission }: Fields): KeyedCount | undefined =>
  isText(submission) ? [KEYED_PREFIXES.submission + shortened(`${surveyName(survey)}\0${submission}`), 1] : undefined;

/** Of longer numbers the engine, which counts rows that are dropped, has no more digits than a double. */
const ENGINES_DIGITS = /^-?\d{1,18}$/;

const surveyName = (survey: unknown): string => {
  if (!isExactNumber(survey)) return String(survey ?? "");
  return ENGINES_DIGITS.test(survey.rawJSON) ? survey.rawJSON : String(Number(survey.rawJSON));
};

const recordingCount = (fields: Fields): KeyedCount | undefined =>
  sessionCount(fields.$snapshot_source === "mobile" ? KEYED_PREFIXES.mobile : KEYED_PREFIXES.web, fields);

/** What counts a session on the day that it began says nothing of it. */
const sessionCount = (kind: string, { $session_id: session }: Fields): KeyedCount | undefined =>
  isText(session) ? [kind + shortened(session), 1] : undefined;

const generationCost = (fields: Fields): KeyedCount | undefined => {
  const {
    ai_product: product,
    $ai_billable: billable,
    $ai_total_cost_usd: cost,
    $ai_trace_id: trace,
    task_origin_product: origin,
  } = fields;
  const kind = ASSISTANTS.has(product) ? KEYED_PREFIXES.assistant : CODE.has(product) ? KEYED_PREFIXES.code : undefined;
  const isBillable = billable === true || billable === 1 || billable === "true" || billable === "1";
  if (kind === undefined || !isBillable || UNBILLED_ORIGINS.has(origin)) return undefined;
  const amount = hundredThousandths(propertyNumber(cost) ?? 0);
  return amount > 0 ? [kind + traceName(trace), amount] : undefined;
};

const freeTraceCount = (fields: Fields): KeyedCount | undefined => {
  const { $ai_trace_id: trace, $ai_output_state: state } = fields;
  return isText(trace) && isFreeTrace(state) ? [KEYED_PREFIXES.free + traceName(trace), 1] : undefined;
};

/** Tools whose use alone costs nothing; a search only in the documentation. */
const FREE_TOOLS: ReadonlySet<unknown> = new Set(["summarize_sessions", "search"]);
const SEARCH = "search";
const DOCUMENTATION = "docs";

/** Whether a trace's state after its last turn shows calls of tools, and all of them calls that cost nothing. */
const isFreeTrace = (state: unknown): boolean => {
  const calls = lastTurn(messageList(state)).flatMap(toolCalls);
  return calls.length > 0 && calls.every(isFree);
};

const messageList = (state: unknown): readonly unknown[] => listIn(typeof state === "string" ? parsed(state) : state, "messages");

/** The messages after the last one of a person. */
const lastTurn = (messages: readonly unknown[]): readonly unknown[] =>
  messages.slice(messages.findLastIndex((message) => isFields(message) && message.type === "human") + 1);

const toolCalls = (message: unknown): readonly unknown[] => listIn(message, "tool_calls");

const isFree = (call: unknown): boolean => {
  if (!isFields(call) || !FREE_TOOLS.has(call.name)) return false;
  return call.name !== SEARCH || (isFields(call.args) && call.args.kind === DOCUMENTATION);
};

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const found = isFields(value) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** What belongs to no trace has none to be free by. */
const traceName = (trace: unknown): string => (isText(trace) ? shortened(trace) : "");

const DIGITS = 5;
const MAX_COST = 1_000_000;

/** Finer digits of a cost are dropped. */
const hundredThousandths = (usd: number): number => (usd > 0 && usd <= MAX_COST ? Math.floor(Number((usd * 10 ** DIGITS).toFixed(3))) : 0);

const ID_CHARACTERS = 12;

/** Ids of tenants are of any length. */
const shortened = (id: string): string => createHash("sha256").update(id).digest("base64url").slice(0, ID_CHARACTERS);
