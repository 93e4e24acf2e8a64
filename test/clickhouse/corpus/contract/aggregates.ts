/** Section 12.4: aggregates, their combinators, windows. */
export const AGGREGATES = {
  "counts of events":
    "SELECT count() AS a, count(properties.$browser) AS b, countDistinct(event) AS c, count(DISTINCT distinct_id) AS d, COUNT(*) AS e, countIf(event = 'click') AS f FROM events",
  "counts by event":
    "SELECT event, count() AS n, count(properties.plan) AS with_plan, countIf(properties.plan = 'pro') AS pro, countDistinct(distinct_id) AS people, countDistinctIf(distinct_id, properties.plan = 'pro') AS pro_people FROM events GROUP BY event ORDER BY n DESC, event",
  "sum, avg, min, max of a typed property":
    "SELECT event, round(sum(properties.quantity), 4) AS s, round(avg(properties.quantity), 6) AS a, min(properties.quantity) AS lo, max(properties.quantity) AS hi FROM events GROUP BY event ORDER BY event",
  "sum, avg, min, max of an untyped property":
    "SELECT event, round(sum(toFloat(properties.price)), 4) AS s, round(avg(toFloat(properties.price)), 6) AS a, min(toFloat(properties.price)) AS lo, max(toFloat(properties.price)) AS hi FROM events GROUP BY event ORDER BY event",
  "min and max of texts and times":
    "SELECT min(event) AS a, max(event) AS b, min(timestamp) AS c, max(timestamp) AS d, min(toDate(timestamp)) AS e, max(properties.$os) AS f FROM events",
  "sumIf, avgIf, minIf, maxIf":
    "SELECT round(sumIf(properties.quantity, event = 'purchase'), 4) AS a, round(avgIf(properties.quantity, event = 'purchase'), 6) AS b, minIf(properties.quantity, event = 'purchase') AS c, maxIf(properties.quantity, event = 'purchase') AS d, sumIf(properties.quantity, event = 'none') AS e FROM events",
  "aggregates over no rows":
    "SELECT count() AS a, sum(number) AS b, avg(number) AS c, min(number) AS d, max(number) AS e, uniq(number) AS f, groupArray(number) AS g, any(toString(number)) AS h FROM numbers(5) WHERE number > 10",
  "aggregates over no rows of times and texts":
    "SELECT min(timestamp) AS a, max(event) AS b, countIf(event = 'x') AS c, median(toFloat(properties.price)) AS d, argMax(event, timestamp) AS e FROM events WHERE event = 'never sent'",
  "aggregates over NULLs only":
    "SELECT count(v) AS a, sum(v) AS b, avg(v) AS c, min(v) AS d, max(v) AS e, uniq(v) AS f, groupArray(v) AS g FROM (SELECT toInt('x') AS v FROM numbers(3))",
  "any and anyLast":
    "SELECT event, any(event) AS a, anyLast(event) AS b, anyIf(event, event != '') AS c, anyLastIf(event, event = '') AS d FROM events GROUP BY event ORDER BY event",
  "any and anyLast in the order of rows": "SELECT any(x) AS a, anyLast(x) AS b FROM (SELECT arrayJoin([NULL, 'first', 'last', NULL]) AS x)",
  "argMin and argMax":
    "SELECT argMin(event, timestamp) AS a, argMax(uuid, (timestamp, uuid)) AS b, argMinIf(distinct_id, timestamp, timestamp > '2026-01-01') AS c, argMaxIf(event, timestamp, timestamp < '2027-01-01') AS d FROM events",
  "argMin and argMax of NULLs":
    "SELECT argMin(v, k) AS a, argMax(v, k) AS b, argMax(v, w) AS c FROM (SELECT arrayJoin([(1, 'a', 5), (2, NULL, 6), (3, 'c', NULL)]) AS t, t.1 AS k, t.2 AS v, t.3 AS w)",
  "distinct counts":
    "SELECT event, uniq(distinct_id) AS a, uniqExact(distinct_id) AS b, uniqHLL12(properties.$os) AS c FROM events GROUP BY event ORDER BY event",
  "distinct counts under a condition":
    "SELECT uniqIf(distinct_id, event = 'click') AS a, uniqExactIf(distinct_id, event = 'click') AS b, uniqHLL12If(properties.$os, event = 'click') AS c, uniq(event, properties.plan) AS d, uniqExact((event, properties.$os)) AS e FROM events",
  uniqTheta:
    "SELECT event, uniqTheta(properties.plan) AS a, uniqThetaIf(properties.$os, event = 'click') AS b FROM events GROUP BY event ORDER BY event",
  "groupArray, array_agg and groupUniqArray":
    "SELECT arraySort(groupArray(number)) AS a, arraySort(array_agg(number % 3)) AS b, arraySort(groupUniqArray(number % 3)) AS c, arraySort(groupArrayIf(number, number > 2)) AS d, arraySort(groupUniqArrayIf(number % 2, number > 2)) AS e FROM numbers(6)",
  "groupArray leaves NULL out":
    "SELECT groupArray(x) AS a, arraySort(groupUniqArray(x)) AS b, length(groupArray(x)) AS c FROM (SELECT arrayJoin([1, NULL, 2, NULL, 2]) AS x)",
  "groupArray with a size":
    "SELECT groupArray(2)(number) AS a, length(groupUniqArray(2)(number)) AS b, length(groupArraySample(3)(number)) AS c, arraySort(groupArraySample(10)(number)) AS d FROM numbers(5)",
  groupUniqArrayArray:
    "SELECT arraySort(groupUniqArrayArray(xs)) AS a, arraySort(groupArrayArray(xs)) AS b FROM (SELECT range(number) AS xs FROM numbers(4))",
  topK: "SELECT topK(1)(event) AS a, topK(2)(properties.$browser) AS b, length(topK(3)(event)) AS c, topKIf(1)(event, event != '$pageview') AS d FROM events",
  "median and quantile":
    "SELECT event, round(median(properties.quantity), 6) AS a, round(quantile(0.9)(properties.quantity), 6) AS b, round(quantile(0.25)(toFloat(properties.price)), 6) AS c, round(medianIf(properties.quantity, properties.quantity > 2), 6) AS d FROM events GROUP BY event ORDER BY event",
  "quantiles and quantileExact":
    "SELECT quantiles(0, 0.25, 0.5, 0.75, 1)(number) AS a, quantileExact(0.5)(number) AS b, quantileExact(0.9)(number) AS c, quantileIf(0.5)(number, number < 4) AS d, quantile(number) AS e, quantileExact(number) AS f FROM numbers(10)",
  "standard deviations and variances":
    "SELECT round(stddevPop(number), 6) AS a, round(stddevSamp(number), 6) AS b, round(varPop(number), 6) AS c, round(varSamp(number), 6) AS d, round(stddevPopIf(number, number < 5), 6) AS e, round(varSampIf(number, number < 5), 6) AS f FROM numbers(10)",
  "covariance and correlation":
    "SELECT round(covarPop(number, number * 2), 6) AS a, round(covarSamp(number, number * 2), 6) AS b, round(corr(number, 10 - number), 6) AS c, round(corrIf(number, number * number, number > 2), 6) AS d FROM numbers(10)",
  "variances of one row and of none":
    "SELECT stddevPop(number) AS a, varPop(number) AS b, varSamp(number) AS c, stddevSamp(number) AS d, quantile(0.5)(number) AS e FROM numbers(1)",
  "sumMap, minMap, maxMap":
    "SELECT sumMap(k, v) AS a, minMap(k, v) AS b, maxMap(k, v) AS c FROM (SELECT ['a', 'b'] AS k, [number, number * 10] AS v FROM numbers(3))",
  "sumMap of maps":
    "SELECT sumMap(m) AS a, minMap(m) AS b, maxMap(m) AS c FROM (SELECT map('a', number, toString(number), 1) AS m FROM numbers(3))",
  avgWeighted:
    "SELECT avgWeighted(x, w) AS a, avgWeightedIf(x, w, x > 1) AS b FROM (SELECT arrayJoin([(1, 1), (2, 3), (4, 4)]) AS t, t.1 AS x, t.2 AS w)",
  "string_agg and json_agg":
    "SELECT string_agg(toString(number), ',') AS a, json_agg(number) AS b, string_agg(toString(number), ' | ') AS c FROM numbers(4)",
  every: "SELECT number % 3 AS part, every(number < 7) AS a, every(number >= 0) AS b FROM numbers(9) GROUP BY part ORDER BY part",
  "groupBitAnd, groupBitOr, groupBitXor":
    "SELECT groupBitAnd(x) AS a, groupBitOr(x) AS b, groupBitXor(x) AS c, groupBitOrIf(x, x < 8) AS d FROM (SELECT arrayJoin([12, 10, 7]) AS x)",
  simpleLinearRegression:
    "SELECT simpleLinearRegression(x, y) AS a, round(simpleLinearRegression(x, y).1, 4) AS k FROM (SELECT number AS x, number * 3 + 1 AS y FROM numbers(5))",
  "windowFunnel finds the deepest step":
    "SELECT level, count() AS people FROM (SELECT person_id, windowFunnel(86400)(toDateTime(timestamp), event = '$pageview', event = 'click', event = 'purchase') AS level FROM events WHERE timestamp >= '2026-01-01' AND timestamp < '2027-01-01' GROUP BY person_id) GROUP BY level ORDER BY level",
  "windowFunnel in small":
    "SELECT windowFunnel(10)(t, e = 'a', e = 'b', e = 'c') AS wide, windowFunnel(3)(t, e = 'a', e = 'b', e = 'c') AS narrow FROM (SELECT arrayJoin([(100, 'a'), (102, 'b'), (106, 'c')]) AS r, toDateTime(r.1) AS t, r.2 AS e)",
  retention:
    "SELECT retention(d = '2026-01-01', d = '2026-01-02', d = '2026-01-03') AS r FROM (SELECT arrayJoin([toDate('2026-01-01'), toDate('2026-01-03')]) AS d)",
  "retention of people":
    "SELECT sum(r[1]) AS january, sum(r[2]) AS february, sum(r[3]) AS march FROM (SELECT person_id, retention(toMonth(timestamp) = 1, toMonth(timestamp) = 2, toMonth(timestamp) = 3) AS r FROM events WHERE toYear(timestamp) = 2026 GROUP BY person_id)",
  "sequenceMatch and sequenceCount":
    "SELECT sequenceMatch('(?1)(?2)')(t, e = 'a', e = 'b') AS a, sequenceMatch('(?2).*(?1)')(t, e = 'a', e = 'b') AS b, sequenceCount('(?1)(?2)')(t, e = 'a', e = 'b') AS c, sequenceMatch('(?1)(?t<=1)(?2)')(t, e = 'a', e = 'b') AS d FROM (SELECT arrayJoin([(1, 'a'), (3, 'b'), (5, 'a'), (6, 'b'), (9, 'c')]) AS r, toDateTime(r.1) AS t, r.2 AS e)",
  "combinator If with NULL conditions":
    "SELECT countIf(v) AS a, sumIf(n, v) AS b, avgIf(n, v) AS c FROM (SELECT arrayJoin([(1, 1), (2, NULL), (3, 0), (4, 1)]) AS t, t.1 AS n, t.2 AS v)",
  "combinator Array":
    "SELECT sumArray(xs) AS a, avgArray(xs) AS b, uniqArray(xs) AS c, maxArray(xs) AS d, countArray(xs) AS e, sumArrayIf(xs, n > 1) AS f FROM (SELECT number AS n, range(number) AS xs FROM numbers(4))",
  "combinator Map":
    "SELECT avgMap(m) AS a, countMap(m) AS b, maxMap(m) AS c FROM (SELECT map('x', number, 'y', number * 2) AS m FROM numbers(3))",
  "combinator ForEach":
    "SELECT sumForEach(xs) AS a, maxForEach(xs) AS b, avgForEach(xs) AS c, countForEach(xs) AS d FROM (SELECT [number, number * 10] AS xs FROM numbers(3))",
  "combinators OrDefault and OrNull":
    "SELECT sumOrNull(number) AS a, avgOrNull(number) AS b, avgOrDefault(number) AS c, maxOrNull(number) AS d, minOrDefault(number) AS e, countOrNull(number) AS f FROM numbers(3) WHERE number > 10",
  "combinators OrDefault and OrNull with rows":
    "SELECT sumOrNull(number) AS a, avgOrNull(number) AS b, avgOrDefault(number) AS c, maxOrNullIf(number, number > 5) AS d, sumIfOrNull(number, number > 5) AS e, avgOrDefaultIf(number, number > 5) AS f FROM numbers(3)",
  "combinator Distinct":
    "SELECT sumDistinct(number % 3) AS a, countDistinct(number % 3) AS b, avgDistinct(number % 3) AS c, arraySort(groupArrayDistinct(number % 3)) AS d, sum(DISTINCT number % 2) AS e FROM numbers(9)",
  "an aggregate of an aggregate":
    "SELECT round(avg(n), 6) AS mean, max(n) AS most, median(n) AS middle FROM (SELECT person_id, count() AS n FROM events GROUP BY person_id)",
  FILTER: "SELECT count() FILTER (WHERE number > 2) AS a, sum(number) FILTER (WHERE number % 2 = 0) AS b FROM numbers(6)",
} as const;

