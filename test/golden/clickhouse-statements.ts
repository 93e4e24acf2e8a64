import type { Cell } from "../../lib/engine/engine.ts";

/** Statements of every form, over the project of the golden tests, each with the rows that ClickHouse gives for it. */
export const STATEMENTS: readonly (readonly [string, readonly (readonly Cell[])[]])[] = [
  ["SELECT extract(year from toDate('2020-01-01'))", [[2020]]],
  ["WITH a AS (SELECT 1 AS x) SELECT x FROM a", [[1]]],
  ["WITH 5 AS b SELECT b", [[5]]],
  ["WITH (SELECT max(timestamp) FROM events) AS m SELECT count() FROM events WHERE timestamp = m", [[1]]],
  ["WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM b", [[2]]],
  ["WITH a(x) AS (SELECT 1) SELECT x FROM a", [[1]]],
  ["WITH a AS MATERIALIZED (SELECT 1 AS x) SELECT x FROM a", [[1]]],
  [
    "SELECT a.x, b.x FROM (SELECT 1 AS x UNION ALL SELECT 2) a RIGHT JOIN (SELECT 2 AS x UNION ALL SELECT 3) b ON a.x = b.x ORDER BY b.x",
    [
      [2, 2],
      [null, 3],
    ],
  ],
  [
    "SELECT a.x, b.x FROM (SELECT 1 AS x UNION ALL SELECT 2) a FULL OUTER JOIN (SELECT 2 AS x UNION ALL SELECT 3) b ON a.x = b.x ORDER BY a.x, b.x",
    [
      [1, null],
      [2, 2],
      [null, 3],
    ],
  ],
  ["SELECT x FROM (SELECT 1 AS x) a JOIN (SELECT 1 AS x) b USING (x)", [[1]]],
  ["SELECT x FROM (SELECT 1 AS x) a JOIN (SELECT 1 AS x) b USING x", [[1]]],
  ["SELECT * FROM (SELECT 1 AS x, 2 AS y) a JOIN (SELECT 1 AS x, 3 AS z) b USING x", [[1, 2, 3]]],
  [
    "SELECT a.k, a.t, b.v FROM (SELECT 'a' AS k, 3 AS t) a ASOF JOIN (SELECT 'a' AS k, 5 AS t, 10 AS v UNION ALL SELECT 'a', 4, 20) b ON a.k = b.k AND a.t < b.t",
    [["a", 3, 20]],
  ],
  [
    "SELECT a.k, a.t, b.v FROM (SELECT 'a' AS k, 3 AS t) a ASOF JOIN (SELECT 'a' AS k, 5 AS t, 10 AS v UNION ALL SELECT 'a', 4, 20) b ON b.t > a.t AND a.k = b.k",
    [["a", 3, 20]],
  ],
  ["SELECT a.x FROM (SELECT 1 AS x UNION ALL SELECT 2) a LEFT SEMI JOIN (SELECT 2 AS x) b ON a.x = b.x", [[2]]],
  ["SELECT a.x FROM (SELECT 1 AS x UNION ALL SELECT 2) a LEFT ANTI JOIN (SELECT 2 AS x) b ON a.x = b.x", [[1]]],
  [
    "SELECT x, v FROM (SELECT 1 AS x, [10, 20] AS arr) ARRAY JOIN arr AS v ORDER BY v",
    [
      [1, 10],
      [1, 20],
    ],
  ],
  [
    "SELECT x, v, w FROM (SELECT 1 AS x, [10, 20] AS arr, ['a','b'] AS brr) ARRAY JOIN arr AS v, brr AS w ORDER BY v",
    [
      [1, 10, "a"],
      [1, 20, "b"],
    ],
  ],
  [
    "SELECT x, v FROM (SELECT 1 AS x, [] AS arr UNION ALL SELECT 2, [5]) LEFT ARRAY JOIN arr AS v ORDER BY x",
    [
      [1, 0],
      [2, 5],
    ],
  ],
  [
    "SELECT x, v, i FROM (SELECT 1 AS x, [10, 20] AS arr) ARRAY JOIN arr AS v, arrayEnumerate(arr) AS i ORDER BY v",
    [
      [1, 10, 1],
      [1, 20, 2],
    ],
  ],
  ["SELECT v FROM (SELECT 1 AS x) ARRAY JOIN [1,2,3] AS v ORDER BY v", [[1], [2], [3]]],
  ["SELECT v, x FROM (SELECT 1 AS x, [[1,2],[3]] AS arr) ARRAY JOIN arr AS v WHERE length(v) > 1", [[[1, 2], 1]]],
  [
    "SELECT event, count() FROM events GROUP BY 1 ORDER BY 1",
    [
      ["$pageview", 4],
      ["buy", 2],
      ["click", 2],
      ["it's \\ odd", 1],
    ],
  ],
  [
    "SELECT event, count() FROM events GROUP BY ALL ORDER BY event",
    [
      ["$pageview", 4],
      ["buy", 2],
      ["click", 2],
      ["it's \\ odd", 1],
    ],
  ],
  ["SELECT number FROM numbers(5) ORDER BY number LIMIT 2 OFFSET 1", [[1], [2]]],
  ["SELECT number FROM numbers(5) ORDER BY number OFFSET 3", [[3], [4]]],
  ["SELECT number FROM numbers(2, 3) ORDER BY number", [[2], [3], [4]]],
  ["SELECT number FROM numbers(0, 10, 3) ORDER BY number", [[0], [3], [6], [9]]],
  [
    "SELECT event, timestamp FROM events ORDER BY timestamp LIMIT 1 BY event",
    [
      ["$pageview", "2026-01-01T10:00:00Z"],
      ["click", "2026-01-01T10:00:05Z"],
      ["buy", "2026-01-05T12:00:00Z"],
      ["it's \\ odd", "2026-01-10T08:00:01Z"],
    ],
  ],
  [
    "SELECT number % 2 AS k, number FROM numbers(10) ORDER BY number LIMIT 2 OFFSET 1 BY k",
    [
      [0, 2],
      [1, 3],
      [0, 4],
      [1, 5],
    ],
  ],
  [
    "SELECT number % 2 AS k, number FROM numbers(10) ORDER BY number LIMIT 1, 2 BY k",
    [
      [0, 2],
      [1, 3],
      [0, 4],
      [1, 5],
    ],
  ],
  [
    "SELECT number % 2 AS k, number FROM numbers(10) ORDER BY number LIMIT 2 BY k LIMIT 3",
    [
      [0, 0],
      [1, 1],
      [0, 2],
    ],
  ],
  [
    "SELECT number % 2 AS k, number FROM numbers(10) ORDER BY number LIMIT 2 BY number % 2, number % 3 LIMIT 3 OFFSET 1",
    [
      [1, 1],
      [0, 2],
      [1, 3],
    ],
  ],
  ["SELECT number FROM numbers(5) EXCEPT SELECT number FROM numbers(3)", [[3], [4]]],
  ["SELECT number FROM numbers(5) INTERSECT DISTINCT SELECT number FROM numbers(2)", [[0], [1]]],
  ["SELECT NULL ?? 5", [[5]]],
  ["SELECT 'abc' =~ '^a', 'abc' !~ '^a', 'ABC' =~* '^a', 'ABC' !~* '^a'", [[true, false, true, false]]],
  ["SELECT f'{event} by {distinct_id}' FROM events ORDER BY timestamp LIMIT 1", [["$pageview by ann"]]],
  ["SELECT f'a{1+1}b\\'{upper('x')}'", [["a2b'X"]]],
  ["SELECT * EXCLUDE (a) FROM (SELECT 1 AS a, 2 AS b)", [[2]]],
  ["SELECT COLUMNS('^a') FROM (SELECT 1 AS a, 2 AS b, 3 AS ab)", [[1, 3]]],
  ["SELECT t.* EXCLUDE (a) FROM (SELECT 1 AS a, 2 AS b) t", [[2]]],
  ["SELECT count(*) FILTER (WHERE event = 'click') FROM events", [[2]]],
  ["SELECT sum(1) FILTER (WHERE event = 'click') FROM events", [[2]]],
  ["SELECT event, count() AS c FROM events GROUP BY event QUALIFY row_number() OVER (ORDER BY c DESC, event) = 1", [["$pageview", 4]]],
  ["SELECT sum(number) AS number FROM numbers(5)", [[10]]],
  ["SELECT max(x) AS x FROM (SELECT 1 AS x UNION ALL SELECT 2) WHERE x > 0", [[2]]],
  ["SELECT {'a': 1, 'b': 2}", [[{ a: 1, b: 2 }]]],
  ["SELECT {'a': 1}['a']", [[1]]],
  ["SELECT INTERVAL 1 DAY + toDate('2020-01-01')", [["2020-01-02"]]],
  ["SELECT toDate('2020-01-01') + INTERVAL '1 day'", [["2020-01-02"]]],
  ["SELECT toDate('2020-01-01') + INTERVAL 1 day + INTERVAL 2 hour", [["2020-01-02T02:00:00Z"]]],
  ["SELECT x IS DISTINCT FROM 1, x IS NOT DISTINCT FROM NULL FROM (SELECT NULL AS x)", [[true, true]]],
  [
    "SELECT * FROM (VALUES (1, 'a'), (2, 'b'))",
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  [
    "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(x, y)",
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  ["SELECT t.x, t.y FROM (SELECT 1, 2) AS t(x, y)", [[1, 2]]],
  ["SELECT groupArray(2)(number) FROM numbers(5)", [[[0, 1]]]],
  ["SELECT quantile(0.5)(number) FROM numbers(5)", [[2]]],
  ["SELECT quantiles(0.5, 0.9)(number) FROM numbers(11)", [[[5, 9]]]],
  ["SELECT sum(number) OVER (ORDER BY number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM numbers(4)", [[0], [1], [3], [5]]],
  ["SELECT sum(number) OVER (ORDER BY number RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM numbers(4)", [[1], [3], [6], [5]]],
  [
    "SELECT count() OVER (ORDER BY d RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (SELECT toDate('2020-01-01') + number AS d FROM numbers(4))",
    [[1], [2], [2], [2]],
  ],
  [
    "SELECT number, leadInFrame(number) OVER (ORDER BY number) FROM numbers(3)",
    [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  ],
  [
    "SELECT number, nth_value(number, 2) OVER (ORDER BY number) FROM numbers(3)",
    [
      [0, 0],
      [1, 1],
      [2, 1],
    ],
  ],
  [
    "SELECT number, ntile(2) OVER (ORDER BY number) FROM numbers(4)",
    [
      [0, 1],
      [1, 1],
      [2, 2],
      [3, 2],
    ],
  ],
  [
    "SELECT number, percent_rank() OVER (ORDER BY number), cume_dist() OVER (ORDER BY number) FROM numbers(4)",
    [
      [0, 0, 0.25],
      [1, 0.3333333333333333, 0.5],
      [2, 0.6666666666666666, 0.75],
      [3, 1, 1],
    ],
  ],
  ["SELECT untuple((1, 2))", [[1, 2]]],
  ["SELECT untuple(t) FROM (SELECT (1, 'a') AS t)", [[1, "a"]]],
  ["SELECT number AS n FROM numbers(3) WHERE n IN (SELECT number FROM numbers(2)) ORDER BY n", [[0], [1]]],
  ["SELECT number FROM numbers(3) AS n WHERE EXISTS (SELECT 1 FROM events WHERE event = 'click') ORDER BY number", [[0], [1], [2]]],
  [
    "SELECT extract(year from toDate('2020-01-01')), EXTRACT(DAY FROM toDate('2020-01-09')), EXTRACT( hour FROM toDateTime('2020-01-01 10:00:00') )",
    [[2020, 9, 10]],
  ],
  [
    "SELECT x, y, z FROM (SELECT 1 AS x, 2 AS y) a FULL JOIN (SELECT 2 AS x, 3 AS z) b USING x ORDER BY x",
    [
      [1, 2, null],
      [2, null, 3],
    ],
  ],
  ["SELECT * FROM (SELECT 1 AS x, 2 AS y) a RIGHT JOIN (SELECT 2 AS x, 3 AS z) b USING x ORDER BY x", [[2, null, 3]]],
  [
    "SELECT y, x FROM (VALUES (1, 'a'), (2, 'b')) AS t(x, y) ORDER BY x",
    [
      ["a", 1],
      ["b", 2],
    ],
  ],
  ["SELECT sum(c1) FROM (VALUES (1), (2), (NULL))", [[3]]],
  ["SELECT untuple(t) AS p, 5 FROM (SELECT (1, 'a') AS t)", [[1, "a", 5]]],
  ["SELECT untuple(argMax((event, distinct_id), timestamp)) FROM events", [["it's \\ odd", "bob"]]],
  ["SELECT [1,2,3][1:2]", [[[1, 2]]]],
  ["SELECT 'extract(year from x)', extract('a1', '[0-9]') -- extract(year from x", [["extract(year from x)", "1"]]],
  ["SELECT number, leadInFrame(number) OVER (ORDER BY number % 2) FROM numbers(1)", [[0, 0]]],
  [
    "SELECT number, leadInFrame(number, 2) OVER (ORDER BY number ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) FROM numbers(3)",
    [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  ],
  [
    "SELECT number, leadInFrame(number) OVER (ORDER BY number ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM numbers(3)",
    [
      [0, 1],
      [1, 2],
      [2, 0],
    ],
  ],
  [
    "SELECT number, lagInFrame(number, 2) OVER (ORDER BY number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM numbers(4)",
    [
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
    ],
  ],
  [
    "SELECT number, lagInFrame(toString(number)) OVER (ORDER BY number) FROM numbers(3)",
    [
      [0, ""],
      [1, "0"],
      [2, "1"],
    ],
  ],
  [
    "SELECT number, lagInFrame(number) OVER (ORDER BY number ROWS BETWEEN CURRENT ROW AND CURRENT ROW) FROM numbers(3)",
    [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  ],
  [
    "SELECT number, nth_value(toString(number), 2) OVER (ORDER BY number ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) FROM numbers(4)",
    [
      [0, "2"],
      [1, "3"],
      [2, ""],
      [3, ""],
    ],
  ],
  [
    "SELECT number, any(number) OVER (ORDER BY number ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING) FROM numbers(4)",
    [
      [0, 2],
      [1, 3],
      [2, 0],
      [3, 0],
    ],
  ],
  ["SELECT number, last_value(number) OVER (PARTITION BY number % 2) FROM numbers(1) ORDER BY number", [[0, 0]]],
  [
    "SELECT number, uniq(number % 2) OVER (ORDER BY number) FROM numbers(3)",
    [
      [0, 1],
      [1, 2],
      [2, 2],
    ],
  ],
  [
    "SELECT number, quantile(0.5)(number) OVER (ORDER BY number) FROM numbers(3)",
    [
      [0, 0],
      [1, 0.5],
      [2, 1],
    ],
  ],
  [
    "SELECT number, sum(number) OVER w, count() OVER w FROM numbers(3) WINDOW w AS (ORDER BY number ROWS UNBOUNDED PRECEDING)",
    [
      [0, 0, 1],
      [1, 1, 2],
      [2, 3, 3],
    ],
  ],
  [
    "SELECT number, ntile(3) OVER (ORDER BY number) FROM numbers(7)",
    [
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 3],
      [6, 3],
    ],
  ],
  [
    "SELECT k, c, c / sum(c) OVER () FROM (SELECT number % 2 AS k, count() AS c FROM numbers(5) GROUP BY k) ORDER BY k",
    [
      [0, 3, 0.6],
      [1, 2, 0.4],
    ],
  ],
  [
    "SELECT number, windowFunnel(10)(toDateTime(number), number = 0, number = 1) OVER () FROM numbers(2)",
    [
      [0, 2],
      [1, 2],
    ],
  ],
  [
    "SELECT number, median(number) OVER (), stddevPop(number) OVER () FROM numbers(3)",
    [
      [0, 1, 0.816496580927726],
      [1, 1, 0.816496580927726],
      [2, 1, 0.816496580927726],
    ],
  ],
  [
    "SELECT number, denseRank() OVER (ORDER BY number) FROM numbers(2)",
    [
      [0, 1],
      [1, 2],
    ],
  ],
  [
    "SELECT repeat(x, 2), splitByChar(',', x), extractAll(x, 'a'), JSONExtractString(x, 'a'), JSONLength(x), ngramDistance(x, 'abcd'), toJSONString(x), assumeNotNull(x), multiSearchAny(x, ['a']), leftPad(x, 5) FROM (SELECT toNullable('abc') AS x, 1 AS k UNION ALL SELECT NULL, 2) ORDER BY k",
    [
      ["abcabc", ["abc"], ["a"], "", 0, 1, '"abc"', "abc", 1, "  abc"],
      [null, [""], [], null, null, null, null, "", null, null],
    ],
  ],
  [
    "SELECT event, distinct_id, count() FROM events GROUP BY ROLLUP(event, distinct_id) ORDER BY event, distinct_id, count()",
    [
      ["", "", 9],
      ["$pageview", "", 4],
      ["$pageview", "ann", 2],
      ["$pageview", "bob", 1],
      ["$pageview", "cid", 1],
      ["buy", "", 2],
      ["buy", "ann-phone", 1],
      ["buy", "bob", 1],
      ["click", "", 2],
      ["click", "ann", 1],
      ["click", "bob", 1],
      ["it's \\ odd", "", 1],
      ["it's \\ odd", "bob", 1],
    ],
  ],
  [
    "SELECT event, count() AS c FROM events GROUP BY ROLLUP(event) ORDER BY c DESC, event",
    [
      ["", 9],
      ["$pageview", 4],
      ["buy", 2],
      ["click", 2],
      ["it's \\ odd", 1],
    ],
  ],
  [
    "SELECT event, distinct_id, count() FROM events GROUP BY CUBE(event, distinct_id) ORDER BY event, distinct_id, count()",
    [
      ["", "", 9],
      ["", "ann", 3],
      ["", "ann-phone", 1],
      ["", "bob", 4],
      ["", "cid", 1],
      ["$pageview", "", 4],
      ["$pageview", "ann", 2],
      ["$pageview", "bob", 1],
      ["$pageview", "cid", 1],
      ["buy", "", 2],
      ["buy", "ann-phone", 1],
      ["buy", "bob", 1],
      ["click", "", 2],
      ["click", "ann", 1],
      ["click", "bob", 1],
      ["it's \\ odd", "", 1],
      ["it's \\ odd", "bob", 1],
    ],
  ],
  [
    "SELECT upper(event) AS e, sum(1) FROM events GROUP BY ROLLUP(e) HAVING sum(1) > 1 ORDER BY e",
    [
      ["", 9],
      ["$PAGEVIEW", 4],
      ["BUY", 2],
      ["CLICK", 2],
    ],
  ],
  [
    "SELECT toStartOfMonth(timestamp) AS m, toDayOfMonth(timestamp) AS d, count() FROM events GROUP BY ROLLUP(m, d) ORDER BY m, d",
    [
      ["1970-01-01", 0, 9],
      ["2026-01-01", 0, 9],
      ["2026-01-01", 1, 3],
      ["2026-01-01", 2, 1],
      ["2026-01-01", 3, 1],
      ["2026-01-01", 4, 1],
      ["2026-01-01", 5, 1],
      ["2026-01-01", 10, 2],
    ],
  ],
  ["SELECT k FROM (SELECT number % 2 AS k, count() AS c FROM numbers(6) GROUP BY ROLLUP(k)) WHERE k = 1", [[1]]],
];
