import { createHash } from "node:crypto";
import { Exact, isObject, type Json, objectOr } from "../model/json.ts";
import { billedEvent, midnightsAt, recordingPiece } from "../simulation/billed.ts";
import { idOr } from "../simulation/ids.ts";
import { type Random, randomOf } from "../simulation/random.ts";

/** Requests by number, the same ones whenever they are asked for: nothing of them has to be kept. */
export interface Traffic {
  readonly requests: number;
  readonly events: number;
  of(number: number): Composed;
}

/** What a client composes. The time at which it sends it is part of it only where it says so. */
export interface Composed {
  readonly number: number;
  readonly path: "/batch/" | "/s/";
  readonly historical: boolean;
  readonly batch: readonly Json[];
  /** How far `sent_at` lies before the first sending; null without one. */
  readonly sentBeforeMs: number | null;
  /** How often the client sends the same bytes, besides those times that had no answer. */
  readonly deliveries: number;
  readonly isGzipped: boolean;
}

export const GROUP_TYPES = ["company", "team"] as const;
export const EVENTS = ["signup", "purchase", "$pageview", "page left", "$ai_generation", "survey sent", "$exception"] as const;
/** The distinct_id of which there are most events, and one that a double takes for another. */
export const BUSIEST = "user-0";
export const NUMBERED = "9007199254740993";
/** An order of which there are events, and others beside it that a double takes for the same. */
export const ORDER = "12345678901234567891";

const EVENTS_A_REQUEST = 100;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `start` is the time from which all stated times are counted back. */
export const trafficOf = (seed: number, events: number, start: number): Traffic => {
  const requests = GROUP_TYPES.length + Math.ceil(events / EVENTS_A_REQUEST);
  const people = Math.max(20, Math.ceil(events / 25));
  const originals = Math.min(40, Math.floor(requests / 4));
  const of = (number: number): Composed =>
    number < GROUP_TYPES.length
      ? introducing(number, start)
      : composed(randomOf(seed * 1_000_003 + number), { number, start, people, seed, originals });
  return { requests, events: GROUP_TYPES.length + (requests - GROUP_TYPES.length) * EVENTS_A_REQUEST, of };
};

/** The first requests each bring one group type, so that the order of the slots is known. */
const introducing = (number: number, start: number): Composed => ({
  number,
  path: "/batch/",
  historical: false,
  batch: [
    {
      event: "$groupidentify",
      distinct_id: BUSIEST,
      uuid: uuidOf(number, 0),
      timestamp: new Date(start - DAY_MS + number).toISOString(),
      properties: { n: `${number}:0`, $group_type: GROUP_TYPES[number], $group_key: "first", $group_set: { seats: number } },
    },
  ],
  sentBeforeMs: null,
  deliveries: 1,
  isGzipped: false,
});

interface Frame {
  readonly number: number;
  readonly start: number;
  readonly people: number;
  readonly seed: number;
  /** Requests up to this one are what later ones have copies of. */
  readonly originals: number;
}

const composed = (random: Random, frame: Frame): Composed => (random.chance(0.04) ? recorded(random, frame) : ordinary(random, frame));

/** Pieces of recordings that began within the last hours. */
const recorded = (random: Random, { number, start }: Frame): Composed => ({
  ...{ number, path: "/s/", historical: false, sentBeforeMs: null, deliveries: random.int(1, 2), isGzipped: random.chance(0.5) },
  batch: Array.from({ length: random.int(1, 5) }, () => {
    const { event, properties } = recordingPiece(random, start - random.int(0, 20) * HOUR_MS, 5);
    return { event, distinct_id: BUSIEST, properties };
  }),
});

