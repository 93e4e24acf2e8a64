import { isExact, valueText } from "../../parts/number/exact.ts";

/** A property that says what an event is about, as text. */
export interface Telling {
  readonly name: string;
  readonly text: string;
}

/** What the SDKs send, the most telling first; of one line only one is taken. */
const BEFORE_OWN: readonly (readonly string[])[] = [
  ["$exception_types", "$exception_type"],
  ["$exception_values", "$exception_message"],
  ["$ai_model"],
  ["$ai_span_name", "$ai_output_tokens"],
  ["$pathname", "$current_url", "$screen_name"],
  ["$el_text", "$event_type"],
  ["$feature_flag"],
  ["$feature_flag_response"],
];

/** What nearly every event has. */
const BEHIND_OWN: readonly (readonly string[])[] = [
  ["$browser"],
  ["$geoip_country_name", "$geoip_country_code"],
  ["$os"],
  ["$device_type"],
  ["$lib"],
];

const MOST = 2;

/** The two properties that tell most about an event: what it is about, then the team's own in their order, then where it came from. */
export const tellingProperties = (properties: Readonly<Record<string, unknown>>): readonly Telling[] => {
  const found: Telling[] = [];
  const look = (names: readonly string[]): void => {
    for (const name of names) {
      const text = shortText(properties[name]);
      if (text === undefined) continue;
      found.push({ name, text });
      return;
    }
  };
  for (const names of BEFORE_OWN) look(names);
  for (const name of Object.keys(properties)) {
    if (found.length >= MOST) break;
    if (!name.startsWith("$")) look([name]);
  }
  for (const names of BEHIND_OWN) look(names);
  return found.slice(0, MOST);
};

const LONGEST = 120;

/** A value in a line; of a list its first. Undefined where it says nothing in a line. */
const shortText = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return shortText(value[0]);
  if (typeof value === "number" || typeof value === "boolean" || isExact(value)) return valueText(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" ? undefined : text.slice(0, LONGEST);
};
