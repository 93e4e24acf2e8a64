import { gzipSync } from "node:zlib";
import { type CorpusEvent, corpus } from "../corpus.ts";
import { type Amounts, beyond, newBill, scaled } from "./bill.ts";
import { meteredPlatform, tokenOf } from "./platform.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
export const MONTH_HOURS = 730;
const MILLION = 1_000_000;
/** A whole minute, so that schedules and windows begin with it; in the middle of a month. */
export const START = Date.UTC(2026, 10, 12, 9);
const IDENTIFY_SHARE = 0.1;

/** A load's bill, and how it was come by. */
export interface Measured {
  readonly title: string;
  readonly how: string;
  /** For a million events, or for a month. */
  readonly amounts: Amounts;
  readonly processorMs: Readonly<Record<string, number>>;
}

/** An hour without any request: what the schedules cost. */
export const idleHour = async (): Promise<Amounts> => {
  const platform = await meteredPlatform(START, 1);
  await platform.pass(HOUR_MS);
  await platform.close();
  return platform.amounts();
};

const IMPORTED = 200_000;
const IMPORT_PER_REQUEST = 1_000;

/** A year of history, a thousand events a request, as fast as a script sends it; until it is compacted and cleaned up. */
export const importing = async (idle: Amounts, count = IMPORTED, quietHours = 2): Promise<Measured> => {
  const platform = await meteredPlatform(START, 1);
  const events = [...corpus({ seed: 3, events: count, from: START - 420 * DAY_MS, to: START - 60 * DAY_MS, identify: IDENTIFY_SHARE })];
  const requests = count / IMPORT_PER_REQUEST;
  for (let request = 0; request < requests; request += 1) {
    const batch = events.filter((_, at) => at % requests === request);
    await platform.capture(1, bodyOf(1, batch, true));
    if (request % 5 === 4) await platform.pass(SECOND_MS);
  }
  await platform.pass(quietHours * HOUR_MS);
  const hours = (platform.now() - START) / HOUR_MS;
  await platform.close();
  const factor = MILLION / count;
  return {
    title: "An import: a million events over a year of dates, 1,000 a request",
    how: `${grouped(count)} events were sent, stored, compacted and cleaned up; × ${factor}`,
    amounts: scaled(beyond(platform.amounts(), scaled(idle, hours)), factor),
    processorMs: platform.processorMs(),
  };
};

/** A million live events in an hour, so many a request: the hour or its first minutes, and the two hours after. */
export const live = async (idle: Amounts, perRequest: number, minutes = 60): Promise<Measured> => {
  const platform = await meteredPlatform(START, 1);
  const count = Math.round((MILLION / 60) * minutes);
  // Made as they are sent: a million of them in memory would be cleaned up on the functions' time.
  const events = corpus({ seed: 4, events: count, from: START, to: START + minutes * MINUTE_MS, identify: IDENTIFY_SHARE });
  const perSecond = count / (minutes * 60);
  let sent = 0;
  for (let second = 1; second <= minutes * 60; second += 1) {
    for (; sent + perRequest <= second * perSecond; sent += perRequest)
      await platform.capture(1, bodyOf(1, next(events, perRequest), false, platform.now()));
    await platform.pass(SECOND_MS);
  }
  await platform.pass(2 * HOUR_MS);
  const hours = (platform.now() - START) / HOUR_MS;
  await platform.close();
  return {
    title: `Live: a million events in an hour, ${perRequest} a request`,
    how:
      minutes === 60
        ? "that hour and the two after"
        : `${minutes} minutes of that hour (${grouped(sent)} events) and the two hours after; × ${(MILLION / sent).toFixed(2)}`,
    amounts: scaled(beyond(platform.amounts(), scaled(idle, hours)), MILLION / sent),
    processorMs: platform.processorMs(),
  };
};

const next = (events: Iterator<CorpusEvent, unknown>, count: number): readonly CorpusEvent[] =>
  Array.from({ length: count }, () => events.next()).flatMap((each) => (each.done ? [] : [each.value]));

/** One event a minute from each of some projects, for some hours; as a month of `standsFor` projects, beyond the idle month. */
export const sleepy = async (
  idle: Amounts,
  { projects, hours, standsFor }: { readonly projects: number; readonly hours: number; readonly standsFor: number },
): Promise<Measured> => {
  const platform = await meteredPlatform(START, projects);
  const events = corpus({ seed: 5, events: hours * 60 * projects, from: START, to: START + hours * HOUR_MS, users: 50 });
  const everyMs = MINUTE_MS / projects;
  let due = START;
  for (const event of events) {
    if (due >= platform.now() + SECOND_MS) await platform.pass(Math.floor((due - platform.now()) / SECOND_MS) * SECOND_MS);
    const project = 1 + (Math.round((due - START) / everyMs) % projects);
    await platform.capture(project, bodyOf(project, [event], false, platform.now()));
    due += everyMs;
  }
  await platform.pass(START + hours * HOUR_MS - platform.now());
  const stored = newBill();
  stored.add("objectGbMonths", (platform.storedBytes() / 1e9) * (MONTH_HOURS / hours));
  await platform.close();
  const factor = (MONTH_HOURS / hours) * (standsFor / projects);
  return {
    title: `${standsFor === 1 ? "One project" : `${grouped(standsFor)} projects`} with one event a minute, for a month, beyond the idle month`,
    how: `${hours} hours of ${projects} project${projects > 1 ? "s" : ""}; × ${factor.toFixed(1)}, and a month's events kept`,
    amounts: {
      ...scaled(beyond(platform.amounts(), scaled(idle, hours)), factor),
      ...scaled(stored.amounts(), standsFor / projects),
    },
    processorMs: platform.processorMs(),
  };
};

export const bodyOf = (project: number, batch: readonly CorpusEvent[], historical: boolean, sentAt?: number): Buffer =>
  gzipSync(
    JSON.stringify({
      api_key: tokenOf(project),
      batch,
      ...(historical && { historical_migration: true }),
      ...(sentAt !== undefined && { sent_at: new Date(sentAt).toISOString() }),
    }),
  );

const grouped = (count: number): string => count.toLocaleString("en-US");