const ordinary = (random: Random, frame: Frame): Composed => {
  const historical = random.chance(0.2);
  const sentBeforeMs = random.pick([null, 0, 400, 400, 10 * MINUTE_MS, -4 * MINUTE_MS]);
  const deliveries = random.pick([1, 1, 1, 1, 1, 1, 1, 2, 2, 3]);
  // A copy that is received later than `sent_at` by minutes is corrected by them.
  const isMoved = !historical && sentBeforeMs !== null && (deliveries > 1 || Math.abs(sentBeforeMs) > MINUTE_MS);
  const batch = Array.from({ length: EVENTS_A_REQUEST }, (_, index): Json => {
    const copied = frame.number > frame.originals && random.chance(0.02) ? copyOf(random, frame, index) : null;
    return copied ?? eventOf(random, frame, { index, historical, isMoved, hasSentAt: sentBeforeMs !== null });
  });
  return { number: frame.number, path: "/batch/", historical, batch, sentBeforeMs, deliveries, isGzipped: random.chance(0.5) };
};

interface Setting {
  readonly index: number;
  readonly historical: boolean;
  /** Each delivery corrects the times otherwise. */
  readonly isMoved: boolean;
  readonly hasSentAt: boolean;
}

const eventOf = (random: Random, frame: Frame, setting: Setting): Json => {
  const { index, historical, hasSentAt } = setting;
  const midnight = random.chance(0.1) ? random.pick([...midnightsAt(frame.start - 3 * DAY_MS)]) : null;
  const time = midnight === null ? timeOf(random, frame, setting) : timeBeside(random, midnight, setting);
  const needsUuid = historical ? time.timestamp === undefined && !(hasSentAt && time.offset === undefined) : !hasSentAt;
  const uuid = needsUuid || random.chance(0.6) ? { uuid: uuidOf(frame.number, index) } : {};
  return { ...(midnight === null ? said(random, frame, index) : billed(random, frame, { index, midnight })), ...uuid, ...time };
};

/** The day before a midnight or the one after: a month begins with one of them. */
const timeBeside = (random: Random, midnight: number, { isMoved }: Setting): Json => {
  const day = midnight - random.int(0, 1) * DAY_MS;
  return { timestamp: new Date(day + (isMoved ? random.int(3 * HOUR_MS, 18 * HOUR_MS) : random.int(0, DAY_MS - 1))).toISOString() };
};

/** A part of something that lasts over midnight, of which there are a few for each hundred people. */
const billed = (
  random: Random,
  { number, people }: Frame,
  { index, midnight }: { readonly index: number; readonly midnight: number },
): Json => {
  const { event, properties } = billedEvent(random, midnight, Math.ceil(people / 20));
  const isOfPerson = random.chance(0.3) ? {} : { $process_person_profile: false };
  return { event, distinct_id: personOf(random, people), properties: { n: `${number}:${index}`, ...objectOr(properties), ...isOfPerson } };
};

/** Within the day, but where every delivery has the same time, far from its ends: another day would make another event. */
const timeOf = (random: Random, { start }: Frame, { historical, isMoved }: Setting): Json => {
  const day = Math.floor(start / DAY_MS) * DAY_MS - random.int(1, historical ? 300 : 40) * DAY_MS;
  const within = day + random.int(3 * HOUR_MS, 18 * HOUR_MS);
  const anywhere = isMoved ? within : day + random.int(0, DAY_MS - 1);
  switch (random.int(1, 20)) {
    case 1:
      return { timestamp: new Date(isMoved ? within : day).toISOString() };
    case 2:
      return { timestamp: isMoved ? new Date(within).toISOString() : `${new Date(day).toISOString().slice(0, 10)}T23:59:59.999999Z` };
    case 3:
      return {};
    case 4:
      return random.chance(0.5) ? { offset: start - within } : { timestamp: new Date(within).toUTCString() };
    case 5:
      if (historical) return { timestamp: new Date(start - random.int(0, 3 * DAY_MS)).toISOString() };
      return { timestamp: isMoved ? "1969-06-01T12:00:00Z" : "1969-12-31T23:59:59.999999Z" };
    default:
      return { timestamp: new Date(anywhere).toISOString() };
  }
};

