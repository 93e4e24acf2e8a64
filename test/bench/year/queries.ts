import { DAY_MS, YEAR_FROM } from "./year-set.ts";

/** One reference query: as a customer saves it, and as one writes it for ClickHouse over the same files. */
export interface YearQuery {
  readonly name: string;
  readonly text: string;
  /** Beside `from` and `to`, which every query has: another value for each round, so that no cache can answer. */
  readonly variables: (round: number) => Readonly<Record<string, string>>;
  /** `range` is the condition on the time. Tables: events, persons and groups, with the columns of the files. */
  readonly clickhouse: (round: number, range: string) => string;
  /** ClickHouse's answer is an estimate: numbers may differ by this share. */
  readonly tolerance?: number;
}

const BETWEEN = "timestamp >= toDateTime({variables.from}) AND timestamp < toDateTime({variables.to})";

const none = (round: number): { readonly event: string } => ({ event: `none ${round}` });
const step = (round: number): string => `action ${3 + (round % 10)}`;

export const yearQueries: readonly YearQuery[] = [
  {
    name: "daily counts",
    text: `SELECT toStartOfDay(timestamp) AS day, event, count() AS n FROM events WHERE ${BETWEEN} AND event != {variables.event} GROUP BY day, event ORDER BY day, event LIMIT 20000`,
    variables: none,
    clickhouse: (round, range) =>
      `SELECT toStartOfDay(timestamp) AS day, event, count() AS n FROM events WHERE ${range} AND event != 'none ${round}' GROUP BY day, event ORDER BY day, event LIMIT 20000`,
  },
  {
    name: "trend by JSON property",
    text: `SELECT toStartOfDay(timestamp) AS day, properties.plan AS plan, count() AS n FROM events WHERE ${BETWEEN} AND event = '$pageview' AND properties.$current_url LIKE {variables.url} GROUP BY day, plan ORDER BY day, plan LIMIT 20000`,
    variables: (round) => ({ url: `%/page-${round % 10}%` }),
    clickhouse: (round, range) =>
      `SELECT toStartOfDay(timestamp) AS day, JSONExtractString(properties, 'plan') AS plan, count() AS n FROM events WHERE ${range} AND event = '$pageview' AND hot_current_url LIKE '%/page-${round % 10}%' GROUP BY day, plan ORDER BY day, plan LIMIT 20000`,
  },
  {
    name: "trend by promoted property",
    text: `SELECT toStartOfDay(timestamp) AS day, properties.$os AS os, count() AS n FROM events WHERE ${BETWEEN} AND event = '$pageview' AND properties.$current_url LIKE {variables.url} GROUP BY day, os ORDER BY day, os LIMIT 20000`,
    variables: (round) => ({ url: `%/page-${round % 10}%` }),
    clickhouse: (round, range) =>
      `SELECT toStartOfDay(timestamp) AS day, hot_os AS os, count() AS n FROM events WHERE ${range} AND event = '$pageview' AND hot_current_url LIKE '%/page-${round % 10}%' GROUP BY day, os ORDER BY day, os LIMIT 20000`,
  },
  {
    name: "unique users per day",
    text: `SELECT toStartOfDay(timestamp) AS day, count(DISTINCT person_id) AS users FROM events WHERE ${BETWEEN} AND event != {variables.event} GROUP BY day ORDER BY day LIMIT 20000`,
    variables: none,
    clickhouse: (round, range) =>
      `SELECT toStartOfDay(timestamp) AS day, count(DISTINCT person_id) AS users FROM events WHERE ${range} AND event != 'none ${round}' GROUP BY day ORDER BY day LIMIT 20000`,
  },
  {
    name: "weekly retention",
    text: `SELECT arrayMin(weeks) AS cohort, dateDiff('week', arrayMin(weeks), week) AS later, count() AS people FROM (SELECT person_id, groupUniqArray(toStartOfWeek(timestamp)) AS weeks FROM events WHERE ${BETWEEN} AND event != {variables.event} GROUP BY person_id) ARRAY JOIN weeks AS week GROUP BY cohort, later ORDER BY cohort, later LIMIT 20000`,
    variables: none,
    clickhouse: (round, range) =>
      `SELECT arrayMin(weeks) AS cohort, dateDiff('week', arrayMin(weeks), week) AS later, count() AS people FROM (SELECT person_id, groupUniqArray(toStartOfWeek(timestamp)) AS weeks FROM events WHERE ${range} AND event != 'none ${round}' GROUP BY person_id) ARRAY JOIN weeks AS week GROUP BY cohort, later ORDER BY cohort, later LIMIT 20000`,
  },
  {
    name: "funnel by windowFunnel",
    text: `SELECT countIf(level >= 1) AS entered, countIf(level >= 2) AS converted FROM (SELECT person_id, windowFunnel(86400)(toDateTime(timestamp), event = '$pageview', event = {variables.step}) AS level FROM events WHERE ${BETWEEN} AND event IN ('$pageview', {variables.step}) GROUP BY person_id)`,
    variables: (round) => ({ step: step(round) }),
    clickhouse: (round, range) =>
      `SELECT countIf(level >= 1) AS entered, countIf(level >= 2) AS converted FROM (SELECT person_id, windowFunnel(86400)(toDateTime(timestamp), event = '$pageview', event = '${step(round)}') AS level FROM events WHERE ${range} AND event IN ('$pageview', '${step(round)}') GROUP BY person_id)`,
  },
  {
    name: "funnel by SQL windows",
    text: `SELECT count(DISTINCT person_id) AS entered, uniqIf(person_id, next_at <= timestamp + INTERVAL 1 DAY) AS converted FROM (SELECT person_id, event, timestamp, min(if(event = {variables.step}, timestamp, NULL)) OVER (PARTITION BY person_id ORDER BY timestamp ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS next_at FROM events WHERE ${BETWEEN} AND event IN ('$pageview', {variables.step})) WHERE event = '$pageview'`,
    variables: (round) => ({ step: step(round) }),
    clickhouse: (round, range) =>
      `SELECT count(DISTINCT person_id) AS entered, uniqExactIf(person_id, next_at <= timestamp + INTERVAL 1 DAY) AS converted FROM (SELECT person_id, event, timestamp, min(if(event = '${step(round)}', timestamp, NULL)) OVER (PARTITION BY person_id ORDER BY timestamp ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS next_at FROM events WHERE ${range} AND event IN ('$pageview', '${step(round)}')) WHERE event = '$pageview'`,
  },
  {
    name: "p95 of a property",
    text: `SELECT toStartOfDay(timestamp) AS day, quantile(0.95)(toFloat(properties.duration_ms)) AS p95 FROM events WHERE ${BETWEEN} AND event IN ('$pageview', {variables.event}) GROUP BY day ORDER BY day LIMIT 20000`,
    variables: none,
    clickhouse: (round, range) =>
      `SELECT toStartOfDay(timestamp) AS day, quantile(0.95)(JSONExtractFloat(properties, 'duration_ms')) AS p95 FROM events WHERE ${range} AND event IN ('$pageview', 'none ${round}') GROUP BY day ORDER BY day LIMIT 20000`,
    tolerance: 0.03,
  },
  {
    name: "top pages",
    text: `SELECT properties.$pathname AS page, count() AS n, count(DISTINCT person_id) AS people FROM events WHERE ${BETWEEN} AND event = '$pageview' AND properties.$browser != {variables.browser} GROUP BY page ORDER BY n DESC, page LIMIT 20`,
    variables: (round) => ({ browser: `none ${round}` }),
    clickhouse: (round, range) =>
      `SELECT hot_pathname AS page, count() AS n, count(DISTINCT person_id) AS people FROM events WHERE ${range} AND event = '$pageview' AND (hot_browser != 'none ${round}' OR hot_browser IS NULL) GROUP BY page ORDER BY n DESC, page LIMIT 20`,
  },
  {
    name: "sessions per day",
    text: "SELECT toStartOfDay($start_timestamp) AS day, count() AS sessions, avg($session_duration) AS duration FROM sessions WHERE $start_timestamp >= toDateTime({variables.from}) AND $start_timestamp < toDateTime({variables.to}) GROUP BY day ORDER BY day LIMIT 20000",
    variables: () => ({}),
    clickhouse: (_, range) =>
      `SELECT toStartOfDay(start) AS day, count() AS sessions, avg(dateDiff('second', start, end)) AS duration FROM (SELECT session_id, min(timestamp) AS start, max(timestamp) AS end FROM events WHERE ${range} AND session_id != '' GROUP BY session_id) GROUP BY day ORDER BY day LIMIT 20000`,
  },
  {
    name: "person-property join",
    text: `SELECT person.properties.city AS city, count() AS n, count(DISTINCT person_id) AS people FROM events WHERE ${BETWEEN} AND event != {variables.event} GROUP BY city ORDER BY n DESC, city LIMIT 100`,
    variables: none,
    clickhouse: (round, range) =>
      `SELECT JSONExtractString(p.properties, 'city') AS city, count() AS n, count(DISTINCT e.person_id) AS people FROM events AS e LEFT JOIN persons AS p ON p.person_id = e.person_id WHERE ${range} AND event != 'none ${round}' GROUP BY city ORDER BY n DESC, city LIMIT 100`,
  },
  {
    name: "group join",
    text: `SELECT group_0.properties.industry AS industry, toStartOfMonth(timestamp) AS month, count() AS n FROM events WHERE ${BETWEEN} AND event != {variables.event} GROUP BY industry, month ORDER BY industry, month LIMIT 100`,
    variables: none,
    clickhouse: (round, range) =>
      `SELECT JSONExtractString(g.properties, 'industry') AS industry, toStartOfMonth(timestamp) AS month, count() AS n FROM events AS e LEFT JOIN (SELECT key, properties FROM groups WHERE index = 0) AS g ON g.key = e.group_0 WHERE ${range} AND event != 'none ${round}' GROUP BY industry, month ORDER BY industry, month LIMIT 100`,
  },
  {
    name: "one-user timeline",
    text: `SELECT timestamp, event, properties.$current_url AS url, properties.plan AS plan FROM events WHERE ${BETWEEN} AND distinct_id = {variables.user} ORDER BY timestamp DESC, uuid LIMIT 100`,
    variables: (round) => ({ user: TIMELINE_USERS[round % TIMELINE_USERS.length] ?? "" }),
    clickhouse: (round, range) =>
      `SELECT timestamp, event, hot_current_url AS url, JSONExtractString(properties, 'plan') AS plan FROM events WHERE ${range} AND distinct_id = '${TIMELINE_USERS[round % TIMELINE_USERS.length]}' ORDER BY timestamp DESC, uuid LIMIT 100`,
  },
  {
    name: "wide JSON scan",
    text: `SELECT properties.plan AS plan, properties.utm_source AS source, count() AS n, sum(toFloat(properties.amount)) AS amount, avg(toFloat(properties.duration_ms)) AS duration, max(toFloat(properties.$screen_width)) AS width, countIf(properties.feature_flag = 'true') AS flagged, count(DISTINCT properties.search_term) AS terms FROM events WHERE ${BETWEEN} AND event != {variables.event} GROUP BY plan, source ORDER BY plan, source LIMIT 100`,
    variables: none,
    clickhouse: (round, range) =>
      `SELECT JSONExtractString(properties, 'plan') AS plan, hot_utm_source AS source, count() AS n, sum(JSONExtractFloat(properties, 'amount')) AS amount, avg(JSONExtractFloat(properties, 'duration_ms')) AS duration, max(JSONExtractFloat(properties, '$screen_width')) AS width, countIf(JSONExtractBool(properties, 'feature_flag')) AS flagged, count(DISTINCT nullIf(JSONExtractString(properties, 'search_term'), '')) AS terms FROM events WHERE ${range} AND event != 'none ${round}' GROUP BY plan, source ORDER BY plan, source LIMIT 100`,
  },
];

/** Ids of users who are there from the first day to the last. */
const TIMELINE_USERS = ["user-1679091c5a880faf", "user-1534b76d325a8f59", "user-8f14e45fceea167a", "user-c9f0f895fb98ab91"];

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

/** The variables of a query over the first days of the year. */
export const rangeOf = (days: number): { readonly from: string; readonly to: string } => ({
  from: iso(YEAR_FROM),
  to: iso(YEAR_FROM + days * DAY_MS),
});
