import type { EventResource } from "../event/quota-resources.ts";

/**
 * How an identifier is counted: each row at once; by keys of rows, which are resolved together; rows without a key at once, and
 * the others by their keys; not by itself, but priced on events; or by nothing here, so that it is always 0.
 */
type Counted = "rows" | "keys" | "rows and keys" | "events" | "nothing";

interface UsageIdentifier {
  /** The product that it is counted for, as people read it. */
  readonly label: string;
  /** Its name in price lists, `usage_summary` and quotas; null where it is only shown. */
  readonly key: string | null;
  readonly counted: Counted;
  /** Whether rows of an import are counted, under a name of their own that nothing bills. */
  readonly imports: boolean;
  /** The events that its limit drops; `tells` where the limit is answered and billed but drops none; null where there is no limit. */
  readonly quota: EventResource | "tells" | null;
}

/** All that is counted for billing, in the order in which it is shown. Another identifier is another row here. */
export const USAGE_IDENTIFIERS = {
  event_count_in_period: { label: "Events", key: "events", counted: "rows", imports: true, quota: "events" },
  exceptions_captured_in_period: { label: "Exceptions", key: "exceptions", counted: "rows", imports: true, quota: "exceptions" },
  recording_count_in_period: { label: "Recordings", key: "recordings", counted: "rows and keys", imports: true, quota: "recordings" },
  rows_synced_in_period: { label: "Synced rows", key: "rows_synced", counted: "nothing", imports: false, quota: "tells" },
  free_historical_rows_synced_in_period: {
    label: "Free historical synced rows",
    key: "free_historical_rows_synced",
    counted: "nothing",
    imports: false,
    quota: null,
  },
  survey_responses_count_in_period: {
    label: "Survey responses",
    key: "survey_responses",
    counted: "rows and keys",
    imports: true,
    quota: "survey_responses",
  },
  mobile_recording_count_in_period: { label: "Mobile recordings", key: null, counted: "rows and keys", imports: true, quota: null },
  mobile_billable_recording_count_in_period: {
    label: "Billable mobile recordings",
    key: "mobile_recordings",
    counted: "rows and keys",
    imports: true,
    quota: null,
  },
  billable_feature_flag_requests_count_in_period: {
    label: "Feature flag requests",
    key: "feature_flag_requests",
    counted: "nothing",
    imports: false,
    quota: "tells",
  },
  enhanced_persons_event_count_in_period: {
    label: "Enhanced persons events",
    key: "enhanced_persons",
    counted: "rows",
    imports: true,
    quota: null,
  },
  ai_event_count_in_period: { label: "LLM events", key: "llm_events", counted: "rows", imports: true, quota: "llm_events" },
  cdp_billable_invocations_in_period: {
    label: "Destination invocations",
    key: "cdp_trigger_events",
    counted: "nothing",
    imports: false,
    quota: "tells",
  },
  rows_exported_in_period: { label: "Exported rows", key: "rows_exported", counted: "nothing", imports: false, quota: "tells" },
  ai_credits_used_in_period: { label: "AI credits", key: "ai_credits", counted: "keys", imports: false, quota: "tells" },
  signals_credits_used_in_period: { label: "Signals credits", key: "signals_credits", counted: "nothing", imports: false, quota: "tells" },
  service_code_credits_used_in_period: {
    label: "Code credits",
    key: "service_code_credits",
    counted: "keys",
    imports: false,
    quota: "tells",
  },
  service_code_token_credits_used_in_period: {
    label: "Code token credits",
    key: "service_code_token_credits",
    counted: "keys",
    imports: false,
    quota: null,
  },
  sandbox_compute_credits_used_in_period: {
    label: "Sandbox compute credits",
    key: "sandbox_compute_credits",
    counted: "nothing",
    imports: false,
    quota: null,
  },
  sandbox_compute_cpu_millicore_seconds_in_period: {
    label: "Sandbox CPU millicore seconds",
    key: null,
    counted: "nothing",
    imports: false,
    quota: null,
  },
  sandbox_compute_memory_mib_seconds_in_period: {
    label: "Sandbox memory MiB seconds",
    key: null,
    counted: "nothing",
    imports: false,
    quota: null,
  },
  workflow_emails_sent_in_period: { label: "Workflow emails", key: "workflow_emails", counted: "nothing", imports: false, quota: "tells" },
  workflow_billable_invocations_in_period: {
    label: "Workflow dispatches",
    key: "workflow_destinations_dispatched",
    counted: "nothing",
    imports: false,
    quota: "tells",
  },
  logs_mb_in_period: { label: "Logs (MB)", key: "logs_mb_ingested", counted: "nothing", imports: false, quota: "tells" },
  logs_retention_30d_mb_in_period: {
    label: "Logs with 30 days' retention (MB)",
    key: "logs_retention_30d_mb",
    counted: "nothing",
    imports: false,
    quota: null,
  },
  replay_vision_credits_used_in_period: {
    label: "Replay vision credits",
    key: "replay_vision_credits",
    counted: "nothing",
    imports: false,
    quota: "tells",
  },
  data_pipelines: { label: "Data pipelines", key: "data_pipelines", counted: "events", imports: false, quota: null },
  group_analytics: { label: "Group analytics", key: "group_analytics", counted: "events", imports: false, quota: null },
} as const satisfies Readonly<Record<string, UsageIdentifier>>;

export type UsageType = keyof typeof USAGE_IDENTIFIERS;

export const isUsageType = (name: string): name is UsageType => Object.hasOwn(USAGE_IDENTIFIERS, name);

/** The identifier whose count prices what is sold by one: its own, or that of events. */
export const pricingType = (type: string): string =>
  isUsageType(type) && USAGE_IDENTIFIERS[type].counted === "events" ? "event_count_in_period" : type;

/** All identifiers, in the order of the table: an object's own names keep the order in which they are written. */
export const USAGE_TYPES = Object.keys(USAGE_IDENTIFIERS).filter(isUsageType);

type Table = typeof USAGE_IDENTIFIERS;

type CountedBy<How extends Counted> = { [Type in UsageType]: Table[Type]["counted"] extends How ? Type : never }[UsageType];

/** The identifiers that rows of events count towards. */
export type RowUsageType = CountedBy<"rows" | "rows and keys">;

const isRowUsageType = (type: UsageType): type is RowUsageType => USAGE_IDENTIFIERS[type].counted.startsWith("rows");

export const ROW_USAGE_TYPES: readonly RowUsageType[] = USAGE_TYPES.filter(isRowUsageType);

/** The identifiers that keyed counts are resolved into. */
export type KeyedUsageType = CountedBy<"keys" | "rows and keys">;

/** Has a quota of its own, though no identifier counts it. */
const READ_BYTES = "api_queries_read_bytes";

export type UsageKey = NonNullable<Table[UsageType]["key"]> | typeof READ_BYTES;

/** The names of what a quota can limit. */
export type QuotaResource =
  | NonNullable<{ [Type in UsageType]: Table[Type]["quota"] extends null ? never : Table[Type]["key"] }[UsageType]>
  | typeof READ_BYTES;

/** The names under which use is priced and limited. */
export const USAGE_KEYS: readonly UsageKey[] = [
  ...Object.values(USAGE_IDENTIFIERS).flatMap(({ key }) => (key === null ? [] : [key])),
  READ_BYTES,
];
