import { describe, expect, it } from "vitest";
import { goldenProject } from "./golden-project.ts";
import { bothWays, transformOf } from "./materialise-run.ts";

const golden = goldenProject();

const events = ["$pageview", "click", "buy", "none"].map((e) => ({ e }));
const days = [
  { a: "2026-01-01", b: "2026-01-04" },
  { a: "2026-01-02", b: "2026-01-11" },
  { a: "2027-01-01", b: "2027-01-02" },
];
const who = ["ann", "bob", "none"].map((d) => ({ d }));

const CASES: readonly (readonly [string, readonly Readonly<Record<string, unknown>>[]])[] = [
  ["SELECT count() FROM events WHERE event = {variables.e} AND distinct_id = 'ann'", events],
  ["SELECT count() FROM events WHERE {variables.e} = event", events],
  [
    "SELECT sum(toInt(properties.price)), sum(DISTINCT toInt(properties.price)), uniq(event) FROM events WHERE event = {variables.e}",
    events,
  ],
  ["SELECT toStartOfDay(timestamp) AS day, count() FROM events WHERE event = {variables.e} GROUP BY day ORDER BY day", events],
  [
    "SELECT uniq(distinct_id), avg(toFloat(properties.price)), groupArray(event), min(timestamp) FROM events WHERE event = {variables.e}",
    events,
  ],
  [
    "SELECT event, count() AS n FROM events WHERE timestamp >= {variables.a} AND timestamp < {variables.b} GROUP BY event HAVING n > 1 ORDER BY n DESC, event LIMIT 2",
    days,
  ],
  [
    "SELECT count(), countIf(event = 'click'), sum(toFloat(properties.price)), min(timestamp), max(distinct_id) FROM events WHERE timestamp >= {variables.a} AND timestamp < {variables.b}",
    days,
  ],
  [
    "SELECT count(), minIf(toHour(timestamp), event = 'click'), maxIf(toHour(timestamp), event = 'buy') FROM events WHERE timestamp >= {variables.a}",
    days.map(({ a }) => ({ a })),
  ],
  ["SELECT count() FROM events WHERE toDate(timestamp) >= {variables.a} AND toDate(timestamp) <= toDate({variables.b})", days],
  ["SELECT event, timestamp FROM events WHERE distinct_id = {variables.d} ORDER BY timestamp DESC LIMIT 3", who],
  ["SELECT DISTINCT event FROM events WHERE distinct_id = {variables.d} ORDER BY event", who],
  ["SELECT * FROM events WHERE distinct_id = {variables.d} ORDER BY timestamp", who],
  [
    "SELECT properties.$browser AS browser, count() * 2 + 1 AS twice FROM events WHERE properties.plan = {variables.p} GROUP BY browser ORDER BY browser",
    [{ p: "free" }, { p: "pro" }, { p: "" }],
  ],
  [
    "SELECT event, count() FROM events WHERE properties.plan = {variables.p} AND JSONExtractString(properties, 'plan') = {variables.p} GROUP BY event ORDER BY event",
    [{ p: "free" }, { p: "pro" }, { p: "" }],
  ],
  [
    "WITH base AS (SELECT event FROM events WHERE properties.plan = {variables.p} AND JSONExtractString(properties, 'plan') = {variables.p}) SELECT event FROM base ORDER BY event",
    [{ p: "free" }, { p: "pro" }, { p: "" }],
  ],
  [
    "SELECT event, count() FROM events WHERE distinct_id LIKE {variables.d} GROUP BY event ORDER BY event",
    [{ d: "ann%" }, { d: "%" }, { d: "x" }],
  ],
  [
    "SELECT event, count() FROM events WHERE coalesce({variables.d}, '') = '' OR distinct_id = {variables.d} GROUP BY event ORDER BY event",
    [...who, { d: "" }],
  ],
  [
    "SELECT event, count() FROM events WHERE coalesce({variables.d}, '') = '' OR distinct_id IN splitByChar(',', {variables.d}) GROUP BY event ORDER BY event",
    [...who, { d: "ann,bob" }, { d: "" }],
  ],
  [
    "WITH base AS (SELECT event, distinct_id FROM events WHERE event = {variables.e}), agg AS (SELECT distinct_id, count() AS c FROM base GROUP BY distinct_id) SELECT distinct_id, c FROM agg ORDER BY distinct_id",
    events,
  ],
  [
    "WITH base AS (SELECT event FROM events WHERE timestamp >= {variables.a}) SELECT event, count() AS c FROM base GROUP BY event ORDER BY event",
    days.map(({ a }) => ({ a })),
  ],
  ["WITH base AS (SELECT * FROM events WHERE event = {variables.e}) SELECT count() FROM base", events],
  ["SELECT event, count() FROM events GROUP BY event ORDER BY event LIMIT 2", [{}]],
  ["SELECT event AS e, count() AS n FROM events GROUP BY e ORDER BY n DESC, e", [{}]],
  ["SELECT count() FROM events UNION ALL SELECT uniq(event) FROM events", [{}]],
  ["SELECT person.properties.email AS email, count() FROM events WHERE event = {variables.e} GROUP BY email ORDER BY email", events],
  ["SELECT event, count() FROM events WHERE event = {variables.e} GROUP BY 1 ORDER BY 2 DESC", events],
  ["SELECT *, 1 AS one FROM events WHERE event = {variables.e} ORDER BY 4 DESC, 1 LIMIT 2", events],
  ["SELECT toDate(timestamp) AS d, uniq(distinct_id) AS dau FROM events GROUP BY d ORDER BY d", [{}]],
];

