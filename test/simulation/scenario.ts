import { isObject, objectOr } from "../model/json.ts";
import { billedEvent, midnightsAt, recordingPiece, timeBeside } from "./billed.ts";
import { anOrder, idOr, PEOPLE } from "./ids.ts";
import type { Random } from "./random.ts";

/** An event as a client writes it. */
export type SentEvent = Readonly<Record<string, unknown>>;

/** One request of a client, and when and how it is sent. */
export interface SentRequest {
  readonly project: number;
  readonly path: "/batch/" | "/s/";
  readonly name: string;
  readonly historical: boolean;
  /** The import that it belongs to. */
  readonly importName?: string | undefined;
  /** Milliseconds after the request before. */
  readonly gapMs: number;
  readonly batch: readonly SentEvent[];
  /** How far its `sent_at` lies before the client's sending; null without one. */
  readonly sentBeforeMs: number | null;
  /** How often the client sends the same bytes, because an answer was lost. */
  readonly times: number;
  /** Into how many messages capture cuts it, and whether they point to objects. */
  readonly pieces: number;
  readonly byPointer: boolean;
}

/** What one run is about. */
export interface Scenario {
  readonly start: number;
  readonly projects: readonly number[];
  readonly requests: readonly SentRequest[];
  /** The project that is removed, after so many milliseconds. */
  readonly removal: { readonly project: number; readonly afterMs: number } | null;
  readonly ingesters: number;
  readonly compactors: number;
  readonly readers: number;
  /** Whether events tell of persons and groups: folding these writes real files, which takes longer than all the rest. */
  readonly hasPersons: boolean;
}

/** The events that clients send most. */
export const EVENTS = ["page", "click", "buy", "$exception", "survey sent", "$ai_span"] as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Just before the end of a day, of a month, of a year, and in the middle of nothing. */
const STARTS = ["2026-03-15T12:00:00Z", "2026-02-28T23:59:20Z", "2026-12-31T23:58:00Z", "2026-05-04T23:59:50Z"].map(Date.parse);

const GAPS: readonly [readonly [number, ...number[]], ...(readonly [number, ...number[]])[]] = [
  [50, 2_000],
  [1_000, 40_000],
  [3_000, 90_000, 1_200_000],
  [500, 30_000, 50_400_000],
];

const BUSY_GAPS: readonly [number, ...number[]] = [2_000, 20_000, 60_000];

/** `isSmall`: one whose every step takes long. */
export const scenarioOf = (random: Random, { isSmall = false } = {}): Scenario => {
  const start = random.pick([STARTS[0] ?? 0, ...STARTS]);
  const projects = random.chance(0.25) ? [16, 33] : [16];
  // Many small drains into one partition, close together: jobs and readers meet one another all the time.
  const busy = !isSmall && random.chance(0.3);
  const hasPersons = random.chance(0.12);
  const isBilled = random.chance(0.3);
  const gaps = busy ? BUSY_GAPS : random.pick([...GAPS]);
  const requests: SentRequest[] = [];
  for (let count = busy ? random.int(5, 9) : random.int(1, isSmall ? 2 : 4); count > 0; count -= 1) {
    const project = random.pick([projects[0] ?? 16, ...projects]);
    const before = requests.filter((request) => request.project === project && request.path === "/batch/").flatMap(({ batch }) => batch);
    const mood = { busy, hasPersons, isBilled, start, before };
    const request = requestOf(random, project, `r${requests.length}`, random.pick([...gaps]), mood);
    requests.push(request);
    // An import that is sent a second time by another run of the same script.
    if (request.historical && random.chance(0.5))
      requests.push({ ...request, name: `${request.name}-again`, gapMs: random.pick([...gaps]) });
  }
  if (isBilled && random.chance(0.7)) requests.push(lateRequest(random, random.pick([projects[0] ?? 16, ...projects]), start));
  const removal = random.chance(0.12) ? { project: random.pick([projects[0] ?? 16, ...projects]), afterMs: random.int(10, 200_000) } : null;
  const compactors = busy ? 3 : random.int(1, 3);
  return {
    start,
    projects,
    requests,
    removal,
    ingesters: random.int(1, 3),
    compactors,
    readers: random.int(1, busy ? 4 : isSmall ? 1 : 2),
    hasPersons,
  };
};

