/** Section 12: the forms of statements. */
export const STATEMENTS = {
  "select without from": "SELECT 1 AS one, 'two' AS two, 3.5 AS three, true AS four, NULL AS five",
  "select distinct": "SELECT DISTINCT event FROM events ORDER BY event",
  "select distinct of several":
    "SELECT DISTINCT properties.$os AS os, properties.$device_type AS device FROM events ORDER BY os, device LIMIT 30",
  "no limit is a hundred rows": "SELECT count() AS n FROM (SELECT number FROM numbers(1000)) UNION ALL SELECT 5 AS n",
  "a hundred rows without a limit": "SELECT number FROM numbers(1000) ORDER BY number",
  "limit and offset": "SELECT number FROM numbers(100) ORDER BY number DESC LIMIT 5 OFFSET 10",
  "limit with a comma": "SELECT number FROM numbers(100) ORDER BY number LIMIT 3, 4",
  "limit by": "SELECT event, timestamp, distinct_id FROM events ORDER BY timestamp, uuid LIMIT 2 BY event LIMIT 40",
  "limit by several with an offset":
    "SELECT event, properties.$os AS os, uuid FROM events ORDER BY event, os, timestamp, uuid LIMIT 1 OFFSET 1 BY event, os LIMIT 60",
  "with a query": "WITH big AS (SELECT number AS n FROM numbers(10) WHERE number > 6) SELECT n, n * n AS square FROM big ORDER BY n",
  "with a query that uses another":
    "WITH a AS (SELECT number AS n FROM numbers(5)), b AS (SELECT n * 2 AS m FROM a WHERE n > 1) SELECT m FROM b ORDER BY m",
  "with a value": "WITH 10 AS base, base * 2 AS twice SELECT number + base AS a, number + twice AS b FROM numbers(2) ORDER BY a",
  "with a query used twice":
    "WITH t AS (SELECT event, count() AS n FROM events GROUP BY event) SELECT a.event, a.n FROM t AS a WHERE a.n > (SELECT avg(n) FROM t) ORDER BY a.n DESC, a.event",
  "a scalar subquery":
    "SELECT event, count() AS n, round(count() / (SELECT count() FROM events), 6) AS share FROM events GROUP BY event ORDER BY n DESC, event LIMIT 5",
  "a subquery in from": "SELECT max(n) AS most, min(n) AS least FROM (SELECT distinct_id, count() AS n FROM events GROUP BY distinct_id)",
  "in a subquery":
    "SELECT count() AS n, uniq(distinct_id) AS people FROM events WHERE distinct_id IN (SELECT distinct_id FROM events WHERE event = 'signup')",
  "not in a subquery":
    "SELECT count() AS n, uniq(distinct_id) AS people FROM events WHERE distinct_id NOT IN (SELECT distinct_id FROM events WHERE event = 'signup')",
  "in a list": "SELECT event, count() AS n FROM events WHERE event IN ('click', 'purchase', 'never') GROUP BY event ORDER BY event",
  "in of pairs":
    "SELECT event, properties.plan AS plan, count() AS n FROM events WHERE (event, properties.plan) IN (('click', 'pro'), ('purchase', 'free')) GROUP BY event, plan ORDER BY event, plan",
  "inner join":
    "SELECT a.n AS n, b.s AS s FROM (SELECT number AS n FROM numbers(4)) AS a INNER JOIN (SELECT number * 2 AS n, toString(number) AS s FROM numbers(4)) AS b ON a.n = b.n ORDER BY n",
  "left join":
    "SELECT a.n AS n, b.s AS s FROM (SELECT number AS n FROM numbers(4)) AS a LEFT JOIN (SELECT number * 2 AS n, toString(number) AS s FROM numbers(4)) AS b ON a.n = b.n ORDER BY n",
  "right join":
    "SELECT a.n AS n, b.m AS m FROM (SELECT number AS n FROM numbers(3)) AS a RIGHT JOIN (SELECT number * 2 AS m FROM numbers(4)) AS b ON a.n = b.m ORDER BY m",
  "full join":
    "SELECT a.n AS n, b.m AS m FROM (SELECT number AS n FROM numbers(3)) AS a FULL JOIN (SELECT number * 2 AS m FROM numbers(4)) AS b ON a.n = b.m ORDER BY n, m",
  "cross join": "SELECT a.number AS x, b.number AS y FROM numbers(2) AS a CROSS JOIN numbers(3) AS b ORDER BY x, y",
  "join using":
    "SELECT n, s, t FROM (SELECT number AS n, 'l' AS s FROM numbers(4)) AS a INNER JOIN (SELECT number + 2 AS n, 'r' AS t FROM numbers(4)) AS b USING n ORDER BY n",
  "join on several conditions":
    "SELECT a.n AS n, b.m AS m FROM (SELECT number AS n, number % 2 AS p FROM numbers(6)) AS a INNER JOIN (SELECT number AS m, number % 2 AS p FROM numbers(6)) AS b ON a.p = b.p AND a.n = b.m ORDER BY n, m",
  "asof join":
    "SELECT a.k AS k, a.t AS t, b.t AS at, b.v AS v FROM (SELECT arrayJoin([(1, 10), (1, 20), (2, 15)]) AS r, r.1 AS k, r.2 AS t) AS a ASOF JOIN (SELECT arrayJoin([(1, 5, 'x'), (1, 12, 'y'), (2, 20, 'z'), (2, 3, 'w')]) AS r, r.1 AS k, r.2 AS t, r.3 AS v) AS b ON a.k = b.k AND a.t >= b.t ORDER BY k, t",
  "asof left join":
    "SELECT a.k AS k, a.t AS t, b.v AS v FROM (SELECT arrayJoin([(1, 10), (1, 3), (2, 1)]) AS r, r.1 AS k, r.2 AS t) AS a ASOF LEFT JOIN (SELECT arrayJoin([(1, 5, 'x'), (2, 20, 'z')]) AS r, r.1 AS k, r.2 AS t, r.3 AS v) AS b ON a.k = b.k AND a.t >= b.t ORDER BY k, t",
  "three joins":
    "SELECT a.n AS n, b.n AS m, c.n AS o FROM (SELECT number AS n FROM numbers(6)) AS a INNER JOIN (SELECT number * 2 AS n FROM numbers(4)) AS b ON a.n = b.n INNER JOIN (SELECT number * 4 AS n FROM numbers(3)) AS c ON b.n = c.n ORDER BY n",
  "a join with rows on both sides":
    "SELECT s.distinct_id AS who, count() AS later FROM (SELECT distinct_id, min(timestamp) AS first FROM events WHERE event = 'signup' GROUP BY distinct_id) AS s INNER JOIN events AS e ON e.distinct_id = s.distinct_id WHERE e.timestamp > s.first AND e.event = 'purchase' GROUP BY who ORDER BY later DESC, who",
  prewhere: "SELECT count() AS n FROM events PREWHERE event = '$pageview' WHERE properties.$os = 'Linux'",
  "sample of all": "SELECT count() AS n FROM events SAMPLE 1",
  "group by an alias and by a position":
    "SELECT toMonth(timestamp) AS month, event, count() AS n FROM events WHERE toYear(timestamp) = 2026 GROUP BY month, 2 ORDER BY month, event LIMIT 60",
  "an alias in where and having":
    "SELECT event AS e, count() AS n FROM events WHERE e != 'click' GROUP BY e HAVING n > 20 ORDER BY n DESC, e",
  "an alias that uses an alias": "SELECT number AS a, a + 1 AS b, b * 2 AS c FROM numbers(3) WHERE c > 2 ORDER BY c DESC",
  "an alias that hides a column":
    "SELECT lower(event) AS event, count() AS n FROM events WHERE event LIKE '%click%' GROUP BY event ORDER BY event",
  "group by an expression": "SELECT length(event) AS l, count() AS n FROM events GROUP BY length(event) ORDER BY l",
  "having without a select of it":
    "SELECT event FROM events GROUP BY event HAVING count() > 100 AND max(timestamp) > '2026-01-01' ORDER BY event",
  "order by directions and nulls":
    "SELECT n, v FROM (SELECT arrayJoin([(1, 'b'), (2, NULL), (3, 'a'), (4, NULL), (5, 'b')]) AS t, t.1 AS n, t.2 AS v) ORDER BY v DESC NULLS FIRST, n DESC",
  "nulls last is the default":
    "SELECT n, v FROM (SELECT arrayJoin([(1, 'b'), (2, NULL), (3, 'a')]) AS t, t.1 AS n, t.2 AS v) ORDER BY v, n",
  "nulls last is the default downwards":
    "SELECT n, v FROM (SELECT arrayJoin([(1, 'b'), (2, NULL), (3, 'a')]) AS t, t.1 AS n, t.2 AS v) ORDER BY v DESC, n",
  "order by a position and by an expression":
    "SELECT event, count() AS n FROM events GROUP BY event ORDER BY 2 DESC, length(event), event LIMIT 6",
  "union all": "SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2 AS a, 'y' AS b UNION ALL SELECT 1 AS a, 'x' AS b",
  "union distinct": "SELECT number % 2 AS a FROM numbers(4) UNION DISTINCT SELECT 1 AS a",
  intersect: "SELECT number AS a FROM numbers(5) INTERSECT SELECT number + 3 AS a FROM numbers(5)",
  except: "SELECT number AS a FROM numbers(5) EXCEPT SELECT number + 3 AS a FROM numbers(5)",
  "a union inside of a query":
    "SELECT kind, sum(n) AS total FROM (SELECT 'click' AS kind, count() AS n FROM events WHERE event = 'click' UNION ALL SELECT 'sale' AS kind, count() AS n FROM events WHERE event = 'purchase') GROUP BY kind ORDER BY kind",
  "quoted names":
    'SELECT `event` AS `my event`, count() AS "how many" FROM `events` GROUP BY `my event` ORDER BY "how many" DESC, `my event` LIMIT 3',
  "a qualified name":
    "SELECT e.event AS event, e.properties.$os AS os, count() AS n FROM events AS e WHERE e.event = 'login' GROUP BY event, os ORDER BY n DESC, os",
  "a comment": "SELECT /* what */ count() AS n -- how many\nFROM events WHERE event = 'login'",
  variables: {
    query:
      "SELECT event, count() AS n FROM events WHERE event = {variables.event_name} AND toFloat(properties.price) > {variables.least} GROUP BY event ORDER BY event",
    variables: { event_name: "purchase", least: 50 },
  },
  "a variable that is null": {
    query:
      "SELECT count() AS n, {variables.who} IS NULL AS missing FROM events WHERE {variables.who} IS NULL OR distinct_id = {variables.who}",
    variables: { who: null },
  },
  "values by name": { query: "SELECT number + {step} AS a, {label} AS b FROM numbers(2) ORDER BY a", values: { step: 10, label: "größe" } },
  filters: {
    query: "SELECT event, count() AS n FROM events WHERE {filters} GROUP BY event ORDER BY n DESC, event",
    filters: {
      dateRange: { date_from: "2026-02-01", date_to: "2026-02-28" },
      properties: [{ type: "event", key: "$os", value: ["Linux"], operator: "exact" }],
    },
  },
} as const;