describe("a table of a query", () => {
  it.each(CASES)("gives what the query gives: %s", async (text, values) => {
    for (const { live, table } of await bothWays(golden, text, values)) expect(table).toEqual(live);
  });
});

const REFUSED: readonly (readonly [string, string])[] = [
  ["SELECT count() FROM events HAVING count() > {variables.n}", "variable_in_having"],
  ["SELECT {variables.n} FROM events", "variable_not_in_where"],
  ["SELECT count() FROM events LIMIT {variables.n}", "variable_not_in_where"],
  ["SELECT count() FROM events WHERE 'a' = {variables.n}", "variable_not_in_where"],
  ["SELECT event FROM events WHERE event = {variables.n} UNION ALL SELECT event FROM events", "variable_not_in_where"],
  ["SELECT count() FROM events WHERE event IN {variables.n}", "unsupported_operator"],
  ["SELECT count() FROM events WHERE event != {variables.n}", "unsupported_operator"],
  ["SELECT count() FROM events WHERE event =~ {variables.n}", "unsupported_operator"],
  ["SELECT count() FROM events WHERE event = {variables.n} OR event = 'a'", "variable_in_or"],
  ["SELECT count() FROM events WHERE event = {variables.n} AND distinct_id = {variables.n}", "variable_multiple_columns"],
  [
    "WITH a AS (SELECT * FROM events WHERE event = {variables.n}) SELECT count() FROM a WHERE distinct_id = {variables.m}",
    "variable_in_cte_and_top_level",
  ],
  [
    "WITH a AS (SELECT * FROM events WHERE event = {variables.n}), b AS (SELECT * FROM events WHERE event = {variables.m}) SELECT count() FROM a",
    "variable_in_multiple_ctes",
  ],
  [
    "WITH a AS (SELECT * FROM events WHERE event = {variables.n}) SELECT count() FROM a JOIN events e ON e.uuid = a.uuid",
    "cte_variable_with_top_level_join",
  ],
  ["SELECT uniq(distinct_id) FROM events WHERE timestamp >= {variables.n}", "aggregate_not_reaggregatable"],
  ["SELECT distinct_id AS n, count() FROM events WHERE event = {variables.n} GROUP BY n", "alias_conflict"],
  [
    "WITH a AS (SELECT event FROM events WHERE event = {variables.n}) SELECT event, (SELECT count() FROM a) FROM a",
    "scalar_subquery_reference",
  ],
  [
    "WITH a AS (SELECT event FROM events WHERE event = {variables.n}), b AS (SELECT event, row_number() OVER () AS r FROM a) SELECT r FROM b",
    "downstream_window",
  ],
  [
    "WITH a AS (SELECT event FROM events WHERE event = {variables.n}), b AS (SELECT a.event FROM a LEFT JOIN events e ON e.event = a.event) SELECT event FROM b",
    "downstream_join",
  ],
  [
    "WITH a AS (SELECT event FROM events WHERE event = {variables.n}), b AS (SELECT event FROM (SELECT event FROM a)) SELECT event FROM b",
    "downstream_nested_subquery",
  ],
  ["WITH a AS (SELECT event FROM events WHERE event = {variables.n}) SELECT count() FROM events", "downstream_no_source"],
  [
    "WITH a AS (SELECT event FROM events WHERE event = {variables.n}), b AS (SELECT 1 AS n FROM a) SELECT n FROM b",
    "downstream_name_collision",
  ],
  [
    "WITH a AS (SELECT event FROM events WHERE event = {variables.n}), b AS (SELECT event FROM a EXCEPT SELECT event FROM a) SELECT event FROM b",
    "downstream_set_operation",
  ],
];

describe("the reason why a query has no table", () => {
  it.each(REFUSED)("%s", async (text, code) => {
    expect(await transformOf(text)).toMatchObject({ kind: "refused", reason: { code } });
  });
});
