import { toDouble } from "../core/exact-json.ts";
import { type Fields, isFields } from "./fields.ts";

/** How the value of a hot property is stored: as the text that property access yields, or as a number. */
export type HotType = "text" | "number";

interface HotColumn {
  readonly property: string;
  readonly column: string;
  readonly type: HotType;
}

/**
 * Properties kept as typed columns of their own beside the full JSON: those that sessions need, and those that most
 * filters and breakdowns name. A text column holds exactly what property access yields: a string as it is, a number or
 * boolean as its JSON text, an object or array as JSON text, and NULL for a missing property, null or an empty string.
 * A number column holds what `propertyNumber` reads, so a query falls back to the JSON when it needs the text.
 */
const COMMON = [
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
] as const satisfies readonly HotColumn[];

/** The same of LLM generations, which most projects never send. */
const OF_GENERATIONS = [
  { property: "ai_product", column: "hot_ai_product", type: "text" },
  { property: "$ai_tools_called", column: "hot_ai_tools_called", type: "text" },
  { property: "$ai_trace_id", column: "hot_ai_trace_id", type: "text" },
  { property: "$ai_input_cost_usd", column: "hot_ai_input_cost_usd", type: "number" },
  { property: "$ai_output_cost_usd", column: "hot_ai_output_cost_usd", type: "number" },
  { property: "$ai_cache_read_cost_usd", column: "hot_ai_cache_read_cost_usd", type: "number" },
  { property: "$ai_cache_creation_cost_usd", column: "hot_ai_cache_creation_cost_usd", type: "number" },
  { property: "$ai_input_tokens", column: "hot_ai_input_tokens", type: "number" },
  { property: "$ai_output_tokens", column: "hot_ai_output_tokens", type: "number" },
  { property: "$ai_cache_read_input_tokens", column: "hot_ai_cache_read_input_tokens", type: "number" },
  { property: "$ai_cache_creation_input_tokens", column: "hot_ai_cache_creation_input_tokens", type: "number" },
] as const satisfies readonly HotColumn[];

/** The same of exceptions: where they lead, which every question about issues reads. */
const OF_EXCEPTIONS = [
  { property: "$exception_issue_id", column: "hot_exception_issue_id", type: "text" },
  { property: "$exception_fingerprint", column: "hot_exception_fingerprint", type: "text" },
] as const satisfies readonly HotColumn[];

/**
 * Sets of rare columns: a file has all columns of a set when one of its rows has a value for one of them, and none otherwise. Each is
 * called by the fact of a file that says so; the first one there was is plainly `rare`.
 */
export const RARE = { rare: OF_GENERATIONS, exceptions: OF_EXCEPTIONS } as const;
export type RareSet = keyof typeof RARE;

/** All of them, in the order of their columns. */
export const HOT = [...COMMON, ...RARE.rare, ...RARE.exceptions] as const;
export type HotProperty = (typeof HOT)[number];

/** The value of a property access as text: see `HOT`. A number that a double would round keeps its digits. */
export const propertyText = (value: unknown): string | null => {
  switch (typeof value) {
    case "string":
      return value === "" ? null : value.toWellFormed();
    case "number":
    case "boolean":
      return Number.isNaN(value) || value === Infinity || value === -Infinity ? null : String(value);
    case "object":
      return value === null ? null : jsonText(value);
    default:
      return null;
  }
};

/** What the engine reads as a number too, but for underscores between digits. */
const NUMBER_TEXT = /^[ \t\n\v\f\r]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \t\n\v\f\r]*$/i;

/** The value of a property access as a number, which some send as text: null for what is none, or not finite. */
export const propertyNumber = (value: unknown): number | null => {
  const number = typeof value === "string" && NUMBER_TEXT.test(value) ? Number(value) : toDouble(value);
  return number !== undefined && Number.isFinite(number) ? number : null;
};

/** Copied, because a list that grows entry by entry is copied several times. */
const NO_HOT: readonly null[] = HOT.map(() => null);

/** The place in `HOT` of each property. */
const PLACES: ReadonlyMap<string, number> = new Map(HOT.map(({ property }, at) => [property, at]));

/**
 * One value per entry of `HOT`, in its order. The names of the event are looked up here, and not those of `HOT` in the event: it has few of
 * them, and to ask an object for what it lacks takes longest.
 */
export const hotValues = (properties: Fields): readonly (string | number | null)[] => {
  const values: (string | number | null)[] = NO_HOT.slice();
  for (const name in properties) {
    const at = PLACES.get(name);
    if (at === undefined) continue;
    const value = properties[name];
    if (HOT[at]?.type === "text") {
      values[at] = propertyText(value);
      continue;
    }
    values[at] = propertyNumber(value);
  }
  return values;
};

/** JSON text that every reader takes: a lone half of a surrogate pair, which some refuse, becomes U+FFFD. */
export const jsonText = (value: object): string => {
  const text = JSON.stringify(value);
  return text.includes("\\ud") && LONE_SURROGATE.test(text) ? JSON.stringify(wellFormed(value)) : text;
};

/** `JSON.stringify` escapes a surrogate only when it is alone; an even number of backslashes before it is just text. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

const wellFormed = (value: unknown): unknown => {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
};
