import { DAY_MS } from "../../lib/core/time.ts";
import type { EarnedProperty } from "../../lib/event/earned-properties.ts";
import type { Commit } from "../../lib/lake/catalogue.ts";
import type { Delivery } from "../../lib/ports/queues.ts";
import type { Random } from "../simulation/random.ts";
import { deliveryOf } from "../support/samples/capture-messages.ts";

/** What one drain takes. */
export interface Batch {
  readonly deliveries: readonly Delivery[];
  readonly lane: Commit["lane"];
}

/** Times at the edges of what is stored: year 0, before 1900, around 1970, the year in which 32 bits of seconds end. */
const EDGES = [
  "0000-01-01T00:00:00.000001Z",
  "0001-01-01T00:00:00Z",
  "1582-10-10T12:00:00Z",
  "1899-12-31T23:59:59.999999Z",
  "1969-12-31T00:00:00Z",
  "1969-12-31T23:59:59.999999Z",
  "1970-01-01T00:00:00Z",
  "1970-01-01T00:00:00.000001Z",
  "2014-12-31T23:59:59.999999Z",
  "2015-01-01T00:00:00Z",
  "2024-02-29T12:00:00.5Z",
] as const;
/** Received so late, an event may say a time of these days: 9999-12-31T23:59:59Z, in microseconds. */
const LAST_RECEIVED = 253_402_300_799_000_000n;
const LAST = ["9999-12-31T23:59:59.999999Z", "9999-12-31T00:00:00Z", "9999-12-30T23:59:59.999999Z", "2300-01-01T00:00:00Z"] as const;

const EVENTS = ["$pageview", "signup", "purchase", "page left", "$ai_generation", "ünïcödé 🎉", "$identify"] as const;
const IDS = ["ann", "Ann", "bob", "user 10", "user 9", "é", "🎉", "\uffff", "9007199254740993", `long ${"x".repeat(190)}`] as const;
const TEXTS = ["", "a", "A", "ä", "it's", '"quoted"', "back\\slash", "tab\tline\nend", "🎉", "\u2028", "null", "%", "日本語", "0"] as const;
const NUMBERS = [0, -0, 1, -1, 0.1, 1e-300, 1.7976931348623157e308, -1.5, 9007199254740992, 5e-324] as const;

/** Properties that queries name. None is a column already; of events one is named as a text and as a number. */
export const NAMED = [
  { property: "order", type: "text" },
  { property: "order", type: "number" },
  { property: "weight", type: "number" },
  { property: "note", type: "text" },
  { owner: "person", property: "plan", type: "text" },
  { owner: "person", property: "name", type: "text" },
  { owner: "person", property: "n", type: "text" },
] as const satisfies readonly EarnedProperty[];

/** Others, which are named at the end. */
export const LATE = [
  { property: "note", type: "number" },
  { owner: "person", property: "first", type: "text" },
] as const satisfies readonly EarnedProperty[];

/** Batches of a project, one after the other, of which some repeat events of those before. */
export const trafficOf = (random: Random, project: number, organization: string) => {
  /** Events that were sent, as they may come again. */
  const sent: object[] = [];
  const event = (now: number): object => {
    const name = random.pick(EVENTS);
    const id = random.chance(0.7) ? random.pick(IDS) : `user ${random.int(0, 100)}`;
    const made = {
      event: name,
      distinct_id: id,
      uuid: randomUuid(random),
      timestamp: time(random, now),
      properties: { ...common(random), ...(random.chance(0.12) && rare(random)), ...person(random, name) },
    };
    sent.push(made);
    return made;
  };
  /** A copy of an event as it came, or one that says something else. */
  const copy = (now: number): object => {
    const old = sent[random.int(0, sent.length - 1)] ?? event(now);
    return random.chance(0.5) ? old : { ...old, properties: common(random) };
  };
  return (now: number): Batch => {
    const lane = random.chance(0.2) ? "historical" : "live";
    const isLast = random.chance(0.03);
    const events = Array.from({ length: random.int(1, 30) }, () => (sent.length > 0 && random.chance(0.15) ? copy(now) : event(now)));
    const last = { event: "last", distinct_id: "z", uuid: randomUuid(random), timestamp: random.pick(LAST), properties: {} };
    const received = isLast ? LAST_RECEIVED : BigInt(now) * 1_000n + BigInt(random.int(0, 999));
    const facts = { project, organization, received: String(received), historical: lane === "historical" };
    const delivery = deliveryOf(isLast ? [last] : events, facts);
    return { lane, deliveries: random.chance(0.1) ? [delivery, { ...delivery, id: `${delivery.id} again` }] : [delivery] };
  };
};

const randomUuid = (random: Random): string => {
  const digits = Array.from({ length: 32 }, () => random.int(0, 15).toString(16)).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
};

/** Mostly of the last two days, some late, some at the edges. */
const time = (random: Random, now: number): string => {
  if (random.chance(0.06)) return random.pick(EDGES);
  const days = random.chance(0.15) ? random.int(3, 70) : random.int(0, 2);
  const at = now - days * DAY_MS - random.int(0, DAY_MS);
  return new Date(at).toISOString().replace("Z", `${String(random.int(0, 999)).padStart(3, "0")}Z`);
};

const common = (random: Random): object => ({
  $current_url: `https://shop.example/${random.pick(TEXTS)}`,
  $browser: random.chance(0.3) ? null : random.pick(TEXTS),
  ...(random.chance(0.5) && { $session_id: `s${random.int(0, 20)}`, $window_id: "w" }),
  ...(random.chance(0.2) && { $ai_total_cost_usd: random.pick(NUMBERS) }),
  ...(random.chance(0.2) && { $groups: { company: random.pick(["acme", "globex", "日本"]) } }),
  ...(random.chance(0.2) && { utm_source: random.pick(TEXTS) }),
  ...(random.chance(0.5) && { weight: random.pick(NUMBERS), note: random.pick(TEXTS) }),
  order: random.pick([1, "12345678901234567891", -9007199254740992, { deep: [random.pick(TEXTS)] }]),
});

const rare = (random: Random): object => ({
  ai_product: random.pick(TEXTS),
  $ai_trace_id: random.chance(0.5) ? null : `trace ${random.int(0, 5)}`,
  $ai_input_tokens: random.pick(NUMBERS),
  $ai_input_cost_usd: random.chance(0.5) ? "no number" : random.pick(NUMBERS),
});

/** What makes, joins and changes persons. */
const person = (random: Random, event: string): object => {
  if (event === "$identify") return { $anon_distinct_id: random.pick(IDS), $set: { name: random.pick(TEXTS) } };
  if (random.chance(0.3)) return { $process_person_profile: false };
  return random.chance(0.4)
    ? { $set: { plan: random.pick(TEXTS), n: random.pick(NUMBERS) }, $set_once: { first: random.pick(TEXTS) } }
    : {};
};
