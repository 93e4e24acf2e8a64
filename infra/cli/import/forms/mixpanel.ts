import { toDouble } from "../../../../lib/core/exact-json.ts";
import { type Fields, isFields } from "../../../../lib/event/fields.ts";
import { type Form, firstSaid, NoEvent, renamed, said, uuidOf } from "./form.ts";

const EVENTS: Readonly<Record<string, string>> = { $mp_web_page_view: "$pageview" };

const PROPERTIES: Readonly<Record<string, string>> = {
  $city: "$geoip_city_name",
  $region: "$geoip_subdivision_1_name",
  mp_country_code: "$geoip_country_code",
  mp_lib: "$lib",
  $lib_version: "$lib_version",
  current_page_title: "title",
  current_domain: "$host",
  current_url_path: "$pathname",
};

/** What an export says of itself and not of the event. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["time", "distinct_id", "$insert_id", "$mp_api_endpoint", "$mp_api_timestamp_ms", "mp_processing_time_ms", "mp_sent_by_lib_version"],
  ...["$geo_source", "$import"],
]);

/** Mixpanel's raw export: `{"event": …, "properties": {"time": 1602611311, "distinct_id": …, "$insert_id": …}}`. */
export const mixpanelForm: Form = {
  name: "mixpanel",
  knows: ({ event, properties, distinct_id, timestamp }) =>
    typeof event === "string" &&
    distinct_id === undefined &&
    timestamp === undefined &&
    isFields(properties) &&
    (Object.hasOwn(properties, "time") || Object.hasOwn(properties, "$insert_id")),
  read({ event, properties }) {
    if (!isFields(properties)) throw new NoEvent("properties must be an object");
    return {
      ...merged(event, properties),
      uuid: uuidOf("mixpanel", properties.$insert_id),
      timestamp: timeOf(properties.time),
    };
  },
};

/** The event with its person: Mixpanel's own events of identities become those of this product. */
const merged = (event: unknown, properties: Fields): Fields => {
  const own = ownProperties(properties);
  const person = firstSaid(properties.distinct_id, properties.$user_id, properties.$device_id);
  if (event === "$identify" && said(properties.$identified_id) !== undefined)
    return { event, distinct_id: properties.$identified_id, properties: { ...own, $anon_distinct_id: properties.$anon_id } };
  if (event === "$merge" && Array.isArray(properties.$distinct_ids)) {
    const [first, second] = properties.$distinct_ids;
    return { event: "$merge_dangerously", distinct_id: first, properties: { ...own, alias: second } };
  }
  const name = typeof event === "string" && Object.hasOwn(EVENTS, event) ? EVENTS[event] : event;
  return { event: name, distinct_id: person, properties: own };
};

const ownProperties = (properties: Fields): Fields => {
  const kept: Record<string, unknown> = {};
  for (const name in properties) if (!LEFT_OUT.has(name)) kept[name] = properties[name];
  return renamed(kept, PROPERTIES);
};

/** A later time in seconds is beyond the year 5000. */
const MOST_SECONDS = 100_000_000_000;
const MS = 1000;

const timeOf = (time: unknown): string => {
  const number = toDouble(time);
  if (number === undefined || !Number.isFinite(number)) throw new NoEvent("properties.time must be a number of seconds or milliseconds");
  const date = new Date(number > MOST_SECONDS ? number : number * MS);
  if (Number.isNaN(date.getTime())) throw new NoEvent("properties.time is no time");
  return date.toISOString();
};
