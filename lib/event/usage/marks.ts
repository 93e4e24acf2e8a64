import { createHash } from "node:crypto";
import { exactJson, isExactNumber } from "../../core/exact-json.ts";
import { type Fields, isFields } from "../fields.ts";
import { MOBILE_RECORDING, RECORDING } from "../recordings.ts";
import { isFreeTrace } from "./free-traces.ts";

/**
 * What cannot be counted row by row is written down as marks: names among a file's counts that say of what something is, with how much
 * of it there is. They add up and are taken back like counts, and only all of them together say what is counted: see `settled`.
 */
export const MARK = "~";

/** What a mark is of. */
export const MARKS = {
  /** Rows of one submission of one survey. */
  submission: `${MARK}survey `,
  /** Rows of a recording of the web, and of one of a mobile application. */
  web: `${MARK}web `,
  mobile: `${MARK}mobile `,
  /** Cost of a trace's generations by the assistant, and by the code product, in hundred-thousandths of a dollar. */
  assistant: `${MARK}assistant `,
  code: `${MARK}code `,
  /** Rows that say that a trace costs nothing. */
  free: `${MARK}free `,
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
export const MARKED_EVENTS: Readonly<Record<string, readonly string[]>> = {
  "survey sent": ["$product_tour_id", "$survey_id", "$survey_submission_id"],
  $snapshot: ["$session_id", "$snapshot_source"],
  [RECORDING]: ["$session_id"],
  [MOBILE_RECORDING]: ["$session_id"],
  $ai_generation: ["ai_product", "$ai_billable", "$ai_total_cost_usd", "$ai_trace_id", "task_origin_product"],
  $ai_trace: ["$ai_trace_id", "$ai_output_state"],
};

/** A mark, and how much of it a row is. */
export type RowMark = readonly [name: string, amount: number];

/** The mark of a row; undefined for one that has none. */
export const markOf = (event: string, properties: string): RowMark | undefined => {
  switch (event) {
    case "survey sent":
      return submissionMark(asFields(exactJson(properties)));
    case "$snapshot":
      return recordingMark(fieldsOf(properties));
    case RECORDING:
      return sessionMark(MARKS.web, fieldsOf(properties));
    case MOBILE_RECORDING:
      return sessionMark(MARKS.mobile, fieldsOf(properties));
    case "$ai_generation":
      // Most applications' generations are of no product here, and their prompts are long.
      return properties.includes('"ai_product"') ? generationMark(fieldsOf(properties)) : undefined;
    case "$ai_trace":
      return properties.includes("tool_calls") ? traceMark(fieldsOf(properties)) : undefined;
    default:
      return undefined;
  }
};

const fieldsOf = (properties: string): Fields => asFields(JSON.parse(properties));

const asFields = (parsed: unknown): Fields => (isFields(parsed) ? parsed : {});

const submissionMark = ({ $survey_id: survey, $survey_submission_id: submission }: Fields): RowMark | undefined =>
  isText(submission) ? [MARKS.submission + shortened(`${surveyName(survey)}\0${submission}`), 1] : undefined;

/** Of longer numbers the engine, which counts rows that are dropped, has no more digits than a double. */
const ENGINES_DIGITS = /^-?\d{1,18}$/;

const surveyName = (survey: unknown): string => {
  if (!isExactNumber(survey)) return String(survey ?? "");
  return ENGINES_DIGITS.test(survey.rawJSON) ? survey.rawJSON : String(Number(survey.rawJSON));
};

const recordingMark = (fields: Fields): RowMark | undefined =>
  sessionMark(fields.$snapshot_source === "mobile" ? MARKS.mobile : MARKS.web, fields);

/** What counts a session on the day that it began says nothing of it. */
const sessionMark = (kind: string, { $session_id: session }: Fields): RowMark | undefined =>
  isText(session) ? [kind + shortened(session), 1] : undefined;

const generationMark = (fields: Fields): RowMark | undefined => {
  const {
    ai_product: product,
    $ai_billable: billable,
    $ai_total_cost_usd: cost,
    $ai_trace_id: trace,
    task_origin_product: origin,
  } = fields;
  const kind = ASSISTANTS.has(product) ? MARKS.assistant : CODE.has(product) ? MARKS.code : undefined;
  const isBillable = billable === true || billable === 1 || billable === "true" || billable === "1";
  if (kind === undefined || !isBillable || UNBILLED_ORIGINS.has(origin)) return undefined;
  const amount = hundredThousandths(Number(cost));
  return amount > 0 ? [kind + traceName(trace), amount] : undefined;
};

const traceMark = (fields: Fields): RowMark | undefined => {
  const { $ai_trace_id: trace, $ai_output_state: state } = fields;
  return isText(trace) && isFreeTrace(state) ? [MARKS.free + traceName(trace), 1] : undefined;
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
