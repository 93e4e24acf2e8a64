import { DAY_MS, MINUTE_MS } from "../../../lib/core/time.ts";
import { FAULTS } from "./demo-faults.ts";

/** The demo's events: the same for one day wherever it is made, so that whoever loads it twice has it once. */

const DEMO_DAYS = 60;
const PEOPLE = 300;

export interface DemoEvent {
  readonly event: string;
  readonly distinct_id: string;
  readonly uuid: string;
  readonly timestamp: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

type Random = () => number;

/** A small seeded generator (mulberry32): the demo needs repeatable numbers, not good ones. */
const seeded = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** One of a list of [value, weight]. */
const pick = <T>(random: Random, choices: readonly (readonly [T, number])[]): T => {
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  const found = choices.find(([, weight]) => {
    left -= weight;
    return left < 0;
  });
  const [last] = choices;
  if (!last) throw new RangeError("nothing to pick from");
  return (found ?? last)[0];
};

const BROWSERS = [
  ["Chrome", 60],
  ["Safari", 22],
  ["Firefox", 11],
  ["Edge", 7],
] as const;
const COUNTRIES = [
  ["US", 34],
  ["DE", 17],
  ["GB", 13],
  ["PL", 11],
  ["FR", 9],
  ["IN", 9],
  ["BR", 7],
] as const;
const PAGES = [
  ["/", 30],
  ["/pricing", 16],
  ["/docs", 22],
  ["/docs/start", 12],
  ["/app", 14],
  ["/app/settings", 6],
] as const;
const COMPANIES = ["Initech", "Globex", "Umbrella", "Hooli", "Stark", "Wonka", "Acme", "Soylent"] as const;
const MODELS = [
  ["gpt-4o-mini", 6, 0.4],
  ["claude-3-5-haiku", 3, 1.6],
  ["gpt-4o", 1, 6],
] as const;
/** What the shop was released as, oldest first; the hash is that of the commit. */
export const DEMO_RELEASES = [
  { project: "shop", version: "1.4.0", hash_id: "5d41402" },
  { project: "shop", version: "1.5.0", hash_id: "7d79303" },
  { project: "shop", version: "1.6.0", hash_id: "9c1185a" },
] as const;
const NEWEST = DEMO_RELEASES[2];

interface Person {
  readonly id: string;
  readonly email: string;
  readonly company: (typeof COMPANIES)[number];
  readonly browser: string;
  readonly country: string;
  readonly firstDay: number;
  /** The share of days on which the person comes. */
  readonly habit: number;
}

const people = (random: Random): readonly Person[] =>
  Array.from({ length: PEOPLE }, (_, index) => ({
    id: `person-${String(index + 1).padStart(3, "0")}`,
    email: `person${index + 1}@example.com`,
    company: COMPANIES[index % COMPANIES.length] ?? "Acme",
    browser: pick(random, BROWSERS),
    country: pick(random, COUNTRIES),
    firstDay: Math.floor(random() * DEMO_DAYS * 0.8),
    habit: 0.08 + random() ** 3 * 0.6,
  }));

/** A version 7 UUID of a moment: SDKs send such ones, and its random bits come from the seed. */
const uuidAt = (random: Random, ms: number): string => {
  const hex = (digits: number): string =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, "0");
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
};

/** Writes down what a person did at a time. */
type Add = (ms: number, person: Person, event: string, properties: Readonly<Record<string, unknown>>) => void;

/** All events up to `now`, oldest first; the first day is 60 days before the day of `anchor` (milliseconds since 1970, start of a UTC day). */
export const demoEvents = (anchor: number, now: number): readonly DemoEvent[] => {
  const random = seeded(20_260_101);
  const events: DemoEvent[] = [];
  const add: Add = (ms, person, event, properties) => {
    const shared = { $browser: person.browser, $geoip_country_code: person.country, $lib: "web", $groups: { company: person.company } };
    const uuid = uuidAt(random, ms);
    if (ms <= now)
      events.push({ event, distinct_id: person.id, uuid, timestamp: new Date(ms).toISOString(), properties: { ...shared, ...properties } });
  };

  for (const person of people(random)) {
    for (let day = person.firstDay; day <= DEMO_DAYS; day += 1) {
      const start = anchor - (DEMO_DAYS - day) * DAY_MS;
      const ms = start + Math.floor(random() * (DAY_MS - 10 * MINUTE_MS));
      if (day === person.firstDay) meet(add, person, ms);
      if (day === person.firstDay || random() < person.habit) visit(random, add, person, day, ms + 1_000);
    }
  }
  return events.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
};

const meet = (add: Add, person: Person, ms: number): void => {
  add(ms, person, "$identify", { $set: { email: person.email, company: person.company }, $set_once: { first_country: person.country } });
  add(ms + 1, person, "$groupidentify", {
    $group_type: "company",
    $group_key: person.company,
    $group_set: { name: person.company, plan: person.company.length > 5 ? "enterprise" : "startup" },
  });
};

const visit = (random: Random, add: Add, person: Person, day: number, ms: number): void => {
  const session = uuidAt(random, ms);
  const views = 1 + Math.floor(random() * 6);
  for (let view = 0; view < views; view += 1) {
    const page = pick(random, PAGES);
    const at = ms + view * MINUTE_MS + Math.floor(random() * MINUTE_MS);
    add(at, person, "$pageview", {
      $session_id: session,
      $pathname: page,
      $current_url: `https://shop.example${page}`,
      $host: "shop.example",
    });
  }
  if (random() < 0.06) {
    const { exceptions, steps } = pick(
      random,
      FAULTS.map((fault) => [fault, 1] as const),
    );
    const release = DEMO_RELEASES[Math.floor((day / DEMO_DAYS) * DEMO_RELEASES.length)] ?? NEWEST;
    const at = ms + 5 * MINUTE_MS;
    add(at, person, "$exception", {
      $session_id: session,
      $release: release.version,
      $release_id: release.hash_id,
      $exception_list: exceptions,
      $exception_steps: steps.map(([before, message]) => ({ $message: message, $timestamp: new Date(at - before).toISOString() })),
    });
  }
  if (random() < 0.2) {
    const [model, , perMillion] = pick(
      random,
      MODELS.map((each) => [each, each[1]] as const),
    );
    const tokens = 200 + Math.floor(random() * 4_000);
    add(ms + 3 * MINUTE_MS, person, "$ai_generation", {
      $ai_model: model,
      $ai_provider: model.startsWith("gpt") ? "openai" : "anthropic",
      $ai_input_tokens: tokens,
      $ai_output_tokens: Math.floor(tokens / 4),
      $ai_total_cost_usd: Math.round(tokens * perMillion) / 1_000_000,
      $ai_latency: Math.round(400 + random() * 3_000) / 1_000,
    });
  }
};
