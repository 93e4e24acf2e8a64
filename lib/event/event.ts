/** How the value of a hot property is stored: as the text that property access yields, or as a number. */
export type HotType = "text" | "number";

/**
 * Properties kept as typed columns of their own beside the full JSON: those that sessions need, and those that most
 * filters and breakdowns name. A text column holds exactly what property access yields: a string as it is, a number or
 * boolean as its JSON text, an object or array as JSON text, and NULL for a missing property, null or an empty string.
 * A number column holds NULL where the value is no finite number, so a query falls back to the JSON when it needs the text.
 */
export const HOT = [
  { property: "$current_url", column: "hot_current_url", type: "text" },
  { property: "$pathname", column: "hot_pathname", type: "text" },
  { property: "$host", column: "hot_host", type: "text" },
  { property: "$referrer", column: "hot_referrer", type: "text" },
  { property: "$referring_domain", column: "hot_referring_domain", type: "text" },
  { property: "$external_click_url", column: "hot_external_click_url", type: "text" },
  { property: "utm_source", column: "hot_utm_source", type: "text" },
  { property: "utm_medium", column: "hot_utm_medium", type: "text" },
  { property: "utm_campaign", column: "hot_utm_campaign", type: "text" },
  { property: "utm_term", column: "hot_utm_term", type: "text" },
  { property: "utm_content", column: "hot_utm_content", type: "text" },
  { property: "gclid", column: "hot_gclid", type: "text" },
  { property: "gad_source", column: "hot_gad_source", type: "text" },
  { property: "fbclid", column: "hot_fbclid", type: "text" },
  { property: "$browser", column: "hot_browser", type: "text" },
  { property: "$os", column: "hot_os", type: "text" },
  { property: "$device_type", column: "hot_device_type", type: "text" },
  { property: "$geoip_country_code", column: "hot_geoip_country_code", type: "text" },
  { property: "$lib", column: "hot_lib", type: "text" },
  { property: "$ai_model", column: "hot_ai_model", type: "text" },
  { property: "$ai_total_cost_usd", column: "hot_ai_total_cost_usd", type: "number" },
] as const satisfies readonly { readonly property: string; readonly column: string; readonly type: HotType }[];

/** Group slots of a project: `$group_0` to `$group_4`. */
export const GROUP_SLOTS = 5;

export type PersonMode = "full" | "propertyless" | "force_upgrade";

/** One event as the lake stores it. Microseconds since 1970 are bigints: year 9999 does not fit a double. */
export interface EventRow {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  /** A hash of project and distinct_id in UUID form; merges are resolved when reading. */
  readonly person_id: string;
  /** Microseconds since 1970, UTC, signed. */
  readonly timestamp: bigint;
  /** The receive time, microseconds. */
  readonly created_at: bigint;
  /** 8-byte hash of (UTC day, event, distinct_id, uuid), as a signed 64-bit integer. */
  readonly identity: bigint;
  readonly person_mode: PersonMode;
  readonly historical: boolean;
  readonly session_id: string | null;
  readonly window_id: string | null;
  readonly groups: readonly (string | null)[];
  readonly elements_chain: string;
  /** The full properties as JSON text. */
  readonly properties: string;
  /** One value per entry of `HOT`, in its order. */
  readonly hot: readonly (string | number | null)[];
  /** Of two waiting copies of one identity, the least (created_at, request, index) stays. */
  readonly request: string;
  readonly index: number;
}

/**
 * Columns of every Parquet file of events, in order, besides the hot ones (which stand before `properties`).
 * `uuid` and `person_id` are Parquet UUIDs, `timestamp` and `created_at` are microsecond UTC timestamps, `identity` is INT64.
 */
export const EVENT_COLUMNS = [
  "uuid",
  "event",
  "distinct_id",
  "person_id",
  "timestamp",
  "created_at",
  "identity",
  "person_mode",
  "historical",
  "session_id",
  "window_id",
  "group_0",
  "group_1",
  "group_2",
  "group_3",
  "group_4",
  "elements_chain",
  "properties",
  "request",
  "index",
] as const;

/** Bumped when the columns or their meaning change; readers accept this and the one before. */
export const EVENT_FORMAT = 1;

const DAY_US = 86_400_000_000n;
const DAY_US_NUMBER = Number(DAY_US);

/** Days since 1970 of a time in microseconds; floors, also before 1970. */
export const utcDay = (micros: bigint): number => {
  const near = Number(micros);
  // Exact up to year 2255: there the doubles around a whole day are nearer to each other than a microsecond is to the day.
  if (Number.isSafeInteger(near)) return Math.floor(near / DAY_US_NUMBER);
  const day = micros / DAY_US;
  return Number(micros < 0n && day * DAY_US !== micros ? day - 1n : day);
};

/** The time partition of a time: `yyyy-mm` from 2015 on, `yyyy` for 1970 to 2014, else `old`. */
export const partitionOf = (micros: bigint): string => {
  if (micros < 0n) return "old";
  const date = new Date(Number(micros / 1000n));
  const year = date.getUTCFullYear();
  if (year >= 2015) return `${year}-${String(date.getUTCMonth() + 1).padStart(2, "0")}`;
  return String(year);
};