interface Mood {
  readonly busy: boolean;
  readonly hasPersons: boolean;
  /** Whether much of what is sent is counted otherwise than event by event. */
  readonly isBilled: boolean;
  readonly start: number;
  /** What was sent to the project so far. */
  readonly before: readonly SentEvent[];
}

const SENT_BEFORE_MS = [null, null, 0, 900, 5 * MINUTE_MS, -3 * MINUTE_MS] as const;

const requestOf = (random: Random, project: number, name: string, gapMs: number, mood: Mood): SentRequest => {
  if (mood.isBilled && random.chance(0.2)) {
    const batch = Array.from({ length: random.int(1, 3) }, () => recordingPiece(random, beganOf(random, mood.start), 3));
    const sent = { project, path: "/s/", name, historical: false, gapMs, batch } as const;
    return { ...sent, sentBeforeMs: null, times: random.int(1, 2), pieces: 1, byPointer: false };
  }
  const historical = random.chance(mood.busy ? 0.1 : 0.35);
  const batch = Array.from({ length: random.int(1, 4) }, () => eventOf(random, historical, mood));
  // Two equal rows of one export.
  if (random.chance(0.1)) batch.push({ ...batch[0], ...(batch[0]?.uuid === undefined ? {} : { uuid: uuidOf(random) }) });
  const sentBeforeMs = random.pick(SENT_BEFORE_MS);
  const request = {
    project,
    path: "/batch/",
    name,
    historical,
    gapMs,
    batch,
    sentBeforeMs,
    pieces: 1,
    byPointer: random.chance(0.1),
  } as const;
  const times = random.chance(0.15) ? 2 : 1;
  const whole = historical && batch.some(({ uuid }) => uuid === undefined);
  return { ...request, times, pieces: whole ? 1 : random.pick([1, 1, 2, 3]) };
};

/** A recording may have begun hours ago, so long ago that its id is not believed, or later than its pieces come. */
const beganOf = (random: Random, start: number): number | null =>
  random.chance(0.7) ? random.pick([start - 26 * HOUR_MS, start - 2 * HOUR_MS, midnightsAt(start)[1] + HOUR_MS]) : null;

const UNREADABLE = "soon";

const eventOf = (random: Random, historical: boolean, mood: Mood): SentEvent => {
  if (mood.before.length > 0 && random.chance(0.12)) return copyOf(random, random.pick([mood.before[0] ?? {}, ...mood.before]));
  const { hasPersons, isBilled, start } = mood;
  const spread = historical ? 400 * DAY_MS : random.pick([2 * DAY_MS, 35 * DAY_MS]);
  const hasTime = historical ? !random.chance(0.05) : random.chance(0.4);
  const time = start - Math.floor(random.next() * random.next() * spread);
  const uuid = random.chance(historical ? 0.7 : 0.5) ? uuidOf(random) : undefined;
  const distinct_id = idOr(random, random.pick(["ana", "bob", "cleo"]));
  if (isBilled && random.chance(0.75)) {
    const [month, next] = midnightsAt(start);
    const midnight = random.pick([month, month, next]);
    const said = { ...billedEvent(random, midnight, 3), timestamp: new Date(timeBeside(random, midnight)).toISOString(), distinct_id };
    return { ...(hasPersons && random.chance(0.5) ? said : withoutPerson(said)), ...(uuid === undefined ? {} : { uuid }) };
  }
  return {
    ...(hasPersons && random.chance(0.6) ? personal(random) : impersonal(random)),
    distinct_id,
    ...(uuid === undefined ? {} : { uuid }),
    ...(hasTime ? { timestamp: random.chance(0.05) ? UNREADABLE : new Date(time).toISOString() } : {}),
    ...(!hasTime && random.chance(0.2) ? { offset: random.int(0, 3 * DAY_MS) } : {}),
  };
};

const withoutPerson = (event: SentEvent): SentEvent => ({
  ...event,
  properties: { ...objectOr(event.properties), $process_person_profile: false },
});

