/** Section 12.4: comparison and logic, arithmetic, rounding. */
export const COMPARISON = {
  "functions of comparison":
    "SELECT equals(1, 1) AS eq, notEquals(1, 2) AS ne, less(1, 2) AS lt, greater(1, 2) AS gt, lessOrEquals(2, 2) AS le, greaterOrEquals(1, 2) AS ge",
  "comparison of texts, dates and times":
    "SELECT 'a' < 'b' AS a, 'Z' < 'a' AS b, 'é' > 'z' AS c, toDate('2026-01-01') < toDate('2026-01-02') AS d, toDateTime('2026-01-01 00:00:00') = '2026-01-01 00:00:00' AS e, toDateTime('2026-01-01 00:00:01') > '2026-01-01' AS f",
  "equality with NULL is softened": "SELECT NULL = NULL AS a, 1 = NULL AS b, NULL != NULL AS c, 1 != NULL AS d",
  "equality of a column with NULLs":
    "SELECT n, v = 'a' AS eq, v != 'a' AS ne FROM (SELECT 1 AS n, 'a' AS v UNION ALL SELECT 2 AS n, NULL AS v UNION ALL SELECT 3 AS n, 'b' AS v) ORDER BY n",
  "like with NULL":
    "SELECT n, v LIKE 'a%' AS a, v NOT LIKE 'a%' AS b, v ILIKE 'A%' AS c, v NOT ILIKE 'A%' AS d FROM (SELECT 1 AS n, 'abc' AS v UNION ALL SELECT 2 AS n, NULL AS v UNION ALL SELECT 3 AS n, 'xyz' AS v) ORDER BY n",
  "in with NULL":
    "SELECT n, v IN ('a', 'b') AS a, v NOT IN ('a', 'b') AS b FROM (SELECT 1 AS n, 'a' AS v UNION ALL SELECT 2 AS n, NULL AS v UNION ALL SELECT 3 AS n, 'c' AS v) ORDER BY n",
  "and, or, not, xor as functions":
    "SELECT and(1, 0) AS a, and(1, 1, 1) AS b, or(0, 0, 1) AS c, or(0, 0) AS d, not(0) AS e, xor(1, 1) AS f, xor(1, 0) AS g",
  "the truth table of and, or, xor":
    "SELECT a.number AS x, b.number AS y, x = 1 AND y = 1 AS both, x = 1 OR y = 1 AS either, xor(x = 1, y = 1) AS one, NOT (x = 1) AS no FROM numbers(2) AS a CROSS JOIN numbers(2) AS b ORDER BY x, y",
  "in and notIn as functions": "SELECT in(2, (1, 2, 3)) AS a, notIn(2, (1, 2, 3)) AS b, in('x', ('a', 'b')) AS c, 2 IN [1, 2] AS d",
  "like, ilike, notLike, notILike as functions":
    "SELECT like('Chrome', 'Ch%') AS a, like('chrome', 'Ch%') AS b, ilike('chrome', 'Ch%') AS c, notLike('chrome', 'Ch%') AS d, notILike('chrome', 'Ch%') AS e, like('a_b', 'a\\\\_b') AS f, like('axb', 'a\\\\_b') AS g",
  "like over Unicode and line breaks":
    "SELECT 'größe' LIKE 'gr__e' AS a, '日本語' LIKE '日%' AS b, 'ÄPFEL' ILIKE 'äpfel' AS c, 'a\\nb' LIKE 'a%b' AS d, '' LIKE '%' AS e, 'x' LIKE '' AS f",
  between:
    "SELECT number AS n, number BETWEEN 1 AND 2 AS a, number NOT BETWEEN 1 AND 2 AS b, 'b' BETWEEN 'a' AND 'c' AS c FROM numbers(4) ORDER BY n",
  "between of times":
    "SELECT toDate('2026-01-15') BETWEEN toDate('2026-01-01') AND toDate('2026-01-31') AS a, toDateTime('2026-02-01 00:00:00') BETWEEN '2026-01-01' AND '2026-01-31' AS b",
  "regular expression operators":
    "SELECT 'abc' =~ '^a.c$' AS a, 'abc' !~ '^b' AS b, 'ABC' =~* '^a' AS c, 'ABC' !~* '^b' AS d, 'abc' =~ 'B' AS e",
  "comparison of tuples and arrays":
    "SELECT (1, 2) = (1, 2) AS a, (1, 2) < (1, 3) AS b, [1, 2] = [1, 2] AS c, [1, 2] < [1, 3] AS d, ('a', 1) IN (('a', 1), ('b', 2)) AS e",
} as const;

