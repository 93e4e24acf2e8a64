import { createHash } from "node:crypto";
import { type EventRow, GROUP_SLOTS } from "../../lib/event/event.ts";
import { hotValues, jsonText, propertyText } from "../../lib/event/hot-properties.ts";
import { derivePersonId } from "../../lib/event/identity.ts";
import type { LowerOptions, PropertyOwner, PropertyType } from "../../lib/hogql/options.ts";
import { anEventRow } from "../support/samples/event-rows.ts";
import { type Random, randomOf } from "./random.ts";

/**
 * The project that both engines query: always the same rows. About 700 sessions of 40 persons from January to June 2026, more on
 * the days when the clocks change in Europe and America, a few events of 1970 and of 2100, and properties of every kind, also
 * missing, null, empty, and of the wrong type.
 */
export interface Project {
  readonly events: readonly EventRow[];
  readonly persons: readonly PersonRow[];
  readonly distinctIds: readonly { readonly distinct_id: string; readonly person_id: string }[];
  readonly groups: readonly GroupRow[];
}

export interface PersonRow {
  readonly person_id: string;
  /** Microseconds since 1970, as all times here. */
  readonly created_at: bigint;
  readonly properties: string;
  readonly is_identified: boolean;
  readonly last_seen_at: bigint;
}

export interface GroupRow {
  readonly index: number;
  readonly key: string;
  readonly created_at: bigint;
  readonly updated_at: bigint;
  readonly properties: string;
}

export const PROJECT = 1;
export const NOW = Date.UTC(2026, 5, 30, 12);
export const GROUP_TYPES = ["organization", "project"] as const;

/** Types that the project knows of its properties, by owner. */
const TYPES: Readonly<Partial<Record<PropertyOwner, Readonly<Record<string, PropertyType>>>>> = {
  event: { amount: "Numeric", quantity: "Numeric", active: "Boolean", renews_at: "DateTime", plan: "String" },
  person: { age: "Numeric", vip: "Boolean", joined: "DateTime" },
  group_0: { employees: "Numeric" },
};

export const propertyType: NonNullable<LowerOptions["propertyType"]> = (owner, name) => {
  const types = TYPES[owner];
  return types !== undefined && Object.hasOwn(types, name) ? types[name] : undefined;
};

export const newProject = (): Project => {
  const random = randomOf(20_260_630);
  const events = [...sessionsOf(random), ...oddTimes(random)].map(rowOf);
  const people = Array.from({ length: PEOPLE }, (_, index) => index + 1);
  return {
    events,
    persons: people.map((number) => personRow(number, random)),
    distinctIds: [
      ...people.map((number) => ({ distinct_id: user(number), person_id: personOf(number) })),
      ...people.filter((number) => number <= WITH_PHONE).map((number) => ({ distinct_id: phone(number), person_id: personOf(number) })),
    ],
    groups: groupRows(),
  };
};

const PEOPLE = 40;
/** Persons with a second distinct_id. */
const WITH_PHONE = 15;
const SESSIONS = 700;

const user = (number: number): string => `u${String(number).padStart(2, "0")}`;
const phone = (number: number): string => `${user(number)}-phone`;
const personOf = (number: number): string => derivePersonId(PROJECT, user(number));

interface Sketch {
  readonly event: string;
  readonly who: string;
  /** Microseconds since 1970. */
  readonly at: bigint;
  readonly properties: Record<string, unknown>;
}

const rowOf = (sketch: Sketch, index: number): EventRow => {
  const { properties } = sketch;
  const group = (slot: number): string | null => propertyText(properties[`$group_${slot}`]);
  return anEventRow({
    uuid: uuidAt(Number(sketch.at / 1000n), `event ${index}`),
    event: sketch.event,
    distinct_id: sketch.who,
    person_id: derivePersonId(PROJECT, sketch.who),
    timestamp: sketch.at,
    created_at: sketch.at + 1_500_000n,
    session_id: propertyText(properties.$session_id),
    window_id: propertyText(properties.$window_id),
    groups: Array.from({ length: GROUP_SLOTS }, (_, slot) => group(slot)),
    elements_chain: sketch.event === "$autocapture" ? elementsOf(index) : "",
    properties: jsonText(properties),
    hot: hotValues(properties),
    index,
  });
};