export const TABLES = {
  "columns of events":
    "SELECT uuid, event, timestamp, distinct_id, created_at, $session_id, $window_id, $group_0, $group_1 FROM events WHERE event = 'signup' ORDER BY timestamp, uuid LIMIT 20",
  "elements of clicks":
    "SELECT elements_chain_href AS href, elements_chain_texts AS texts, count() AS n FROM events WHERE event = '$autocapture' GROUP BY href, texts ORDER BY n DESC, href, texts LIMIT 20",
  "properties by every spelling":
    "SELECT properties.$browser AS a, properties['$browser'] AS b, properties.`my key` AS c, properties['my key'] AS d, properties.nested.a.b AS e FROM events WHERE event = 'purchase' ORDER BY timestamp, uuid LIMIT 30",
  "missing, null and empty properties":
    "SELECT properties.plan AS plan, isNull(properties.plan) AS missing, count() AS n, countIf(properties.plan = '') AS empty FROM events GROUP BY plan ORDER BY plan",
  "an unknown property":
    "SELECT count() AS n, count(properties.never_sent) AS a, countIf(properties.never_sent = 'x') AS b, countIf(properties.never_sent != 'x') AS c FROM events",
  "objects and arrays are JSON text":
    "SELECT properties.tags AS tags, properties.nested AS nested, properties.items AS items, count() AS n FROM events GROUP BY tags, nested, items ORDER BY n DESC, tags, nested, items LIMIT 20",
  "a numeric property is a number":
    "SELECT properties.amount AS amount, properties.amount + 1 AS next, properties.quantity AS quantity FROM events WHERE event = 'purchase' ORDER BY timestamp, uuid LIMIT 60",
  "a boolean property is a boolean":
    "SELECT properties.active AS active, properties.flag AS flag, count() AS n FROM events GROUP BY active, flag ORDER BY active, flag",
  "a boolean property in conditions":
    "SELECT countIf(properties.active) AS a, countIf(properties.active = true) AS b, countIf(properties.active = false) AS c, countIf(NOT properties.active) AS d, countIf(properties.active != true) AS e FROM events",
  "a time property is a time":
    "SELECT properties.renews_at AS at, toDate(properties.renews_at) AS day, count() AS n FROM events WHERE properties.renews_at IS NOT NULL GROUP BY at, day ORDER BY at, day",
  "a number property that is text": "SELECT toFloat(properties.price) > 50 AS dear, count() AS n FROM events GROUP BY dear ORDER BY dear",
  "a property of mixed types":
    "SELECT properties.mixed AS m, toInt(properties.mixed) AS i, toFloat(properties.mixed) AS f FROM events WHERE event = 'login' ORDER BY timestamp, uuid LIMIT 60",
  "equality of properties is softened":
    "SELECT countIf(properties.plan = 'pro') AS a, countIf(properties.plan != 'pro') AS b, countIf(NOT (properties.plan = 'pro')) AS c, countIf(properties.plan IN ('pro', 'team')) AS d, countIf(properties.plan NOT IN ('pro', 'team')) AS e, countIf(properties.plan LIKE 'p%') AS f, countIf(properties.plan NOT LIKE 'p%') AS g, countIf(match(properties.plan, '^p')) AS h FROM events",
  "two properties side by side":
    "SELECT countIf(properties.$os = properties.$device_type) AS a, countIf(properties.utm_source = properties.utm_medium) AS b, countIf(properties.utm_source != properties.utm_medium) AS c FROM events",
  "properties of persons of events":
    "SELECT person.properties.country AS country, count() AS n, uniq(person_id) AS people FROM events GROUP BY country ORDER BY country",
  "typed properties of persons":
    "SELECT person.properties.vip AS vip, round(avg(person.properties.age), 4) AS age, count() AS n FROM events GROUP BY vip ORDER BY vip",
  "persons of events by their ids":
    "SELECT person.id = person_id AS same, person.is_identified AS known, count() AS n FROM events GROUP BY same, known ORDER BY same, known",
  "pdi of events":
    "SELECT pdi.person_id = person_id AS same, count() AS n FROM events WHERE distinct_id LIKE 'u%' GROUP BY same ORDER BY same",
  "groups of events":
    "SELECT $group_0 AS key, group_0.properties.name AS name, group_0.properties.employees AS employees, count() AS n FROM events GROUP BY key, name, employees ORDER BY key, name",
  "groups by their type's name":
    "SELECT organization.properties.plan AS plan, project.properties.tier AS tier, count() AS n FROM events GROUP BY plan, tier ORDER BY plan, tier",
  "sessions of events":
    "SELECT session.$pageview_count AS views, count() AS n, uniq($session_id) AS sessions FROM events WHERE session.$session_duration > 60 GROUP BY views ORDER BY views",
  "the persons table":
    "SELECT id, properties.email AS email, properties.age AS age, is_identified, created_at FROM persons ORDER BY properties.email LIMIT 50",
  "persons by property":
    "SELECT properties.country AS country, count() AS n, countIf(is_identified) AS known, countIf(properties.nickname IS NULL) AS nameless FROM persons GROUP BY country ORDER BY country",
  person_distinct_ids:
    "SELECT count() AS n, uniq(person_id) AS people, countIf(distinct_id LIKE '%-phone') AS phones FROM person_distinct_ids",
  "distinct ids of a person":
    "SELECT distinct_id FROM person_distinct_ids WHERE person_id IN (SELECT person_id FROM person_distinct_ids WHERE distinct_id = 'u03') ORDER BY distinct_id",
  "the groups table":
    "SELECT index, key, properties.name AS name, properties.plan AS plan, properties.founded AS founded FROM groups ORDER BY index, key",
  "the sessions table":
    "SELECT session_id, distinct_id, $start_timestamp, $end_timestamp, $session_duration, $pageview_count, $autocapture_count, $screen_count, $is_bounce FROM sessions ORDER BY $start_timestamp, session_id LIMIT 25",
  "where sessions begin and end":
    "SELECT $entry_current_url AS entry, $entry_pathname AS pathname, $entry_hostname AS hostname, $end_current_url AS last, $end_pathname AS last_pathname, $num_uniq_urls AS urls FROM sessions ORDER BY $start_timestamp, session_id LIMIT 25",
  "where sessions come from":
    "SELECT $entry_utm_source AS source, $entry_utm_medium AS medium, $entry_utm_campaign AS campaign, count() AS n FROM sessions GROUP BY source, medium, campaign ORDER BY n DESC, source, medium, campaign LIMIT 40",
  "channels of sessions":
    "SELECT $channel_type AS channel, count() AS n, round(avg($session_duration), 4) AS duration FROM sessions GROUP BY channel ORDER BY channel",
  "sessions by day in New York": {
    query:
      "SELECT toDate($start_timestamp) AS day, count() AS n, sum($pageview_count) AS views, countIf($is_bounce) AS bounces FROM sessions GROUP BY day ORDER BY day LIMIT 200",
    timezone: "America/New_York",
  },
  numbers: "SELECT number FROM numbers(5) ORDER BY number",
  "a time against texts":
    "SELECT countIf(timestamp >= '2026-03-01') AS a, countIf(timestamp < '2026-03-01 12:00:00') AS b, countIf(timestamp > '2026-03-01T12:00:00Z') AS c, countIf(timestamp BETWEEN '2026-02-01' AND '2026-02-28 23:59:59') AS d, countIf(toDate(timestamp) = '2026-03-29') AS e FROM events",
  "a time against texts in Berlin": {
    query:
      "SELECT countIf(timestamp >= '2026-03-29') AS a, countIf(timestamp < '2026-03-29 03:30:00') AS b, countIf(toDate(timestamp) = '2026-03-29') AS c, countIf(toDate(timestamp) = '2026-03-30') AS d FROM events",
    timezone: "Europe/Berlin",
  },
  "events of 1970 and of 2100":
    "SELECT toYear(timestamp) AS year, count() AS n, min(timestamp) AS first, max(timestamp) AS last FROM events GROUP BY year ORDER BY year",
  "events of 1970 and of 2100 in New York": {
    query:
      "SELECT event, timestamp, toDate(timestamp) AS day, toStartOfWeek(timestamp) AS week, toHour(timestamp) AS hour FROM events WHERE timestamp < '1972-01-01' OR timestamp > '2099-01-01' ORDER BY timestamp, uuid",
    timezone: "America/New_York",
  },
  "hours of the days when the clocks change": {
    query:
      "SELECT toStartOfHour(timestamp) AS hour, count() AS n FROM events WHERE toDate(timestamp) IN ('2026-03-29', '2026-03-08') GROUP BY hour ORDER BY hour",
    timezone: "Europe/Berlin",
  },
  "hours of the days when New York's clocks change": {
    query:
      "SELECT toHour(timestamp) AS hour, count() AS n, min(timestamp) AS first FROM events WHERE toDate(timestamp) = toDate('2026-03-08') GROUP BY hour ORDER BY hour",
    timezone: "America/New_York",
  },
  "texts of every script":
    "SELECT properties.label AS label, lengthUTF8(label) AS l, upper(label) AS u, count() AS n FROM events WHERE properties.label IS NOT NULL GROUP BY label ORDER BY label",
} as const;
