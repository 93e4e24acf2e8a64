import { hash } from "node:crypto";

/** Records of a product's file as its documentation shows them, the same for the same number. */
export type Shape = (number: number) => object;

const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2024, 2, 1);

/** Half a year of events, a minute and some apart. */
const timeOf = (number: number): string => new Date(FIRST_MS + ((number * 67_001) % (180 * DAY_MS))).toISOString();

const uuidOf = (product: string, number: number): string => {
  const hex = hash("sha1", `${product} ${number}`, "hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** The day of a record, in UTC. */
export const dayOf = (number: number): string => timeOf(number).slice(0, 10);

/** Who did what a record tells of. */
export const personOf = (number: number): string => `user-${(number * 7) % 1_000}`;
const device = (number: number): string => `device-${(number * 7) % 1_500}`;
const page = (number: number): string => `https://shop.example/products/${number % 40}?from=mail`;

/** What our own export writes, and what clients send. */
const ownEvent: Shape = (number) => ({
  uuid: uuidOf("own", number),
  event: number % 3 === 0 ? "order placed" : "$pageview",
  distinct_id: personOf(number),
  timestamp: timeOf(number).replace("Z", "123Z"),
  properties: {
    $current_url: page(number),
    price: number / 4,
    big: number % 10 === 0 ? JSON.rawJSON("12345678901234567890") : number,
    ...(number % 5 === 0 && { $set: { plan: "pro" }, $set_once: { first: number } }),
  },
});

/** A batch export of PostHog as JSON lines: https://posthog.com/docs/cdp/batch-exports/s3 */
const posthogExport: Shape = (number) => ({
  uuid: uuidOf("export", number),
  team_id: 2,
  event: "$pageview",
  distinct_id: personOf(number),
  properties: { $current_url: page(number), $set: { plan: "free" } },
  set: { plan: "free" },
  set_once: {},
  elements_chain: "",
  ip: "203.0.113.9",
  site_url: "",
  timestamp: timeOf(number).replace("T", " ").replace("Z", "000+00:00"),
  created_at: timeOf(number),
  _inserted_at: timeOf(number),
});

/** An event of PostHog's API: https://posthog.com/docs/api/events */
const posthogEvent: Shape = (number) => ({
  id: uuidOf("api", number),
  distinct_id: personOf(number),
  properties: { $current_url: page(number) },
  event: "$pageview",
  timestamp: timeOf(number).replace("Z", "000+00:00"),
  person: { is_identified: false, distinct_ids: [personOf(number)], properties: {} },
  elements: [],
  elements_chain: "",
});

/** Mixpanel's raw export: https://developer.mixpanel.com/reference/raw-event-export */
const mixpanelEvent: Shape = (number) => ({
  event: number % 4 === 0 ? "$mp_web_page_view" : "Signed up",
  properties: {
    time: Math.floor(Date.parse(timeOf(number)) / 1000),
    distinct_id: personOf(number),
    $browser: "Chrome",
    $browser_version: 95,
    $city: "San Francisco",
    $current_url: page(number),
    $device_id: device(number),
    $insert_id: `bjuyoxlttxfbqhmi${number}`,
    $mp_api_endpoint: "api-js.mixpanel.com",
    $mp_api_timestamp_ms: 1_636_056_706_797,
    $os: "Mac OS X",
    $region: "California",
    mp_country_code: "US",
    mp_lib: "web",
    mp_processing_time_ms: 1_636_056_707_168,
  },
});

/** Amplitude's export: https://amplitude.com/docs/apis/analytics/export */
const amplitudeEvent: Shape = (number) => ({
  server_received_time: timeOf(number).replace("T", " ").replace("Z", "000"),
  app: 123_456,
  device_carrier: null,
  city: "San Francisco",
  user_id: personOf(number),
  uuid: uuidOf("amplitude", number),
  event_time: timeOf(number).replace("T", " ").replace("Z", "000"),
  platform: "Web",
  os_version: "95",
  amplitude_id: 100_000_000 + number,
  processed_time: timeOf(number).replace("T", " ").replace("Z", "000"),
  version_name: null,
  ip_address: "203.0.113.9",
  paying: null,
  dma: "San Francisco-Oakland-San Jose, CA",
  group_properties: {},
  user_properties: { plan: "pro", initial_referrer: "EMPTY" },
  client_upload_time: timeOf(number).replace("T", " ").replace("Z", "000"),
  $insert_id: `insert-${number}`,
  event_type: number % 4 === 0 ? "[Amplitude] Page Viewed" : "Add to cart",
  library: "amplitude-ts/1.0.0",
  amplitude_attribution_ids: null,
  device_type: "Mac OS X",
  start_version: null,
  location_lng: null,
  location_lat: null,
  event_id: number,
  os_name: "Chrome",
  groups: number % 6 === 0 ? { company: ["acme"] } : {},
  event_properties: { "[Amplitude] Page URL": page(number), price: 9.5 },
  data: {},
  device_id: device(number),
  language: "English",
  country: "United States",
  region: "California",
  session_id: 1_396_381_378_123,
});

/** Segment's calls: https://segment.com/docs/connections/spec/common/ */
const segmentCall: Shape = (number) => {
  const common = {
    anonymousId: device(number),
    userId: personOf(number),
    messageId: `ajs-next-${number}`,
    timestamp: timeOf(number),
    receivedAt: timeOf(number),
    sentAt: timeOf(number),
    context: {
      ip: "203.0.113.9",
      library: { name: "analytics.js", version: "2.11.1" },
      page: { path: "/products", referrer: "", title: "Products", url: page(number) },
      userAgent: "Mozilla/5.0 (Macintosh)",
      campaign: { name: "spring", source: "news" },
    },
  };
  switch (number % 6) {
    case 0:
      return { ...common, type: "identify", traits: { email: `${personOf(number)}@example.test`, plan: "pro" } };
    case 1:
      return { ...common, type: "page", name: "Products", properties: { url: page(number), path: "/products" } };
    case 2:
      return { ...common, type: "screen", name: "Home", properties: { tab: 1 } };
    case 3:
      return { ...common, type: "group", groupId: "acme", traits: { employees: 20 } };
    case 4:
      return { ...common, type: "alias", previousId: `old-${personOf(number)}` };
    default:
      return { ...common, type: "track", event: "Order Completed", properties: { total: 25.5 } };
  }
};

/** Every form of files that are lines of JSON, by a name for tests. */
export const SHAPES = {
  events: ownEvent,
  "posthog export": posthogExport,
  "posthog api": posthogEvent,
  mixpanel: mixpanelEvent,
  amplitude: amplitudeEvent,
  segment: segmentCall,
} as const satisfies Readonly<Record<string, Shape>>;

/** So many records of a shape as lines of JSON. */
export const jsonLines = (shape: Shape, count: number): string =>
  Array.from({ length: count }, (_, number) => `${JSON.stringify(shape(number))}\n`).join("");
