import type { components } from "../../calls/api.d.ts";

/** An answer: the newest events first, and the numbers of the minutes that changed. */
export type LiveEvents = components["schemas"]["LiveEvents"];
export type LiveEvent = LiveEvents["results"][number];

/** What is known of the events that came, the newest first. */
export interface Feed {
  readonly events: readonly LiveEvent[];
  /** How many events each minute has, by its beginning in milliseconds. */
  readonly minutes: ReadonlyMap<number, number>;
  /** From this time on no event is left out, milliseconds. */
  readonly wholeSince: number;
  /** How many events were received since the feed began. */
  readonly arrived: number;
  /** How many answers left events out, and whether the last one did. */
  readonly cut: number;
  readonly isCut: boolean;
}

/** More rows say nothing to a person, and cost the page. */
export const MOST_EVENTS = 500;

export const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Two rows are one event where these are the same. */
export const keyOf = ({ uuid, event, distinct_id }: LiveEvent): string => `${uuid} ${event} ${distinct_id}`;

const timeOf = (event: LiveEvent | undefined): number => (event === undefined ? 0 : Date.parse(event.created_at));

/** A feed that begins with an answer: that there are older events is no news. */
export const beginning = (answer: LiveEvents): Feed => ({ ...grown(NOTHING, answer), cut: 0, isCut: false });

const NOTHING: Feed = { events: [], minutes: new Map(), wholeSince: 0, arrived: 0, cut: 0, isCut: false };

/** A feed with what came since. An event that is sent again stays where it is. */
export const grown = (feed: Feed, { results, minutes, has_more }: LiveEvents): Feed => {
  const known = new Set(feed.events.map(keyOf));
  const fresh = results.filter((event) => !known.has(keyOf(event)));
  const all = [...fresh, ...feed.events];
  const events = fresh.length === 0 ? feed.events : all.slice(0, MOST_EVENTS);
  return {
    events,
    minutes: withMinutes(feed.minutes, minutes),
    wholeSince: Math.max(feed.wholeSince, has_more ? timeOf(results.at(-1)) : 0, all.length > MOST_EVENTS ? timeOf(events.at(-1)) : 0),
    arrived: feed.arrived + fresh.length,
    cut: feed.cut + (has_more ? 1 : 0),
    isCut: has_more,
  };
};

const withMinutes = (known: Feed["minutes"], changed: LiveEvents["minutes"]): Feed["minutes"] => {
  if (changed.length === 0) return known;
  const all = new Map([...known, ...changed.map(({ minute, events }) => [Date.parse(minute), events] as const)]);
  const newest = Math.max(...all.keys());
  return new Map([...all].filter(([minute]) => minute > newest - MINUTES * MINUTE_MS));
};

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/** The numbers of the sixty minutes that end with the present one. */
export const lastHour = ({ minutes }: Feed, now: number): readonly number[] =>
  Array.from({ length: MINUTES }, (_, place) => minutes.get(minuteOf(now) - (MINUTES - 1 - place) * MINUTE_MS) ?? 0);

/**
 * How many events the last sixty seconds have. Counted where all of them are here; of more, this minute's number and such a part of the
 * one before it as lies within.
 */
export const lastMinute = ({ events, minutes, wholeSince }: Feed, now: number): number => {
  if (wholeSince <= now - MINUTE_MS) {
    return events.filter(({ timestamp }) => {
      const age = now - Date.parse(timestamp);
      return age < MINUTE_MS && age > -MINUTE_MS;
    }).length;
  }
  const minute = minuteOf(now);
  const before = 1 - (now - minute) / MINUTE_MS;
  return Math.round((minutes.get(minute) ?? 0) + (minutes.get(minute - MINUTE_MS) ?? 0) * before);
};
