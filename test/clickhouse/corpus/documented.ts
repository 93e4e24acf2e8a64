import type { QueryCase } from "./case.ts";
import { queries } from "./queries.ts";

const LIVE = "timestamp >= '2026-01-01' AND timestamp < '2026-07-01'";

/** What the dialect's public documentation teaches its users to ask, in words of our own. */
export const DOCUMENTED: readonly QueryCase[] = queries("documented", "documented", {
  "most frequent events": "SELECT event, COUNT() FROM events GROUP BY event ORDER BY COUNT() DESC, event",
  "landing pages of people":
    "SELECT properties.$current_url AS page, count() AS arrivals FROM events WHERE event = '$pageview' AND (distinct_id, timestamp) IN (SELECT distinct_id, min(timestamp) FROM events WHERE event = '$pageview' GROUP BY distinct_id) GROUP BY page ORDER BY arrivals DESC, page",
  "weekly active people": `SELECT toStartOfWeek(timestamp) AS week, count(DISTINCT person_id) AS people FROM events WHERE ${LIVE} GROUP BY week ORDER BY week`,
  "daily active people of the last month":
    "SELECT toStartOfDay(timestamp) AS day, uniq(person_id) AS people FROM events WHERE timestamp > now() - INTERVAL 30 DAY AND timestamp <= now() GROUP BY day ORDER BY day",
  "daily by monthly active people":
    "SELECT round(avg(day.people) / (SELECT count(DISTINCT person_id) FROM events WHERE toStartOfMonth(timestamp) = '2026-05-01'), 4) AS stickiness FROM (SELECT toDate(timestamp) AS d, count(DISTINCT person_id) AS people FROM events WHERE toStartOfMonth(timestamp) = '2026-05-01' GROUP BY d) AS day",
  "mobile and desktop by a breakdown":
    "SELECT multiIf(properties.$os == 'Android', 'mobile', properties.$os == 'iOS', 'mobile', 'desktop') AS kind, count() AS n FROM events WHERE event = '$pageview' GROUP BY kind ORDER BY kind",
  "two properties joined to one breakdown":
    "SELECT concat(properties.$os, ' - ', properties.$browser) AS client, count() AS n FROM events GROUP BY client ORDER BY n DESC, client LIMIT 10",
  "time of day as a breakdown":
    "SELECT multiIf(toHour(timestamp) >= 5 and toHour(timestamp) < 12, 'morning', toHour(timestamp) >= 12 and toHour(timestamp) < 17, 'afternoon', 'night') AS part, count() AS n FROM events GROUP BY part ORDER BY n DESC",
  "hours of the day in the project's zone": {
    query: `SELECT toHour(timestamp) AS hour, count() AS views FROM events WHERE event = '$pageview' AND ${LIVE} GROUP BY hour ORDER BY hour`,
    timezone: "America/New_York",
  },
  "weekdays only": `SELECT toDayOfWeek(timestamp) AS weekday, count() AS n FROM events WHERE ${LIVE} AND toDayOfWeek(timestamp) != 6 AND toDayOfWeek(timestamp) != 7 GROUP BY weekday ORDER BY weekday`,
  "between two moments":
    "SELECT count() AS n FROM events WHERE toDateTime('2026-02-16 09:26:00') < timestamp and timestamp < toDateTime('2026-03-01 14:34:00')",
  "after a Unix time":
    "SELECT count() AS n FROM events WHERE fromUnixTimestamp(1774259200) < timestamp AND timestamp < fromUnixTimestamp(1790000000)",
  "older than five days":
    "SELECT countIf(dateDiff('day', timestamp, now()) > 5) AS older, countIf(dateDiff('day', timestamp, now()) <= 5) AS newer FROM events WHERE timestamp <= now()",
  "this quarter":
    "SELECT event, count() AS n FROM events WHERE toStartOfQuarter(timestamp) == toStartOfQuarter(now()) GROUP BY event ORDER BY n DESC, event",
  "this week": {
    query: "SELECT count() AS n FROM events WHERE toStartOfWeek(timestamp) == toStartOfWeek(now())",
    now: "2026-05-20T08:00:00Z",
  },
  "ends of trials":
    "SELECT count() AS n, uniq(person_id) AS people FROM events WHERE person.properties.joined IS NOT NULL AND dateDiff('day', now(), person.properties.joined + interval 180 day) <= 30",
  "people of the last weeks":
    "SELECT properties.email AS email, created_at FROM persons WHERE dateDiff('week', created_at, toDateTime('2026-02-01 00:00:00')) <= 2 ORDER BY created_at, email",
  "share of one browser":
    "SELECT round(sumIf(1, properties.$browser = 'Chrome') / sumIf(1, properties.$browser = 'Safari' or properties.$browser = 'Chrome'), 4) AS share FROM events",
  "paths by pattern":
    "SELECT properties.$pathname AS page, count() AS n FROM events WHERE properties.$current_url LIKE '%/docs%' AND event = '$pageview' GROUP BY page ORDER BY n DESC, page",
  "a parameter by regular expression":
    "SELECT extract(properties.$current_url, 'utm_source=([^&]*)') AS source, count() AS n FROM events WHERE event = '$pageview' GROUP BY source ORDER BY n DESC, source",
  "the last part of a path":
    "SELECT splitByChar('/', properties.$pathname)[-1] AS last, count() AS n FROM events WHERE properties.$pathname IS NOT NULL GROUP BY last ORDER BY n DESC, last",
  "addresses without the host":
    "SELECT replaceOne(properties.$current_url, 'https://app.example.com', '') AS page, count() AS n FROM events WHERE properties.$host = 'app.example.com' GROUP BY page ORDER BY n DESC, page LIMIT 20",
  "ids in paths made alike":
    "SELECT replaceRegexpAll(properties.$pathname, '[0-9]+', ':id') AS page, count() AS n FROM events WHERE event = '$pageview' GROUP BY page ORDER BY page",
  "a first touch that is set":
    "SELECT properties.utm_source AS source, uniq(person_id) AS people FROM events WHERE properties.utm_source IS NOT NULL GROUP BY source ORDER BY people DESC, source",
  "a property by brackets":
    "SELECT properties['my key'] AS value, properties['dotted.name'] AS dotted, count() AS n FROM events GROUP BY value, dotted ORDER BY n DESC, value, dotted",
  "a nested property":
    "SELECT properties.nested.a.b AS deep, count() AS n FROM events WHERE properties.nested.a.b IS NOT NULL GROUP BY deep ORDER BY deep",
  "elements of an array as a breakdown":
    "SELECT arrayJoin(JSONExtractArrayRaw(properties.tags ?? '[]')) AS tag, count() AS n FROM events GROUP BY tag ORDER BY n DESC, tag",
  "events with a tag": "SELECT count() AS n FROM events WHERE has(JSONExtract(ifNull(properties.tags, '[]'), 'Array(String)'), 'c')",
  "ids of clicked elements":
    "SELECT extract(elements_chain, '[:|\"]attr_id=\"(.*?)\"') AS id, count() AS n FROM events WHERE event = '$autocapture' GROUP BY id ORDER BY n DESC, id",
  "texts of clicked elements":
    "SELECT elements_chain_texts[1] AS text, count() AS clicks FROM events WHERE event = '$autocapture' AND elements_chain =~ 'primary' GROUP BY text ORDER BY clicks DESC, text",
  "sum of a property by plan":
    "SELECT properties.plan AS plan, round(sum(properties.amount), 2) AS revenue, count() AS sales FROM events WHERE event = 'purchase' GROUP BY plan ORDER BY revenue DESC, plan",
  "revenue by month with growth": `SELECT month, revenue, round(revenue - lagInFrame(revenue) OVER (ORDER BY month ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), 2) AS growth FROM (SELECT toStartOfMonth(timestamp) AS month, round(sum(toFloat(properties.price)), 2) AS revenue FROM events WHERE event = 'purchase' AND ${LIVE} GROUP BY month) ORDER BY month`,
  "revenue so far": `SELECT day, sales, sum(sales) OVER (ORDER BY day) AS so_far FROM (SELECT toDate(timestamp) AS day, count() AS sales FROM events WHERE event = 'purchase' AND ${LIVE} GROUP BY day) ORDER BY day LIMIT 60`,
  "a funnel of three steps": `WITH steps AS (SELECT person_id, minIf(timestamp, event = '$pageview') AS first, minIf(timestamp, event = 'click') AS second, minIf(timestamp, event = 'purchase') AS third FROM events WHERE ${LIVE} GROUP BY person_id) SELECT count() AS people, countIf(second > first) AS clicked, countIf(third > second AND second > first) AS bought FROM steps`,
  "a funnel by window": `SELECT countIf(level >= 1) AS viewed, countIf(level >= 2) AS clicked, countIf(level >= 3) AS bought FROM (SELECT person_id, windowFunnel(604800)(toDateTime(timestamp), event = '$pageview', event = 'click', event = 'purchase') AS level FROM events WHERE ${LIVE} GROUP BY person_id)`,
  "weekly retention": `WITH firsts AS (SELECT person_id, toStartOfWeek(min(timestamp)) AS cohort FROM events WHERE ${LIVE} GROUP BY person_id) SELECT cohort, dateDiff('week', cohort, toStartOfWeek(e.timestamp)) AS week, count(DISTINCT e.person_id) AS people FROM events AS e INNER JOIN firsts AS f ON f.person_id = e.person_id WHERE e.timestamp >= '2026-01-01' AND e.timestamp < '2026-03-01' GROUP BY cohort, week ORDER BY cohort, week`,
  "people who came back the next day": `SELECT count(DISTINCT a.person_id) AS people FROM (SELECT DISTINCT person_id, toDate(timestamp) AS day FROM events WHERE ${LIVE}) AS a INNER JOIN (SELECT DISTINCT person_id, toDate(timestamp) AS day FROM events WHERE ${LIVE}) AS b ON a.person_id = b.person_id AND b.day = a.day + 1`,
  "time on page": `SELECT page, round(avg(seconds), 3) AS mean FROM (SELECT properties.$pathname AS page, dateDiff('second', timestamp, leadInFrame(timestamp, 1, timestamp) OVER (PARTITION BY $session_id ORDER BY timestamp, uuid ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS seconds FROM events WHERE event = '$pageview' AND ${LIVE}) WHERE seconds > 0 AND page IS NOT NULL GROUP BY page ORDER BY page`,
  "session duration":
    "SELECT toStartOfMonth($start_timestamp) AS month, round(avg($session_duration), 3) AS mean, median($session_duration) AS middle, count() AS sessions FROM sessions GROUP BY month ORDER BY month",
  "bounce rate":
    "SELECT $entry_pathname AS page, round(100 * countIf($is_bounce) / count(), 2) AS rate, count() AS sessions FROM sessions GROUP BY page ORDER BY sessions DESC, page",
  "pages of a session":
    "SELECT round(avg($pageview_count), 4) AS mean, max($pageview_count) AS most, countIf($pageview_count = 1) AS single FROM sessions",
  "session length by the events themselves": `SELECT round(avg(seconds), 3) AS mean FROM (SELECT properties.$session_id AS id, dateDiff('second', min(timestamp), max(timestamp)) AS seconds FROM events WHERE properties.$session_id IS NOT NULL AND ${LIVE} GROUP BY id)`,
  "first and last touch":
    "SELECT person_id, argMin(properties.$referring_domain, timestamp) AS first_touch, argMax(properties.$referring_domain, timestamp) AS last_touch FROM events WHERE event = '$pageview' AND properties.$referring_domain IS NOT NULL AND distinct_id IN ('u01', 'u02', 'u05', 'u08') GROUP BY person_id ORDER BY person_id",
  "conversion by campaign":
    "SELECT s.source AS source, count() AS people, countIf(p.bought > 0) AS buyers FROM (SELECT person_id, argMin(properties.utm_source, timestamp) AS source FROM events GROUP BY person_id) AS s LEFT JOIN (SELECT person_id, count() AS bought FROM events WHERE event = 'purchase' GROUP BY person_id) AS p ON p.person_id = s.person_id GROUP BY source ORDER BY people DESC, source",
  "power users":
    "SELECT person.properties.email AS email, count() AS n, count(DISTINCT toDate(timestamp)) AS days FROM events WHERE event = '$pageview' GROUP BY email HAVING days > 5 ORDER BY n DESC, email LIMIT 10",
  "people without a purchase": "SELECT count() AS n FROM persons WHERE id NOT IN (SELECT person_id FROM events WHERE event = 'purchase')",
  "events of one person in order":
    "SELECT timestamp, event, properties.$pathname AS page FROM events WHERE person_id IN (SELECT person_id FROM person_distinct_ids WHERE distinct_id = 'u07') ORDER BY timestamp DESC, uuid DESC LIMIT 25",
  "most common paths from page to page": `SELECT page, next, count() AS n FROM (SELECT properties.$pathname AS page, leadInFrame(properties.$pathname) OVER (PARTITION BY $session_id ORDER BY timestamp, uuid ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS next FROM events WHERE event = '$pageview' AND $session_id != '' AND ${LIVE}) WHERE next != '' GROUP BY page, next ORDER BY n DESC, page, next LIMIT 20`,
  "companies by use":
    "SELECT organization.properties.name AS company, count() AS n, uniq(distinct_id) AS people FROM events WHERE $group_0 != '' GROUP BY company ORDER BY n DESC, company",
  "percentiles of prices":
    "SELECT event, round(quantile(0.5)(toFloat(properties.price)), 4) AS p50, round(quantile(0.9)(toFloat(properties.price)), 4) AS p90, round(quantile(0.99)(toFloat(properties.price)), 4) AS p99 FROM events WHERE properties.price IS NOT NULL GROUP BY event ORDER BY event",
  "a histogram of prices":
    "SELECT intDiv(toInt(toFloat(properties.price)), 10) * 10 AS bucket, count() AS n FROM events WHERE properties.price IS NOT NULL GROUP BY bucket ORDER BY bucket",
  "rolling seven days": `SELECT day, n, round(avg(n) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), 4) AS rolling FROM (SELECT toStartOfDay(timestamp) AS day, count() AS n FROM events WHERE ${LIVE} GROUP BY day) ORDER BY day LIMIT 90`,
  "every day, also those without events":
    "SELECT d.day AS day, count(e.uuid) AS n FROM (SELECT toDate('2026-01-01') + number AS day FROM numbers(14)) AS d LEFT JOIN (SELECT uuid, toDate(timestamp) AS day FROM events WHERE event = 'signup') AS e ON e.day = d.day GROUP BY day ORDER BY day",
  "filters of a dashboard": {
    query:
      "SELECT properties.$browser AS browser, count() AS n FROM events WHERE event = '$pageview' AND {filters} GROUP BY browser ORDER BY n DESC, browser",
    filters: {
      dateRange: { date_from: "2026-03-01", date_to: "2026-03-31" },
      properties: [{ type: "event", key: "$device_type", value: "Desktop", operator: "exact" }],
    },
  },
  "a variable as a filter": {
    query:
      "SELECT toStartOfMonth(timestamp) AS month, count() AS n FROM events WHERE properties.$browser = {variables.browser} AND timestamp >= {variables.since} GROUP BY month ORDER BY month",
    variables: { browser: "Firefox", since: "2026-02-01" },
  },
  "dates as text": {
    query: `SELECT formatDateTime(timestamp, '%Y-%m') AS month, formatDateTime(min(timestamp), '%d/%m/%Y %H:%i') AS first, count() AS n FROM events WHERE event = 'signup' AND ${LIVE} GROUP BY month ORDER BY month`,
    timezone: "Europe/Berlin",
  },
  "people by the domain of their address":
    "SELECT splitByChar('@', properties.email)[2] AS domain, count() AS n, round(avg(properties.age), 2) AS age FROM persons GROUP BY domain ORDER BY domain",
});