/** A UUIDv7 whose time is the given one; before 1970 its time is 1970. */
const uuidAt = (ms: number, seed: string): string => {
  const time = Math.max(ms, 0).toString(16).padStart(12, "0");
  const hash = createHash("sha1").update(seed).digest("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
};

const elementsOf = (index: number): string => {
  const buttons = ["Buy now", "Sign up", "Learn more", "Ünïcödé"];
  const text = buttons[index % buttons.length];
  return `a.link.primary:attr__href="/page/${index % 7}"href="/page/${index % 7}"text="${text}"nth-child="1"nth-of-type="1";div:attr_id="main"nth-child="2"nth-of-type="1";form:attr_id="form-${index % 3}"nth-child="1"nth-of-type="1"`;
};

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const DAYS = 181;
/** The clocks change in America on the first, in Europe on the second, each at an hour within these. */
const CHANGES = [Date.UTC(2026, 2, 8), Date.UTC(2026, 2, 29)];

const sessionsOf = (random: Random): Sketch[] =>
  Array.from({ length: SESSIONS }, (_, number) => number).flatMap((number): Sketch[] => {
    const change = CHANGES[number % 20];
    const start =
      change === undefined
        ? FROM + random.below(DAYS) * DAY_MS + random.below(DAY_MS)
        : change - 6 * 3_600_000 + random.below(18 * 3_600_000);
    const who = visitor(random);
    const session = random.chance(0.92) ? uuidAt(start, `session ${number}`) : null;
    const shared = sessionProperties(random, who);
    let at = BigInt(start) * 1000n + BigInt(random.below(1000));
    return Array.from({ length: 1 + random.below(8) }, (_, step) => {
      at += step === 0 ? 0n : BigInt(1 + random.below(random.chance(0.3) ? 9 : 900)) * 1_000_000n + BigInt(random.below(1_000_000));
      const event = step === 0 && random.chance(0.7) ? "$pageview" : random.pick(EVENTS);
      return {
        event,
        who,
        at,
        properties: { ...shared, ...(session === null ? {} : { $session_id: session }), ...eventProperties(random, event) },
      };
    });
  });

const visitor = (random: Random): string => {
  if (random.chance(0.04)) return `anon-${1 + random.below(5)}`;
  const number = 1 + Math.min(random.below(PEOPLE), random.below(PEOPLE));
  return number <= WITH_PHONE && random.chance(0.3) ? phone(number) : user(number);
};

const EVENTS = [
  ...Array.from({ length: 8 }, () => "$pageview"),
  ...Array.from({ length: 4 }, () => "$autocapture"),
  ...Array.from({ length: 3 }, () => "click"),
  ...Array.from({ length: 3 }, () => "purchase"),
  "signup",
  "login",
  "login",
  "$screen",
  "it's \\ odd",
  "日本語",
];

/** Times at which days, eras and 32 bits end. */
const oddTimes = (random: Random): Sketch[] =>
  [
    "1970-01-01T00:00:00Z",
    "1970-01-01T12:34:56.789Z",
    "1970-06-15T23:59:59.999Z",
    "1970-12-31T23:30:00Z",
    "2100-02-28T23:59:59.999Z",
    "2100-03-01T00:00:00Z",
    "2100-06-30T12:00:00Z",
    "2100-12-31T23:59:59Z",
    "2026-02-28T23:59:59.999Z",
    "2026-03-29T00:59:59.999Z",
    "2026-03-29T01:00:00Z",
    "2026-03-08T09:59:59.999Z",
    "2026-03-08T10:00:00Z",
  ].map((at, index) => {
    const event = index % 2 === 0 ? "$pageview" : "purchase";
    return {
      event,
      who: user(1 + index),
      at: BigInt(Date.parse(at)) * 1000n,
      properties: { odd_time: true, ...eventProperties(random, event) },
    };
  });

const HOSTS = ["app.example.com", "www.example.org", "shop.example.co.uk"];
const PATHS = ["/", "/pricing", "/docs/start", "/docs/start/", "/blog/2026/03", "/search", "/kaufen/größe"];
const QUERIES = ["", "", "", "?q=a%20b&page=2", "?utm_source=google", "#top", "?q=#frag"];

const sessionProperties = (random: Random, who: string): Record<string, unknown> => ({
  ...random.some("$browser", ["Chrome", "Chrome", "Chrome", "Firefox", "Safari", "Edge", null, ""], 0.92),
  ...random.some("$os", ["Mac OS X", "Windows", "Linux", "iOS", "Android"], 0.95),
  ...random.some("$device_type", ["Desktop", "Mobile", "Tablet"], 0.9),
  ...random.some("$geoip_country_code", ["DE", "US", "FR", "JP", "BR", "GB"], 0.9),
  ...random.some("$lib", ["web", "posthog-node", "posthog-python"], 1),
  ...random.some("$referrer", ["https://www.google.com/", "https://t.co/abc", "$direct", ""], 0.7),
  ...random.some("$referring_domain", ["www.google.com", "t.co", "$direct", "news.example.net"], 0.7),
  ...random.some("utm_source", ["google", "newsletter", "facebook"], 0.3),
  ...random.some("utm_medium", ["cpc", "email", "social"], 0.3),
  ...random.some("utm_campaign", ["spring", "Sommer Ü", "q1-2026"], 0.2),
  ...random.some("gclid", ["gc-1", "gc-2"], 0.08),
  ...random.some("$window_id", [`w-${who}-1`, `w-${who}-2`], 0.8),
  ...random.some("$group_0", ["acme", "acme", "beta", "gamma", ""], 0.7),
  ...random.some("$group_1", ["p1", "p2", ""], 0.5),
});

const LABELS = [
  "Ünïcödé",
  "日本語",
  "🎉 party",
  "naïve café",
  "İstanbul",
  "straße",
  "O'Neil",
  'a"b',
  "back\\slash",
  "tab\there",
  "  padded  ",
  "UPPER lower",
  "plain",
  "100% _sure_",
  "a,b;c|d",
  "line\nbreak",
];
const URLS = [
  "https://user:pw@sub.example.co.uk:8443/a/b.html?x=1&y=%C3%A4+z#frag",
  "http://example.com",
  "HTTPS://WWW.Example.COM/Path/?a=1&a=2&b=&c#",
  "ftp://files.example.net/dir/file.tar.gz",
  "//cdn.example.org/lib.js?v=1.2.3",
  "example.com/no-scheme?q=1",
  "http://[2001:db8::1]:8080/v6",
  "http://192.168.0.1/ip",
  "mailto:me@example.com",
  "",
  "not a url",
  "https://münchen.example/straße?ä=ö",
];

const eventProperties = (random: Random, event: string): Record<string, unknown> => {
  const host = random.pick(HOSTS);
  const path = random.pick(PATHS);
  const number = random.below(1000);
  return {
    ...(event === "$pageview" || random.chance(0.3)
      ? { $current_url: `https://${host}${path}${random.pick(QUERIES)}`, $host: host, $pathname: path }
      : {}),
    ...random.some("$external_click_url", ["https://out.example/"], 0.05),
    ...random.some("plan", ["free", "free", "pro", "team", null, ""], 0.85),
    ...random.some("price", [random.below(10_000) / 100], 0.8),
    ...random.some("amount", [number / 4, -number, `${number}.5`, "n/a", "", null, number * 1e6], event === "purchase" ? 1 : 0.3),
    ...random.some("quantity", [random.below(12), random.below(5)], 0.7),
    ...random.some("active", [true, false, true, "true", "false", null], 0.7),
    ...random.some("flag", [true, false], 0.6),
    ...random.some(
      "renews_at",
      ["2026-02-03T04:05:06Z", "2026-02-03 04:05:06", "2026-02-03", "2026-07-15T10:00:00+02:00", "soon", ""],
      0.5,
    ),
    ...random.some("seen", ["2026-01-31", "2026-03-29 02:30:00", "2026-03-29T12:00:00.123456Z", "31/01/2026", "2024-02-29"], 0.5),
    ...random.some("mixed", [number, String(number), "text", true, null, "", `${number}.25`, "-7", "1e3", " 5 "], 0.9),
    ...random.some("label", LABELS, 0.8),
    ...random.some("tags", [["a", "b"], ["b"], [], ["c", "a", "c"], ["é", 'x"y'], ["a", "b", "c", "d"]], 0.6),
    ...random.some("scores", [[1, 2, 3], [2.5, -1], [], [10, 10, 0.1], [number]], 0.6),
    ...random.some(
      "nested",
      [{ a: { b: `deep-${number % 5}`, n: number }, list: [1, 2, 3], on: number % 2 === 0 }, { a: {} }, { a: null }, "flat"],
      0.6,
    ),
    ...random.some(
      "items",
      [
        [
          { sku: "A1", qty: 2 },
          { sku: "B2", qty: 1 },
        ],
        [{ sku: "C3", qty: 5, gift: true }],
        [],
      ],
      0.4,
    ),
    ...random.some("url", URLS, 0.7),
    ...random.some("ip", ["10.0.0.1", "192.168.1.20", "8.8.8.8", "256.1.1.1", "::1"], 0.5),
    ...random.some("ref", [uuidAt(FROM + number * DAY_MS, `ref ${number}`), "not-a-uuid", "00000000-0000-0000-0000-000000000000"], 0.5),
    ...random.some("my key", ["with space", "x"], 0.3),
    ...random.some('quote"d', ["q"], 0.2),
    ...random.some("dotted.name", ["d1", "d2"], 0.2),
  };
};

const NAMES = ["Ann Lee", "Bob Ö'Hara", "Chloé", "Dmitri Иванов", "Emi 田中", "Finn", "Grace Hopper", "Ümit"];

const personRow = (number: number, random: Random): PersonRow => {
  const created = BigInt(FROM + (number % 30) * DAY_MS + number * 61_000) * 1000n;
  return {
    person_id: personOf(number),
    created_at: created,
    is_identified: number % 3 !== 0,
    last_seen_at: created + BigInt(number) * 86_400_000_000n,
    properties: jsonText({
      email: `${user(number)}@${number % 2 === 0 ? "example.com" : "mail.example.org"}`,
      name: NAMES[number % NAMES.length],
      ...random.some("age", [18 + number, String(18 + number), null], 0.85),
      ...random.some("country", ["DE", "US", "FR", "JP"], 0.9),
      ...random.some("vip", [true, false], 0.7),
      ...random.some("joined", ["2025-11-05", "2026-01-15T08:30:00Z", "2024-02-29 23:59:59"], 0.8),
      ...random.some("nickname", ["ace", "", null], 0.6),
    }),
  };
};

/** `gamma` has events and no row. */
const groupRows = (): GroupRow[] => {
  const group = (index: number, key: string, properties: Record<string, unknown>): GroupRow => ({
    index,
    key,
    created_at: BigInt(FROM) * 1000n,
    updated_at: BigInt(FROM + 40 * DAY_MS) * 1000n,
    properties: jsonText(properties),
  });
  return [
    group(0, "acme", { name: "Acme Corp", plan: "gold", employees: 1200, founded: "1999-05-01" }),
    group(0, "beta", { name: "Beta GmbH & Co", plan: "", employees: "35", founded: null }),
    group(1, "p1", { name: "Project One", tier: "a" }),
    group(1, "p2", { name: "Projekt Zwei", tier: "b" }),
  ];
};