const said = (random: Random, frame: Frame, index: number): Json => {
  const order = random.chance(0.1) ? { order: orderOf(random) } : {};
  const own = { n: `${frame.number}:${index}`, pad: padOf(random), amount: random.pick([1, 2.5, 40, "many", true, null]), ...order };
  const id = personOf(random, frame.people);
  const properties = random.chance(0.1) ? { ...own, $groups: { [random.pick(GROUP_TYPES)]: groupOf(random) } } : own;
  if (random.chance(0.3))
    return { event: random.pick(EVENTS), distinct_id: id, properties: { ...properties, $process_person_profile: false } };
  const set = { plan: random.chance(0.1) ? orderOf(random) : random.int(1, 9), city: random.pick(["Lima", "Oslo", "Pune"]) };
  const anonymous = idOr(random, `anon-${random.int(0, frame.people)}`, FEW);
  switch (random.int(1, 50)) {
    case 1:
      return {
        event: random.pick(["$create_alias", "$merge_dangerously"]),
        distinct_id: id,
        properties: { ...properties, alias: anonymous },
      };
    case 2: {
      const group = {
        $group_type: random.pick(GROUP_TYPES),
        $group_key: groupOf(random),
        $group_set: { [random.pick(["seats", "tier"])]: random.int(1, 99) },
      };
      return { event: "$groupidentify", distinct_id: id, properties: { ...properties, ...group } };
    }
    case 3:
      return { event: "signup", distinct_id: id, properties: { ...properties, $set_once: { source: random.pick(["web", "app"]) } } };
    case 4:
      return { event: "page left", distinct_id: anonymous, properties: { ...properties, $unset: ["city"], $set: { plan: 0 } } };
    case 5:
      return { event: "page left", distinct_id: id, $unset: ["city"], properties: { ...properties, $unset: ["plan"], $set: set } };
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
      return { event: "$identify", distinct_id: id, properties: { ...properties, $anon_distinct_id: anonymous, $set: set } };
    default:
      return { event: random.pick(EVENTS), distinct_id: random.chance(0.2) ? anonymous : id, properties };
  }
};

/** An event of an earlier request once more, by its uuid: at another time of its day, with other properties. */
const copyOf = (random: Random, frame: Frame, index: number): Json | null => {
  const number = random.int(GROUP_TYPES.length, frame.originals);
  const { path, batch } = composed(randomOf(frame.seed * 1_000_003 + number), { ...frame, number });
  if (path === "/s/") return null;
  const event = batch[random.int(0, batch.length - 1)];
  const [properties, timestamp] = [event?.properties, event?.timestamp];
  if (event?.uuid === undefined || typeof timestamp !== "string" || !/^20.*T.*Z$/.test(timestamp)) return null;
  if (!isObject(properties)) return null;
  const time = new Date(Date.parse(timestamp.slice(0, 10)) + random.int(3 * HOUR_MS, 18 * HOUR_MS)).toISOString();
  const otherwise = isObject(properties.$set) ? { $set: { plan: random.int(10, 19) } } : {};
  return {
    ...event,
    timestamp: time,
    properties: { ...properties, ...otherwise, n: `${frame.number}:${index}`, amount: random.int(100, 199) },
  };
};

/** A few people do most. */
const personOf = (random: Random, people: number): unknown => idOr(random, `user-${Math.floor(random.next() ** 3 * people)}`, FEW);
const groupOf = (random: Random): unknown => (random.chance(FEW) ? orderOf(random) : `group-${random.int(0, 200)}`);
const FEW = 0.03;

/** One of four numbers that a double takes for one. */
const orderOf = (random: Random): Exact => new Exact(String(BigInt(ORDER) - BigInt(random.int(0, 3))));

/** From half a kilobyte to fifty, most of them small. */
const padOf = (random: Random): string => {
  const length = random.chance(0.8) ? random.int(400, 1_000) : random.chance(0.75) ? random.int(1_000, 5_000) : random.int(5_000, 50_000);
  const from = random.int(0, NOISE.length - length);
  return NOISE.slice(from, from + length);
};

const NOISE = Array.from({ length: 4_000 }, (_, at) => createHash("md5").update(String(at)).digest("hex")).join("");

const uuidOf = (number: number, index: number): string =>
  `0190c000-${(number >> 16).toString(16).padStart(4, "0")}-7000-8000-${(number & 0xffff).toString(16).padStart(6, "0")}${index.toString(16).padStart(6, "0")}`;
