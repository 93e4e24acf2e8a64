import { createHash } from "node:crypto";

/** An event as an SDK sends it. */
export interface CorpusEvent {
  readonly event: string;
  readonly distinct_id: string;
  readonly uuid?: string;
  readonly timestamp: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface CorpusOptions {
  readonly seed: number;
  readonly events: number;
  /** Milliseconds since 1970; times are spread evenly, with a little disorder, over `from` to `to`. */
  readonly from: number;
  readonly to: number;
  /** Distinct users; 20,000 unless told. */
  readonly users?: number;
  /** False leaves the uuids out. */
  readonly uuids?: boolean;
  /** Share of `$identify` events, which set person properties; 0 unless told. */
  readonly identify?: number;
}

const NAMES = 30;
const NAME_SKEW = 1.2;
const USER_SKEW = 0.9;
const PAGES = 2000;
const DEFAULT_USERS = 20_000;
const BROWSERS = ["Chrome", "Safari", "Firefox", "Edge", "Samsung Internet", "Opera"];
const SYSTEMS = ["Windows", "Mac OS X", "iOS", "Android", "Linux"];
const DEVICES = ["Desktop", "Mobile", "Tablet"];
const COUNTRIES = ["US", "DE", "GB", "IN", "BR", "FR", "JP", "CA", "NL", "SE", "PL", "ES"];
const CAMPAIGNS = ["spring", "launch", "brand", "retarget", "newsletter"];
const PLANS = ["free", "team", "scale", "enterprise"];
const SECTIONS = ["docs", "blog", "pricing", "product", "app", "settings", "reports"];

/** The names that events have, most frequent first. */
export const EVENT_NAMES: readonly string[] = Array.from({ length: NAMES }, (_, index) =>
  index === 0 ? "$pageview" : index === 1 ? "$pageleave" : index === 2 ? "$autocapture" : `action ${index}`,
);

/**
 * The one seeded corpus of all benches: 18 to 25 properties and 0.6 to 0.8 KB of JSON an event, names (30) and users by Zipf's
 * law, 2000 pages. The same options give the same events, in the order of their times.
 */
export function* corpus(options: CorpusOptions): Generator<CorpusEvent> {
  const random = seeded(options.seed);
  const name = zipf(NAMES, NAME_SKEW);
  const user = zipf(options.users ?? DEFAULT_USERS, USER_SKEW);
  const page = zipf(PAGES, 1);
  const step = (options.to - options.from) / options.events;
  for (let index = 0; index < options.events; index++) {
    const time = Math.min(options.to, Math.floor(options.from + (index + random()) * step));
    const identifies = random() < (options.identify ?? 0);
    const who = user(random());
    const event = identifies ? "$identify" : (EVENT_NAMES[name(random())] ?? "$pageview");
    const uuid = (options.uuids ?? true) ? { uuid: uuidAt(time, random) } : {};
    yield {
      event,
      properties: propertiesOf(random, { who, page: page(random()), index, identifies }),
      timestamp: new Date(time).toISOString(),
      ...uuid,
      distinct_id: userId(who),
    };
  }
}

/** The id of the user with this rank. */
export const userId = (rank: number): string => `user-${createHash("md5").update(String(rank)).digest("hex").slice(0, 16)}`;

/** Numbers from 0 to 1 (exclusive) that depend on nothing but the seed. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Ranks from 0 on by Zipf's law, for a number from 0 to 1. */
export const zipf = (count: number, skew: number): ((uniform: number) => number) => {
  const sums = new Float64Array(count);
  let total = 0;
  for (let rank = 0; rank < count; rank++) {
    total += 1 / (rank + 1) ** skew;
    sums[rank] = total;
  }
  return (uniform) => {
    const wanted = uniform * total;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
};

const propertiesOf = (
  random: () => number,
  at: { readonly who: number; readonly page: number; readonly index: number; readonly identifies: boolean },
): Record<string, unknown> => {
  const pick = <T>(values: readonly T[], salt: number): T | undefined => values[(at.who * 7 + salt) % values.length];
  const path = `/${SECTIONS[at.page % SECTIONS.length]}/page-${at.page}`;
  const properties: Record<string, unknown> = {
    $current_url: `https://www.example.com${path}`,
    $host: "www.example.com",
    $pathname: path,
    $browser: pick(BROWSERS, 1),
    $browser_version: 100 + (at.who % 30),
    $os: pick(SYSTEMS, 3),
    $device_type: pick(DEVICES, 5),
    $geoip_country_code: pick(COUNTRIES, 2),
    $referring_domain: random() < 0.5 ? "www.google.com" : "$direct",
    $session_id: uuidFrom(at.who, Math.floor(at.index / 50)),
    $window_id: uuidFrom(at.who, 1),
    $lib: "posthog-node",
    $lib_version: "5.70.0",
    $is_server: true,
    $geoip_disable: true,
    plan: pick(PLANS, 0),
    duration_ms: Math.floor(random() * 5000),
    amount: Math.floor(random() * 100_000) / 100,
  };
  if (random() < 0.4) properties.utm_source = pick(["google", "bing", "news", "partner"], at.index % 3);
  if (random() < 0.3) properties.utm_campaign = pick(CAMPAIGNS, at.index % 5);
  if (random() < 0.3) properties.$screen_width = 1280 + (at.who % 8) * 80;
  if (random() < 0.3) properties.$groups = { company: `company-${at.who % 500}` };
  if (random() < 0.3) properties.feature_flag = random() < 0.5;
  if (random() < 0.3) properties.search_term = `term ${Math.floor(random() * 1000)}`;
  if (at.identifies) properties.$set = { email: `${at.who}@example.com`, plan: pick(PLANS, at.index % 4) };
  return properties;
};

/** UUIDv7 of a time with random bits from the corpus. */
const uuidAt = (time: number, random: () => number): string => {
  const hex =
    time.toString(16).padStart(12, "0") +
    sixteenBits(random) +
    sixteenBits(random) +
    sixteenBits(random) +
    sixteenBits(random) +
    sixteenBits(random);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const sixteenBits = (random: () => number): string =>
  Math.floor(random() * 65_536)
    .toString(16)
    .padStart(4, "0");

const uuidFrom = (a: number, b: number): string => {
  const hex = ((a + 1) * 2_654_435_761 + b * 40_503).toString(16).padStart(16, "0").slice(-16);
  return `0190d0aa-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(4, 16)}`;
};