const STEPS = "(SELECT number AS n, number % 3 AS part, intDiv(number, 2) AS tie FROM numbers(9))";

export const WINDOWS = {
  "row_number, rank, dense_rank": `SELECT n, part, row_number() OVER (PARTITION BY part ORDER BY n) AS a, rank() OVER (ORDER BY tie) AS b, dense_rank() OVER (ORDER BY tie) AS c FROM ${STEPS} ORDER BY n`,
  ntile: `SELECT n, ntile(4) OVER (ORDER BY n) AS a, ntile(2) OVER (PARTITION BY part ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS b FROM ${STEPS} ORDER BY n`,
  "lag and lead": `SELECT n, lag(n) OVER (ORDER BY n) AS a, lead(n) OVER (ORDER BY n) AS b, lag(n, 2) OVER (ORDER BY n) AS c, lead(n, 2, 99) OVER (ORDER BY n) AS d FROM ${STEPS} ORDER BY n`,
  "lagInFrame and leadInFrame": `SELECT n, lagInFrame(n) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS a, leadInFrame(n) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS b, lagInFrame(n, 2, 0) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS c, lagInFrame(toNullable(n)) OVER (PARTITION BY part ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS d FROM ${STEPS} ORDER BY n`,
  "first_value, last_value, nth_value": `SELECT n, first_value(n) OVER (PARTITION BY part ORDER BY n) AS a, last_value(n) OVER (PARTITION BY part ORDER BY n) AS b, last_value(n) OVER (PARTITION BY part ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS c, nth_value(n, 2) OVER (PARTITION BY part ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS d FROM ${STEPS} ORDER BY n`,
  "running aggregates": `SELECT n, sum(n) OVER (ORDER BY n) AS a, count() OVER (PARTITION BY part ORDER BY n) AS b, avg(n) OVER (ORDER BY n ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS c, max(n) OVER (ORDER BY n ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) AS d FROM ${STEPS} ORDER BY n`,
  "frames by range": `SELECT n, sum(n) OVER (ORDER BY tie RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS a, count() OVER (ORDER BY tie RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS b FROM ${STEPS} ORDER BY n`,
  "a named window": `SELECT n, sum(n) OVER w AS a, row_number() OVER w AS b FROM ${STEPS} WINDOW w AS (PARTITION BY part ORDER BY n DESC) ORDER BY n`,
  "windows over groups":
    "SELECT toStartOfMonth(timestamp) AS month, count() AS n, sum(count()) OVER (ORDER BY month) AS total, lagInFrame(count()) OVER (ORDER BY month ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS before FROM events WHERE toYear(timestamp) = 2026 GROUP BY month ORDER BY month",
  "a window without parts is the whole": `SELECT n, count() OVER () AS a, max(n) OVER () AS b, round(n / sum(n) OVER (), 6) AS share FROM ${STEPS} ORDER BY n`,
  "time since the event before":
    "SELECT distinct_id, event, timestamp, dateDiff('second', lagInFrame(timestamp, 1, timestamp) OVER (PARTITION BY distinct_id ORDER BY timestamp, uuid ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), timestamp) AS gap FROM events WHERE distinct_id IN ('u01', 'u02') ORDER BY distinct_id, timestamp, uuid LIMIT 30",
} as const;
