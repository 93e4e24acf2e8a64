import type { Fields } from "../../../../lib/event/fields.ts";
import { type Form, fieldsOf, firstSaid, NoEvent, renamed, said, uuidOf, withoutEmpty } from "./form.ts";

const EVENTS: Readonly<Record<string, string>> = {
  "[Amplitude] Page Viewed": "$pageview",
  "[Amplitude] Element Clicked": "$autocapture",
  "[Amplitude] Element Changed": "$autocapture",
};

const PROPERTIES: Readonly<Record<string, string>> = {
  "[Amplitude] Page URL": "$current_url",
  "[Amplitude] Page Domain": "$host",
  "[Amplitude] Page Path": "$pathname",
  "[Amplitude] Page Title": "title",
  "[Amplitude] Viewport Height": "$viewport_height",
  "[Amplitude] Viewport Width": "$viewport_width",
  referrer: "$referrer",
  referring_domain: "$referring_domain",
};

/** Fields beside the properties, by their names here. */
const FIELDS: Readonly<Record<string, string>> = {
  city: "$geoip_city_name",
  region: "$geoip_subdivision_1_name",
  country: "$geoip_country_name",
  ip_address: "$ip",
  language: "$browser_language",
  library: "$lib",
  version_name: "$app_version",
  device_model: "$device_model",
  device_manufacturer: "$device_manufacturer",
  device_id: "$device_id",
  platform: "$amplitude_platform",
  session_id: "$amplitude_session_id",
  event_id: "$amplitude_event_id",
};

const DESKTOPS: ReadonlySet<unknown> = new Set(["Windows", "Linux", "Mac", "Mac OS X", "Chrome OS"]);
const PHONES: ReadonlySet<unknown> = new Set(["iOS", "Android"]);

/** Amplitude's export: `{"event_type": …, "user_id": …, "device_id": …, "event_time": "2026-01-02 03:04:05.678000", …}`, times in UTC. */
export const amplitudeForm: Form = {
  name: "amplitude",
  knows: (record) => typeof record.event_type === "string" && (record.event_time !== undefined || record.amplitude_id !== undefined),
  read(record) {
    const { event_type: type, user_id, device_id } = record;
    if (typeof type !== "string" || type === "") throw new NoEvent("event_type must be a text");
    const user = fieldsOf(record.user_properties);
    const groups = groupsOf(record.groups);
    const properties: Record<string, unknown> = {
      ...renamed(fieldsOf(record.event_properties), PROPERTIES),
      ...withoutEmpty(ofFields(record)),
      ...(Object.keys(groups).length > 0 && { $groups: groups }),
      ...(Object.keys(user).length > 0 && { $set: user }),
    };
    // Of two ids in one event only this one says that they are one person's.
    if (type === "$identify" && said(user_id) !== undefined && said(device_id) !== undefined) properties.$anon_distinct_id = device_id;
    const id = firstSaid(user_id, device_id, record.amplitude_id);
    return {
      event: Object.hasOwn(EVENTS, type) ? EVENTS[type] : type,
      distinct_id: id,
      uuid: uuidOf("amplitude", firstSaid(record.uuid, record.$insert_id, record.insert_id)),
      timestamp: firstSaid(record.event_time, record.client_event_time),
      properties,
    };
  },
};

const ofFields = (record: Fields): Fields => {
  const found: Record<string, unknown> = {};
  for (const name in FIELDS) found[FIELDS[name] ?? name] = record[name];
  // On the web the field of the system's name holds the browser, and that of the device the system.
  const isWeb = record.platform === "Web";
  const system = isWeb ? record.device_type : record.os_name;
  return {
    ...found,
    $os: system,
    ...(isWeb ? { $browser: record.os_name, $browser_version: record.os_version } : { $os_version: record.os_version }),
    $device_type: DESKTOPS.has(system) ? "Desktop" : PHONES.has(system) ? "Mobile" : undefined,
  };
};

/** An event is in several groups of a type there, and in one here: the first. */
const groupsOf = (groups: unknown): Fields => {
  const found: Record<string, unknown> = {};
  for (const [type, names] of Object.entries(fieldsOf(groups))) {
    const [first] = Array.isArray(names) ? names : [names];
    if (said(first) !== undefined) found[type] = first;
  }
  return found;
};