/** What bears on what was counted on the other side of the month's beginning comes last: parts that began before, or traces that end after. */
const lateRequest = (random: Random, project: number, start: number): SentRequest => {
  const [month] = midnightsAt(start);
  const isAfter = random.chance(0.4);
  const batch = Array.from({ length: random.int(2, 6) }, () => {
    const timestamp = new Date(month + random.int(1, 20 * HOUR_MS) * (isAfter ? 1 : -1)).toISOString();
    const event = billedEvent(random, month, 3, isAfter ? "$ai_trace" : undefined);
    return withoutPerson({ ...event, timestamp, distinct_id: "ana" });
  });
  const gapMs = random.pick([5 * MINUTE_MS, 60 * MINUTE_MS, 14 * HOUR_MS]);
  const sent = { project, path: "/batch/", name: "late", historical: false, gapMs, batch } as const;
  return { ...sent, sentBeforeMs: null, times: 1, pieces: 1, byPointer: false };
};

/** The same event once more, said otherwise: at another time of the day, with other properties, with or without a flag. */
const copyOf = (random: Random, event: SentEvent): SentEvent => {
  const properties = isObject(event.properties) ? event.properties : {};
  // Without a uuid it is another event, or the row of an import once more.
  if (event.uuid === undefined) return event;
  const time = typeof event.timestamp === "string" ? Date.parse(event.timestamp) : Number.NaN;
  const moved = Number.isNaN(time) ? {} : { timestamp: new Date(time - (time % DAY_MS) + random.int(0, DAY_MS - 1)).toISOString() };
  const otherwise = isObject(properties.$set) ? { $set: { plan: random.int(10, 99) } } : {};
  return { ...event, ...(random.chance(0.5) ? moved : {}), properties: { ...properties, ...otherwise, amount: random.int(10, 99) } };
};

const impersonal = (random: Random): SentEvent => ({
  event: random.pick(EVENTS),
  properties: { ...anything(random), $process_person_profile: false },
});

const anything = (random: Random): SentEvent => ({
  amount: random.chance(0.1) ? random.pick(["many", "2026-03-01", true]) : random.pick([1, 2.5, null]),
  ...(random.chance(0.15) ? { order: random.chance(0.5) ? anOrder(random) : { numbers: [anOrder(random)] } } : {}),
  ...(random.chance(0.5) ? { text: "a".repeat(random.pick([700, 2_500, 10_000])) } : {}),
  ...(random.chance(0.1) ? { $groups: { [random.pick(GROUP_TYPES)]: random.pick(["acme", "zeta"]) } } : {}),
});

const GROUP_TYPES = ["company", "team"] as const;

const personal = (random: Random): SentEvent => {
  const properties = anything(random);
  const plan = { plan: random.chance(0.1) ? anOrder(random) : random.int(1, 9) };
  switch (random.int(1, 9)) {
    case 1:
      return { event: "$identify", properties: { ...properties, $set: plan, $anon_distinct_id: idOr(random, random.pick(PEOPLE)) } };
    case 2:
      return {
        event: random.pick(["$create_alias", "$merge_dangerously"]),
        properties: { ...properties, alias: idOr(random, random.pick(PEOPLE)) },
      };
    case 3:
      return { event: "page", properties: { ...properties, $set_once: { ...plan, [random.pick(["source", "plan"])]: "web" } } };
    case 4:
      return { event: "page", properties: { ...properties, $unset: random.pick([["plan"], { source: true }]), $set_once: plan } };
    case 5: {
      const group = {
        $group_type: random.pick(GROUP_TYPES),
        $group_key: random.chance(0.1) ? anOrder(random) : random.pick(["acme", "zeta"]),
      };
      return {
        event: "$groupidentify",
        properties: { ...properties, ...group, $group_set: { [random.pick(["seats", "tier"])]: random.int(1, 9) } },
      };
    }
    case 6:
      return { event: "$set", $set: plan, properties };
    case 7:
      return {
        event: "page",
        $unset: random.pick([["plan"], { plan: 1 }]),
        properties: { ...properties, $unset: ["source", "plan"], $set_once: plan },
      };
    default:
      return { event: random.pick(["page", "click"]), properties: { ...properties, $set: plan } };
  }
};

const uuidOf = (random: Random): string => `00000000-0000-7000-8000-${random.int(0, 0xffffffff).toString(16).padStart(12, "0")}`;
