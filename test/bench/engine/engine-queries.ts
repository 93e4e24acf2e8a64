import { DAY_MS, SET_FROM, SET_TO } from "./engine-set.ts";

/** One query of the comparison: as a customer writes it, and the fastest SQL we know on the typed columns. */
export interface BenchQuery {
  readonly name: string;
  readonly text: string;
  /** Another value for each round, so that no cache can answer. */
  readonly variables: (round: number) => Readonly<Record<string, string | number>>;
  /**
   * `from` gives the rows of the named columns; UTC day numbers and microseconds are what the fastest SQL works on, and who writes
   * it knows where no time has to be compared, as the whole set lies in the range.
   */
  readonly byHand: (round: number, from: (columns: string) => string) => string;
  /** The time range of the query, for both sides to read the same files; milliseconds. */
  readonly range: (round: number) => readonly [number, number];
}

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
const stamp = (ms: number): string => `make_timestamptz(${ms * 1_000})`;
const DAY_US = DAY_MS * 1_000;
const between = ([from, to]: readonly [number, number]): string => `timestamp >= ${stamp(from)} AND timestamp < ${stamp(to)}`;
const all = (): readonly [number, number] => [SET_FROM, SET_TO];
const week = (round: number): readonly [number, number] => [SET_TO - 20 * DAY_MS + round * 1_000, SET_TO - 13 * DAY_MS];
const noRange = { from: iso(SET_FROM), to: iso(SET_TO) };
const ranged = (range: (round: number) => readonly [number, number]) => (round: number) => {
  const [from, to] = range(round);
  return { from: iso(from), to: iso(to) };
};

/** The times of a query: what the bench set spans, or less. */
const BETWEEN = "timestamp >= toDateTime({variables.from}) AND timestamp < toDateTime({variables.to})";

export const benchQueries: readonly BenchQuery[] = [
  {
    name: "events per day",
    text: `SELECT toStartOfDay(timestamp) AS day, event, count() AS n FROM events WHERE ${BETWEEN} AND event != {variables.event} GROUP BY day, event ORDER BY day, event LIMIT 5000`,
    variables: (round) => ({ ...noRange, event: `none ${round}` }),
    range: all,
    byHand: (round, from) =>
      `SELECT epoch_us(timestamp) // ${DAY_US} AS day, event, count(*) FROM ${from("timestamp, event")} WHERE event != 'none ${round}' GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    name: "trend by system of some pages",
    text: `SELECT toDate(timestamp) AS day, properties.$os AS os, count() AS n FROM events WHERE ${BETWEEN} AND properties.$current_url LIKE {variables.url} GROUP BY day, os ORDER BY day, os LIMIT 5000`,
    variables: (round) => ({ ...noRange, url: `%/page-${round % 10}%` }),
    range: all,
    byHand: (round, from) =>
      `SELECT epoch_us(timestamp) // ${DAY_US} AS day, hot_os, count(*) FROM ${from("timestamp, hot_os, hot_current_url")} WHERE hot_current_url LIKE '%/page-${round % 10}%' GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    name: "users per day",
    text: `SELECT toDate(timestamp) AS day, uniq(distinct_id) AS users FROM events WHERE ${BETWEEN} AND event != {variables.event} GROUP BY day ORDER BY day`,
    variables: (round) => ({ ...noRange, event: `none ${round}` }),
    range: all,
    byHand: (round, from) =>
      `SELECT epoch_us(timestamp) // ${DAY_US} AS day, count(DISTINCT distinct_id) FROM ${from("timestamp, distinct_id, event")} WHERE event != 'none ${round}' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "top pages",
    text: `SELECT properties.$pathname AS page, count() AS n FROM events WHERE ${BETWEEN} AND event = '$pageview' AND properties.$browser != {variables.browser} GROUP BY page ORDER BY n DESC, page LIMIT 20`,
    variables: (round) => ({ ...noRange, browser: `none ${round}` }),
    range: all,
    byHand: (round, from) =>
      `SELECT hot_pathname, count(*) AS n FROM ${from("hot_pathname, event, hot_browser")} WHERE event = '$pageview' AND hot_browser IS DISTINCT FROM 'none ${round}' GROUP BY 1 ORDER BY n DESC, 1 LIMIT 20`,
  },
  {
    name: "events of a week",
    text: `SELECT event, count() AS n, uniq(distinct_id) AS users FROM events WHERE ${BETWEEN} GROUP BY event ORDER BY n DESC, event`,
    variables: ranged(week),
    range: week,
    byHand: (round, from) =>
      `SELECT event, count(*) AS n, count(DISTINCT distinct_id) FROM ${from("event, distinct_id, timestamp")} WHERE ${between(week(round))} GROUP BY 1 ORDER BY n DESC, 1`,
  },
  {
    name: "one number",
    text: `SELECT count() AS n FROM events WHERE ${BETWEEN} AND event = {variables.event}`,
    variables: (round) => ({ ...noRange, event: `action ${3 + (round % 20)}` }),
    range: all,
    byHand: (round, from) => `SELECT count(*) FROM ${from("event")} WHERE event = 'action ${3 + (round % 20)}'`,
  },
  {
    name: "sessions by country",
    text: `SELECT properties.$geoip_country_code AS country, uniq($session_id) AS sessions, max(timestamp) AS last FROM events WHERE ${BETWEEN} AND event != {variables.event} GROUP BY country ORDER BY sessions DESC, country`,
    variables: (round) => ({ ...noRange, event: `none ${round}` }),
    range: all,
    byHand: (round, from) =>
      `SELECT hot_geoip_country_code, count(DISTINCT session_id) AS n, max(timestamp) FROM ${from("hot_geoip_country_code, session_id, timestamp, event")} WHERE event != 'none ${round}' GROUP BY 1 ORDER BY n DESC, 1`,
  },
  {
    name: "a cold property in a week",
    text: `SELECT event, quantile(0.95)(toFloat(properties.duration_ms)) AS p95 FROM events WHERE ${BETWEEN} GROUP BY event ORDER BY event`,
    variables: ranged(week),
    range: week,
    byHand: (round, from) =>
      `SELECT event, quantile_cont(TRY_CAST(json_extract_string(properties, '$.duration_ms') AS DOUBLE), 0.95) FROM ${from("event, properties, timestamp")} WHERE ${between(week(round))} GROUP BY 1 ORDER BY 1`,
  },
];
