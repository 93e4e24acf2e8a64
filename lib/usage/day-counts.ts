import { DAY_MS } from "../core/time.ts";
import type { EventRow } from "../event/event.ts";
import { isFields } from "../event/fields.ts";
import { MOBILE_RECORDING, RECORDING } from "../event/recordings.ts";
import { utcDay } from "../event/time-partitions.ts";
import { ROW_USAGE_TYPES, type RowUsageType, USAGE_IDENTIFIERS } from "./identifiers.ts";
import { KEY_PREFIX, keyedCount } from "./keyed-counts.ts";

/** Counts per UTC day (days since 1970, as text) and usage type: facts about a file, never incremented. */
export type DayCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The columns of a row that counting needs. */
export type Countable = Pick<EventRow, "event" | "timestamp" | "historical" | "person_mode" | "properties">;

/**
 * Counts per UTC day and usage type of a set of rows. Days before 2015 are counted under the first day of their year, so that a
 * file's counts stay small whatever is sent.
 */
export const countUsage = (rows: readonly Countable[]): DayCounts => {
  const days = new Map<number, Map<string, number>>();
  for (const row of rows) {
    if (row.event === SURVEY && isOfTour(row.properties)) continue;
    const types = rowTypes(row);
    const keyed = row.historical ? undefined : keyedCount(row.event, row.properties);
    if (keyed === undefined && types.length === 0) continue;
    const day = countedDay(utcDay(row.timestamp));
    const counts = days.get(day) ?? new Map<string, number>();
    days.set(day, counts);
    if (keyed !== undefined) counts.set(keyed[0], (counts.get(keyed[0]) ?? 0) + keyed[1]);
    if (keyed !== undefined && types.some((type) => USAGE_IDENTIFIERS[type].counted === "rows and keys")) {
      if (row.event !== SURVEY) counts.set(SESSIONS, (counts.get(SESSIONS) ?? 0) + 1);
      continue;
    }
    for (const type of types) {
      const name = row.historical ? IMPORT_NAMES.get(type) : type;
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return Object.fromEntries([...days].map(([day, counts]) => [day, Object.fromEntries(counts)]));
};

const SURVEY = "survey sent";

/** The names whose rows count towards each identifier that rows count towards; null where `rowTypes` knows them by something else. */
const COUNTED_NAMES: Readonly<Record<RowUsageType, readonly string[] | null>> = {
  event_count_in_period: null,
  enhanced_persons_event_count_in_period: null,
  ai_event_count_in_period: null,
  exceptions_captured_in_period: ["$exception"],
  survey_responses_count_in_period: [SURVEY],
  recording_count_in_period: [RECORDING],
  mobile_recording_count_in_period: [MOBILE_RECORDING],
  mobile_billable_recording_count_in_period: [MOBILE_RECORDING],
};

/** Names that are never billed as events, nor as anything else. Pieces of a recording count by their keys. */
const UNCOUNTED_NAMES = [
  "$snapshot",
  "$feature_flag_called",
  "$experiment_exposure",
  "survey shown",
  "survey dismissed",
  "$conversations_loaded",
  "$conversations_widget_loaded",
  "$conversations_message_sent",
  "$conversations_user_identified",
  "$conversations_restore_link_requested",
  "$conversations_widget_state_changed",
  "$conversations_back_to_tickets",
];

const TYPES_BY_NAME: ReadonlyMap<string, readonly RowUsageType[]> = new Map(
  [...UNCOUNTED_NAMES, ...Object.values(COUNTED_NAMES).flatMap((names) => names ?? [])].map((name) => [
    name,
    ROW_USAGE_TYPES.filter((type) => COUNTED_NAMES[type]?.includes(name)),
  ]),
);

const MODEL_EVENT: readonly RowUsageType[] = ["ai_event_count_in_period"];
const EVENT: readonly RowUsageType[] = ["event_count_in_period"];
const EVENT_OF_PERSON: readonly RowUsageType[] = ["event_count_in_period", "enhanced_persons_event_count_in_period"];

const rowTypes = ({ event, person_mode }: Countable): readonly RowUsageType[] =>
  TYPES_BY_NAME.get(event) ?? (event.startsWith("$ai_") ? MODEL_EVENT : person_mode === "propertyless" ? EVENT : EVENT_OF_PERSON);

const TOUR = "$product_tour_id";

/** Surveys that belong to a product tour are free. */
const isOfTour = (properties: string): boolean => {
  if (!properties.includes(TOUR)) return false;
  const parsed: unknown = JSON.parse(properties);
  return isFields(parsed) && (parsed[TOUR] ?? null) !== null;
};

/**
 * Rows of an import count under the type's name with this before it, so that nothing that bills ever sees them. Made once: putting a name
 * together for every row costs more than counting it.
 */
const IMPORT_NAMES: ReadonlyMap<RowUsageType, string> = new Map(
  ROW_USAGE_TYPES.filter((type) => USAGE_IDENTIFIERS[type].imports).map((type) => [type, `historical:${type}`]),
);

/** Whether there are rows that count recorded sessions among those that gave the counts. */
export const countsRecordings = ({ usage }: { readonly usage: DayCounts }): boolean =>
  Object.values(usage).some((counts) => RECORDING_COUNTS.some((name) => counts[name] !== undefined));

/** How many rows count recorded sessions by their keys: no usage, but what tells that a file has such rows. */
const SESSIONS = `${KEY_PREFIX}sessions`;

const RECORDING_COUNTS: readonly string[] = [
  SESSIONS,
  ...(["recording_count_in_period", "mobile_recording_count_in_period"] as const).flatMap((type) => [type, IMPORT_NAMES.get(type) ?? type]),
];

/**
 * Whether anything counts what a count is of. Files that earlier releases wrote state requests of feature flags, which were events then, and
 * what was billed by them stays as it was.
 */
export const isStillCounted = (name: string): boolean => !NO_LONGER_COUNTED.has(name);

const NO_LONGER_COUNTED: ReadonlySet<string> = new Set(
  ["billable_feature_flag_requests_count_in_period"].flatMap((type) => [type, `historical:${type}`]),
);

/** The counts of all these files, added up. */
export const sumUsage = (files: readonly { readonly usage: DayCounts }[]): DayCounts => {
  const days = new Map<string, Map<string, number>>();
  for (const { usage } of files) {
    for (const [day, counts] of Object.entries(usage)) {
      const sums = days.get(day) ?? new Map<string, number>();
      days.set(day, sums);
      for (const [type, count] of Object.entries(counts)) if (isStillCounted(type)) sums.set(type, (sums.get(type) ?? 0) + count);
    }
  }
  return Object.fromEntries([...days].map(([day, sums]) => [day, Object.fromEntries(sums)]));
};

/** A count of a day that two sides say differently. */
export interface CountDifference {
  /** A UTC day, in days since 1970. */
  readonly day: number;
  readonly type: string;
  readonly stored: number;
  readonly counted: number;
}

/** Where stored counts are others than what was counted; what one side does not name is none. */
export const compareCounts = (stored: DayCounts, counted: DayCounts): readonly CountDifference[] =>
  [...new Set([...Object.keys(stored), ...Object.keys(counted)])].flatMap((day) => {
    const [own, other] = [stored[day] ?? {}, counted[day] ?? {}];
    return [...new Set([...Object.keys(own), ...Object.keys(other)])]
      .map((type) => ({ day: Number(day), type, stored: own[type] ?? 0, counted: other[type] ?? 0 }))
      .filter((each) => each.stored !== each.counted);
  });

const FIRST_OWN_DAY = Date.UTC(2015, 0) / DAY_MS;

/** Whether rows of a UTC day are counted under that day, and not with others of its year. */
export const countsUnderItself = (day: number): boolean => day >= FIRST_OWN_DAY;

const countedDay = (day: number): number => {
  if (countsUnderItself(day)) return day;
  const date = new Date(day * DAY_MS);
  date.setUTCMonth(0, 1);
  return date.getTime() / DAY_MS;
};
