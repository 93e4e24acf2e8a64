import { setTimeout as pause } from "node:timers/promises";
import { Exact } from "../model/json.ts";
import { dayOf } from "../model/times.ts";
import { randomOf } from "../simulation/random.ts";
import { compareAll } from "./compare.ts";
import { type Proved, startProved } from "./platform.ts";
import { type Filter, type Record, recordOf } from "./record.ts";
import { BUSIEST, type Composed, EVENTS, GROUP_TYPES, NUMBERED, ORDER, type Traffic, trafficOf } from "./traffic.ts";

export interface Proof {
  readonly events: number;
  readonly kills: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

const DAY_MS = 86_400_000;
const LANES = 4;
const RETRY_MS = 100;
const MOST_ATTEMPTS = 300;

/** Sends events, kills and asks all the while, and compares at the end. Throws at the first difference. */
export const prove = async ({ events, kills, seed, say }: Proof): Promise<void> => {
  const start = Date.now();
  const traffic = trafficOf(seed, events, start);
  const filters = filtersOf(start);
  const proved = await startProved();
  try {
    const record = recordOf(traffic, proved.project, filters);
    for (const filter of filters) await proved.save(nameOf(filter), countQuery(filter));
    for (let number = 0; number < GROUP_TYPES.length; number += 1) {
      await deliver(proved, record, traffic.of(number));
      await proved.drained();
    }
    await storm(proved, record, traffic, filters, { kills, seed, say });
    await compareAll(proved, record, traffic, say);
    say(`proved: ${traffic.events} events in ${traffic.requests} requests, ${kills} kills, ${Math.round((Date.now() - start) / 1_000)} s`);
  } finally {
    await proved.stop();
  }
};

const ALL: Filter = { name: "all", where: "1 = 1", matches: () => true };

/** All of an identity: day, event and distinct_id prune, and so do ranges of whole days. */
const filtersOf = (start: number): readonly Filter[] => {
  const today = dayOf(BigInt(start) * 1_000n);
  const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
  const week = { from: today - 20, to: today - 13 };
  return [
    ALL,
    ...EVENTS.map((event): Filter => ({ name: event, where: `event = '${event}'`, matches: (copy) => copy.event === event })),
    { name: "the busiest", where: `distinct_id = '${BUSIEST}'`, matches: ({ distinctId }) => distinctId === BUSIEST },
    { name: "a number", where: `distinct_id = '${NUMBERED}'`, matches: ({ distinctId }) => distinctId === NUMBERED },
    {
      name: "an order",
      where: `properties.order = ${ORDER}`,
      matches: ({ properties: { order } }) => order instanceof Exact && order.digits === ORDER,
    },
    {
      name: "a week",
      where: `timestamp >= '${dayText(week.from)}' AND timestamp < '${dayText(week.to)}'`,
      matches: ({ day }) => day >= week.from && day < week.to,
    },
    {
      name: "a week of signups",
      where: `event = 'signup' AND timestamp >= '${dayText(week.from)}' AND timestamp < '${dayText(week.to)}'`,
      matches: ({ event, day }) => event === "signup" && day >= week.from && day < week.to,
    },
  ];
};

const nameOf = ({ name }: Filter): string => `count-${name.replaceAll(/[^a-z]+/gi, "-")}`;

const countQuery = ({ where }: Filter): string => {
  const identity = "concat(toString(toDate(timestamp)), ' ', event, ' ', distinct_id, ' ', toString(uuid))";
  return `SELECT count() AS all_rows, count(DISTINCT ${identity}) AS different FROM events WHERE ${where}`;
};

/** Sends one request until it is answered. */
export const deliver = async (proved: Proved, record: Record, request: Composed, ending?: AbortSignal): Promise<void> => {
  record.sending(request);
  const body = record.bytesOf(request);
  for (;;) {
    ending?.throwIfAborted();
    const from = Date.now();
    const isTaken = await proved.send(request.path, body, request.isGzipped);
    record.attempted(request.number, { from, to: Date.now() });
    if (isTaken) return;
    await pause(RETRY_MS);
  }
};

/** Sends everything, part by part: in each part some requests again, one kill, and queries all the while. */
const storm = async (
  proved: Proved,
  record: Record,
  traffic: Traffic,
  filters: readonly Filter[],
  { kills, seed, say }: Pick<Proof, "kills" | "seed" | "say">,
): Promise<void> => {
  const random = randomOf(seed);
  const all = shuffled(
    Array.from({ length: traffic.requests - GROUP_TYPES.length }, (_, at) => GROUP_TYPES.length + at),
    random.next,
  );
  const size = Math.ceil(all.length / (kills + 1));
  let again: readonly number[] = [];
  for (let part = 0; part <= kills; part += 1) {
    const fresh = all.slice(part * size, (part + 1) * size);
    const later = fresh.flatMap((number) => Array.from({ length: traffic.of(number).deliveries - 1 }, () => number));
    const work = shuffled([...fresh, ...again, ...(part === kills ? later : [])], random.next);
    again = later;
    const killAt = part < kills ? Math.floor(work.length * (0.2 + 0.6 * random.next())) : -1;
    const asked = await send(proved, record, traffic, {
      work,
      killAt,
      ask: () => check(proved, record, random.pick([filters[0] ?? ALL, ...filters])),
    });
    await proved.drained();
    for (const filter of shuffled(filters, random.next)) await settle(proved, record, filter);
    say(`part ${part + 1} of ${kills + 1}: ${record.countOf(ALL)} events are there, ${asked} queries meanwhile were right`);
  }
};

/** Sends requests in some lanes and asks in between; ends all when one of them fails. Returns how often it asked. */
const send = async (
  proved: Proved,
  record: Record,
  traffic: Traffic,
  { work, killAt, ask }: { readonly work: number[]; readonly killAt: number; ask(): Promise<boolean> },
): Promise<number> => {
  const ending = new AbortController();
  let [sent, asked] = [0, 0];
  let killing: Promise<void> = Promise.resolve();
  const lane = async (): Promise<void> => {
    for (let number = work.shift(); number !== undefined; number = work.shift()) {
      if (sent++ === killAt) killing = proved.killAndRestart();
      await deliver(proved, record, traffic.of(number), ending.signal);
    }
  };
  const asking = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      if (await ask()) asked += 1;
      else await pause(RETRY_MS);
    }
  };
  const failing = (failure: unknown): never => {
    ending.abort();
    throw failure;
  };
  const sending = Promise.all(Array.from({ length: LANES }, lane)).then(() => ending.abort());
  await Promise.all([sending.catch(failing), asking().catch(failing)]);
  await killing;
  return asked;
};