export const ARITHMETIC = {
  "functions of arithmetic":
    "SELECT plus(1, 2) AS a, minus(1, 2) AS b, multiply(3, 4) AS c, divide(7, 2) AS d, negate(5) AS e, abs(-5) AS f, abs(-1.5) AS g",
  "integer division gives a float": "SELECT 7 / 2 AS a, 6 / 3 AS b, -7 / 2 AS c, 1 / 3 AS d, 0 / 5 AS e",
  "division by zero": "SELECT 1 / 0 AS a, 0 / 0 AS b, -1 / 0 AS c, intDivOrZero(1, 0) AS d, 1.5 / 0 AS e",
  "intDiv and intDivOrZero truncate":
    "SELECT intDiv(7, 2) AS a, intDiv(-7, 2) AS b, intDiv(7, -2) AS c, intDivOrZero(7, 2) AS d, intDivOrZero(-7, 2) AS e, intDiv(7.9, 2) AS f",
  "modulo and positiveModulo":
    "SELECT modulo(7, 3) AS a, modulo(-7, 3) AS b, 7 % 3 AS c, -7 % 3 AS d, positiveModulo(-7, 3) AS e, positiveModulo(7, 3) AS f, modulo(7.5, 2) AS g",
  "gcd and lcm": "SELECT gcd(12, 18) AS a, lcm(4, 6) AS b, gcd(7, 13) AS c, lcm(1, 9) AS d",
  "exp and logarithms": "SELECT round(exp(1), 6) AS a, round(log(10), 6) AS b, log2(8) AS c, log10(1000) AS d, log(1) AS e, exp(0) AS f",
  "roots and powers": "SELECT sqrt(16) AS a, pow(2, 10) AS b, power(2, -1) AS c, pow(0, 0) AS d, round(sqrt(2), 6) AS e",
  "logarithms and roots outside their domain": "SELECT log(0) AS a, log(-1) AS b, sqrt(-1) AS c, log2(0) AS d, log10(0) AS e",
  "sign, pi and e": "SELECT sign(-3) AS a, sign(0) AS b, sign(2.5) AS c, round(pi(), 6) AS d, round(e(), 6) AS e",
  "sine, cosine, tangent": "SELECT round(sin(pi() / 2), 6) AS a, round(cos(pi()), 6) AS b, round(tan(pi() / 4), 6) AS c, sin(0) AS d",
  "rand stays in its range": "SELECT rand() >= 0 AS a, rand() <= 4294967295 AS b, count() AS n FROM numbers(3) GROUP BY a, b",
  bits: "SELECT bitAnd(12, 10) AS a, bitOr(12, 10) AS b, bitXor(12, 10) AS c, bitShiftLeft(1, 4) AS d, bitShiftRight(256, 4) AS e, bitAnd(bitNot(_toInt64(5)), 255) AS f",
  "arithmetic with NULL": "SELECT 1 + NULL AS a, NULL * 2 AS b, NULL / 2 AS c, -NULL AS d, abs(NULL) AS e",
  precedence: "SELECT 2 + 3 * 4 AS a, (2 + 3) * 4 AS b, -2 + 5 AS c, 10 - 2 - 3 AS d, 2 * 3 % 4 AS e, NOT 1 = 2 AS f",
  "large integers": "SELECT 9007199254740991 + 0 AS a, 2147483647 + 1 AS b, 100000 * 100000 AS c, -2147483648 - 1 AS d",
  "floats are not rounded": "SELECT 0.1 + 0.2 AS a, 1e15 + 0.5 AS b, 3.0 AS c, 1e308 * 10 AS d, 5e-324 AS e",
} as const;

export const ROUNDING = {
  "round to a digit":
    "SELECT round(2.345, 2) AS a, round(2.5) AS b, round(3.5) AS c, round(-2.5) AS d, round(1234.5, -2) AS e, round(1250, -2) AS f, round(0.5) AS g",
  "floor, ceil, trunc":
    "SELECT floor(2.7) AS a, floor(-2.7) AS b, ceil(2.1) AS c, ceil(-2.1) AS d, trunc(2.7) AS e, trunc(-2.7) AS f, floor(123.456, 1) AS g, ceil(123.456, 1) AS h, trunc(123.456, 2) AS i",
  roundBankers:
    "SELECT roundBankers(0.5) AS a, roundBankers(1.5) AS b, roundBankers(2.5) AS c, roundBankers(3.55, 1) AS d, roundBankers(10.35, 1) AS e",
  roundToExp2: "SELECT number AS n, roundToExp2(number) AS r FROM numbers(10) ORDER BY n",
  "roundDown to a list": "SELECT number AS n, roundDown(number, [0, 3, 6]) AS r FROM numbers(9) ORDER BY n",
  "round of NULL and of integers": "SELECT round(NULL) AS a, round(5) AS b, floor(5) AS c, ceil(5) AS d, round(1e20) AS e",
} as const;
