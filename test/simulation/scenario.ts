import type { Random } from "./random.ts";

/** An event as a client sends it. */
export interface SentEvent {
  readonly event: string;
  readonly distinctId: string;
  readonly uuid: string | null;
  /** Milliseconds since 1970; null leaves it to the receive time. */
  readonly timestamp: number | null;
  /** A property, of which the types differ now and then. */
  readonly amount: number | string | boolean | null;
  /** What it says of its person; null for an event without one. */
  readonly person: PersonSide | null;
}

export interface PersonSide {
  readonly set: Readonly<Record<string, number>>;
  /** For `$identify`: the anonymous id that becomes this person's. */
  readonly anonymous: string | null;
}

/** One request of a client, and when; a client that gets no answer sends the same bytes again. */
export interface Request {
  readonly project: number;
  readonly id: string;
  readonly historical: boolean;
  /** Milliseconds after the request before. */
  readonly gapMs: number;
  readonly events: readonly SentEvent[];
}

/** What one run is about. */
export interface Scenario {
  readonly start: number;
  readonly projects: readonly number[];
  readonly requests: readonly Request[];
  /** The project that is removed, after so many milliseconds. */
  readonly removal: { readonly project: number; readonly afterMs: number } | null;
  readonly ingesters: number;
  readonly compactors: number;
  readonly readers: number;
}

/** The events that clients send, and whom they speak of. */
export const EVENTS = ["page", "click", "buy"] as const;
export const PEOPLE = ["ana", "bob", "cleo"] as const;

const DAY_MS = 86_400_000;

/** Just before the end of a day, of a month, of a year, and in the middle of nothing. */
const STARTS = ["2026-03-15T12:00:00Z", "2026-02-28T23:59:20Z", "2026-12-31T23:58:00Z", "2026-05-04T23:59:50Z"].map(Date.parse);

const GAPS: readonly [readonly [number, ...number[]], ...(readonly [number, ...number[]])[]] = [
  [50, 2_000],
  [1_000, 40_000],
  [3_000, 90_000, 1_200_000],
  [500, 30_000, 50_400_000],
];

const BUSY_GAPS: readonly [number, ...number[]] = [2_000, 20_000, 60_000];

export const scenarioOf = (random: Random): Scenario => {
  const start = random.pick([STARTS[0] ?? 0, ...STARTS]);
  const projects = random.chance(0.25) ? [16, 33] : [16];
  // Many small drains into one partition, close together: jobs and readers meet one another all the time.
  const busy = random.chance(0.3);
  const gaps = busy ? BUSY_GAPS : random.pick([...GAPS]);
  // Folding persons writes real files, which takes longer than all the rest: enough of it in a few runs.
  const persons = random.chance(0.12);
  const requests: Request[] = [];
  for (let count = busy ? random.int(8, 14) : random.int(2, 6); count > 0; count -= 1) {
    const request = requestOf(random, random.pick([projects[0] ?? 16, ...projects]), start, random.pick([...gaps]), requests.length, {
      busy,
      persons,
    });
    requests.push(withCopies(random, request, requests));
    // An import that is sent a second time by another run of the same script.
    if (request.historical && random.chance(0.5)) requests.push({ ...request, id: `${request.id}-again`, gapMs: random.pick([...gaps]) });
  }
  const removal = random.chance(0.12) ? { project: random.pick([projects[0] ?? 16, ...projects]), afterMs: random.int(10, 200_000) } : null;
  const compactors = busy ? 3 : random.int(1, 3);
  return { start, projects, requests, removal, ingesters: random.int(1, 3), compactors, readers: random.int(1, busy ? 4 : 2) };
};

/** Now and then a client sends events again in other company; a person's are left out, since copies say nothing of persons. */
const withCopies = (random: Random, request: Request, before: readonly Request[]): Request => {
  if (!random.chance(0.4)) return request;
  const sent = before.filter(({ project, historical }) => project === request.project && historical === request.historical);
  const known = sent
    .flatMap(({ events }) => events)
    .filter(({ uuid, timestamp, person }) => uuid !== null && timestamp !== null && !person);
  return { ...request, events: [...request.events, ...known.filter(() => random.chance(0.4))] };
};

interface Mood {
  readonly busy: boolean;
  readonly persons: boolean;
}

const requestOf = (random: Random, project: number, start: number, gapMs: number, number: number, { busy, persons }: Mood): Request => {
  const historical = random.chance(busy ? 0.1 : 0.35);
  const spread = historical ? 400 * DAY_MS : random.pick([2 * DAY_MS, 35 * DAY_MS]);
  const events = Array.from({ length: random.int(1, 4) }, (): SentEvent => {
    const timestamp = historical || random.chance(0.4) ? start - Math.floor(random.next() * random.next() * spread) : null;
    const person = persons && random.chance(0.6) ? personSide(random) : null;
    return {
      event: person?.anonymous ? "$identify" : random.pick([...EVENTS]),
      distinctId: random.pick([...PEOPLE]),
      uuid: random.chance(historical ? 1 : 0.5) ? uuidOf(random.int(0, 0xffffffff)) : null,
      timestamp,
      amount: random.chance(0.1) ? random.pick(["many", "2026-03-01", true]) : random.pick([1, 2.5, null]),
      person,
    };
  });
  return { project, id: `r${number}`, historical, gapMs, events };
};

const personSide = (random: Random): PersonSide => ({
  set: { plan: random.int(1, 9) },
  anonymous: random.chance(0.3) ? random.pick(["anon-1", "anon-2"]) : null,
});

const uuidOf = (number: number): string => `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
