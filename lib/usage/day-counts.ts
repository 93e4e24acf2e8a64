import { DAY_MS } from "../core/time.ts";
import { utcDay } from "../event/days.ts";
import type { EventRow } from "../event/event.ts";
import { isFields } from "../event/fields.ts";
import { MOBILE_RECORDING, RECORDING } from "../event/recordings.ts";
import { type RowUsageType, USAGE_IDENTIFIERS, USAGE_TYPES } from "./identifiers.ts";
import { KEY_PREFIX, keyedCount } from "./keyed-counts.ts";

/** Counts per UTC day (days since 1970, as text) and usage type: facts about a file, never incremented. */
export type DayCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Names that are never billed as events, besides all that begin with `$ai_`. Pieces of a recording are none at all. */
const NOT_EVENTS: ReadonlySet<string> = new Set([
  "$snapshot",
  "$experiment_exposure",
  "survey sent",
  "survey shown",
  "survey dismissed",
  "$exception",
  "$conversations_loaded",
  "$conversations_widget_loaded",
  "$conversations_message_sent",
  "$conversations_user_identified",
  "$conversations_restore_link_requested",
  "$conversations_widget_state_changed",
  "$conversations_back_to_tickets",
]);

/** Rows of an import count under the type's name with this before it, so that nothing that bills ever sees them. */
export const HISTORICAL = "historical:";

/** What counting needs of a row. */
export type Countable = Pick<EventRow, "event" | "timestamp" | "historical" | "person_mode" | "properties">;

/**
 * Counts per UTC day and usage type of a set of rows. Days before 2015 are counted under the first day of their year, so that a
 * file's counts stay small whatever is sent.
 */
export const countUsage = (rows: readonly Countable[]): DayCounts => {
  const days = new Map<number, Map<string, number>>();
  for (const row of rows) {
    const type = typeOf(row);
    const keyed = type === "exempt" || row.historical ? undefined : keyedCount(row.event, row.properties);
    if (keyed === undefined && (type === null || type === "exempt")) continue;
    const day = countedDay(utcDay(row.timestamp));
    const counts = days.get(day) ?? new Map<string, number>();
    days.set(day, counts);
    if (keyed !== undefined) counts.set(keyed[0], (counts.get(keyed[0]) ?? 0) + keyed[1]);
    if (type === null || type === "exempt") continue;
    if (keyed !== undefined && SETTLED.has(type)) {
      if (type !== "survey_responses_count_in_period") counts.set(SESSIONS, (counts.get(SESSIONS) ?? 0) + 1);
      continue;
    }
    add(counts, row.historical, type);
    if (type === "event_count_in_period" && row.person_mode !== "propertyless") {
      add(counts, row.historical, "enhanced_persons_event_count_in_period");
    }
    if (type === "mobile_recording_count_in_period") add(counts, row.historical, "mobile_billable_recording_count_in_period");
  }
  return Object.fromEntries([...days].map(([day, counts]) => [day, Object.fromEntries(counts)]));
};

/** Of a row with a keyed count these types are counted by that alone. */
const SETTLED: ReadonlySet<string> = new Set(USAGE_TYPES.filter((type) => USAGE_IDENTIFIERS[type].counted === "rows and keys"));

/** What a row counts towards, besides person processing and keyed counts. Null: nothing; exempt: not even by a key. */
const typeOf = ({ event, properties }: Countable): RowUsageType | "exempt" | null => {
  if (event === "$exception") return "exceptions_captured_in_period";
  if (event === "survey sent") return isOfTour(properties) ? "exempt" : "survey_responses_count_in_period";
  if (event === "$feature_flag_called") return "billable_feature_flag_requests_count_in_period";
  if (event.startsWith("$ai_")) return "ai_event_count_in_period";
  if (event === RECORDING) return "recording_count_in_period";
  if (event === MOBILE_RECORDING) return "mobile_recording_count_in_period";
  return NOT_EVENTS.has(event) ? null : "event_count_in_period";
};

const TOUR = "$product_tour_id";

/** Surveys that belong to a product tour are free. */
const isOfTour = (properties: string): boolean => {
  if (!properties.includes(TOUR)) return false;
  const parsed: unknown = JSON.parse(properties);
  return isFields(parsed) && (parsed[TOUR] ?? null) !== null;
};

/** The types' names for rows of an import, made once: putting a name together for every row costs more than counting it. */
const HISTORICAL_NAMES: Readonly<Record<RowUsageType, string>> = {
  event_count_in_period: `${HISTORICAL}event_count_in_period`,
  enhanced_persons_event_count_in_period: `${HISTORICAL}enhanced_persons_event_count_in_period`,
  exceptions_captured_in_period: `${HISTORICAL}exceptions_captured_in_period`,
  ai_event_count_in_period: `${HISTORICAL}ai_event_count_in_period`,
  billable_feature_flag_requests_count_in_period: `${HISTORICAL}billable_feature_flag_requests_count_in_period`,
  survey_responses_count_in_period: `${HISTORICAL}survey_responses_count_in_period`,
  recording_count_in_period: `${HISTORICAL}recording_count_in_period`,
  mobile_recording_count_in_period: `${HISTORICAL}mobile_recording_count_in_period`,
  mobile_billable_recording_count_in_period: `${HISTORICAL}mobile_billable_recording_count_in_period`,
};

const add = (counts: Map<string, number>, historical: boolean, type: RowUsageType): void => {
  const name = historical ? HISTORICAL_NAMES[type] : type;
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** Whether there are rows that count recorded sessions among those that gave the counts. */
export const countsRecordings = ({ usage }: { readonly usage: DayCounts }): boolean =>
  Object.values(usage).some((counts) => RECORDING_COUNTS.some((name) => counts[name] !== undefined));

/** How many rows count recorded sessions by their keys: no usage, but what tells that a file has such rows. */
const SESSIONS = `${KEY_PREFIX}sessions`;

const RECORDING_COUNTS: readonly string[] = [
  SESSIONS,
  "recording_count_in_period",
  "mobile_recording_count_in_period",
  HISTORICAL_NAMES.recording_count_in_period,
  HISTORICAL_NAMES.mobile_recording_count_in_period,
];

const FIRST_OWN_DAY = Date.UTC(2015, 0) / DAY_MS;

const countedDay = (day: number): number => {
  if (day >= FIRST_OWN_DAY) return day;
  const date = new Date(day * DAY_MS);
  date.setUTCMonth(0, 1);
  return date.getTime() / DAY_MS;
};