/** What each query showed last: it never shows less. */
const least = new WeakMap<Record, Map<string, number>>();

/** Asks until there is an answer, and checks it as that of a time when nothing is under way. */
const settle = async (proved: Proved, record: Record, filter: Filter): Promise<void> => {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (await check(proved, record, filter, { isQuiet: true })) return;
    await pause(RETRY_MS);
  }
  throw new Error(`"${filter.name}" was not answered`);
};

/** Asks and checks one answer; false while there is none. */
const check = async (proved: Proved, record: Record, filter: Filter, { isQuiet = false } = {}): Promise<boolean> => {
  const before = least.get(record) ?? new Map<string, number>();
  least.set(record, before);
  const rows = await proved.run(nameOf(filter));
  if (rows === undefined) return false;
  const [all, different] = (rows[0] ?? []).map(Number);
  const most = record.countOf(filter);
  const fewest = isQuiet ? most : (before.get(filter.name) ?? 0);
  if (all === undefined || all !== different) throw new Error(`"${filter.name}" counts ${all} rows, of which ${different} differ`);
  if (all > most) throw new Error(`"${filter.name}" counts ${all} events, and no more than ${most} were sent`);
  if (all < fewest) throw new Error(`"${filter.name}" counts ${all} events, and ${fewest} are stored`);
  before.set(filter.name, all);
  return true;
};

const shuffled = <T>(all: readonly T[], next: () => number): T[] =>
  all
    .map((each) => ({ each, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
