import type { Random } from "../random.ts";

export type Kind = "number" | "text" | "date" | "bool" | "array";

/** Expressions without parts, by type: fields, and what is made of one. Arrays are of texts; only arrays are never NULL. */
export type Scope = Readonly<Record<Kind, readonly string[]>>;

/**
 * An expression of a type, nested at most so deep. Nothing in it fails over any value: divisors are constants, numbers stay small
 * enough not to wrap, sides of a choice have one type, and dates stay within 1970 to 2149.
 */
export const generateExpression = (random: Random, kind: Kind, scope: Scope, depth: number): string => {
  if (depth <= 0) return random.chance(0.8) ? random.pick(scope[kind]) : random.pick(CONSTANTS[kind]);
  const of = (part: Kind): string => generateExpression(random, part, scope, depth - 1 - random.below(2));
  return random.pick(RULES[kind])(of, random);
};

type Rule = (of: (part: Kind) => string, random: Random) => string;

const CONSTANTS: Readonly<Record<Kind, readonly string[]>> = {
  number: ["0", "1", "7", "-3", "2.5", "100"],
  text: ["''", "'a'", "'Chrome'", "'größe'", "'free'", "'日本'"],
  date: ["toDate('1970-01-01')", "toDate('2026-03-29')", "toDate('2100-02-28')", "toDate('2028-02-29')"],
  bool: ["1 = 1", "1 = 2"],
  array: ["['a', 'b', 'a']", "['é', '']", "emptyArrayString()"],
};

const digit = (random: Random): number => 1 + random.below(9);

const NUMBER: readonly Rule[] = [
  (of, random) => `(${of("number")} ${random.pick(["+", "-"])} ${of("number")})`,
  (of, random) => `(${of("number")} * ${digit(random)})`,
  (of, random) => `round(${of("number")} / ${digit(random)}, 4)`,
  (of, random) => `(toInt(${of("number")}) % ${digit(random)})`,
  (of, random) => `intDiv(toInt(${of("number")}), ${digit(random)})`,
  (of) => `abs(${of("number")})`,
  (of) => `floor(${of("number")})`,
  (of) => `ceil(${of("number")})`,
  (of) => `if(${of("bool")}, toFloat(${of("number")}), toFloat(${of("number")}))`,
  (of) => `coalesce(toFloat(${of("number")}), 0)`,
  (of) => `ifNull(toInt(${of("number")}), -1)`,
  (of) => `nullIf(${of("number")}, 1)`,
  (of) => `length(${of("text")})`,
  (of) => `lengthUTF8(${of("text")})`,
  (of) => `length(${of("array")})`,
  (of) => `position(ifNull(${of("text")}, ''), 'e')`,
  (of) => `indexOf(${of("array")}, 'a')`,
  (of) => `arraySum(x -> length(x), ${of("array")})`,
  (of) => `arrayCount(x -> x = 'a', ${of("array")})`,
  (of, random) =>
    `${random.pick(["toYear", "toMonth", "toDayOfMonth", "toDayOfWeek", "toDayOfYear", "toQuarter", "toISOWeek"])}(${of("date")})`,
  (of, random) => `dateDiff('${random.pick(["day", "week", "month", "quarter", "year"])}', ${of("date")}, toDate('2026-06-30'))`,
  (of) => `multiIf(${of("bool")}, toFloat(${of("number")}), ${of("bool")}, 2, 3)`,
  (of) => `toInt(${of("text")})`,
  (of) => `toFloat(${of("text")})`,
  (of) => `pow(toInt(${of("number")}) % 10, 2)`,
  (of) => `countSubstrings(ifNull(${of("text")}, ''), 'a')`,
];

const TEXT: readonly Rule[] = [
  (of) => `lower(${of("text")})`,
  (of) => `upper(${of("text")})`,
  (of) => `concat(${of("text")}, '-', ${of("text")})`,
  (of) => `ifNull(${of("text")}, 'none')`,
  (of) => `coalesce(${of("text")}, ${of("text")}, '?')`,
  (of) => `if(${of("bool")}, ${of("text")}, ${of("text")})`,
  (of) => `multiIf(${of("bool")}, 'one', ${of("bool")}, 'two', 'three')`,
  (of) => `toString(${of("date")})`,
  (of) => `toString(toInt(${of("number")}))`,
  (of) => `replaceAll(${of("text")}, 'e', '3')`,
  (of) => `replaceRegexpAll(ifNull(${of("text")}, ''), '[aeiou]', '_')`,
  (of) => `extract(ifNull(${of("text")}, ''), '([a-z]+)')`,
  (of) => `arrayStringConcat(${of("array")}, '|')`,
  (of) => `arrayElement(${of("array")}, 1)`,
  (of) => `${of("array")}[-1]`,
  (of) => `nullIf(${of("text")}, '')`,
  (of) => `trim(${of("text")})`,
  (of, random) => `leftPad(ifNull(toString(toInt(${of("number")})), ''), ${3 + random.below(4)}, '0')`,
  (of, random) => `formatDateTime(${of("date")}, '${random.pick(["%Y-%m-%d", "%d.%m.%Y", "%Y", "%m/%y"])}')`,
  (of) => `CASE WHEN ${of("bool")} THEN ${of("text")} ELSE 'else' END`,
];

const DATE: readonly Rule[] = [
  (of, random) => `(${of("date")} + ${digit(random)})`,
  (of, random) =>
    `(greatest(${of("date")}, toDate('2026-01-01')) - INTERVAL ${digit(random)} ${random.pick(["DAY", "WEEK", "MONTH", "YEAR"])})`,
  (of, random) => `${random.pick(["addDays", "addWeeks", "addMonths", "addQuarters", "addYears"])}(${of("date")}, ${digit(random)})`,
  (of, random) =>
    `${random.pick(["toStartOfMonth", "toStartOfWeek", "toMonday", "toStartOfQuarter", "toStartOfYear", "toLastDayOfMonth"])}(${of("date")})`,
  (of) => `if(${of("bool")}, ${of("date")}, ${of("date")})`,
  (of) => `greatest(${of("date")}, toDate('2026-01-01'))`,
  (of) => `coalesce(${of("date")}, toDate('2026-01-01'))`,
];

const BOOL: readonly Rule[] = [
  (of, random) => `(${of("number")} ${random.pick(["=", "!=", "<", ">", "<=", ">="])} ${of("number")})`,
  (of, random) => `(${of("text")} ${random.pick(["=", "!="])} ${of("text")})`,
  (of, random) => `(${of("date")} ${random.pick(["=", "<", ">="])} ${of("date")})`,
  (of, random) => `(${of("bool")} ${random.pick(["AND", "OR"])} ${of("bool")})`,
  (of) => `(NOT ${of("bool")})`,
  (of) => `isNull(${of("text")})`,
  (of) => `isNotNull(${of("number")})`,
  (of) => `has(${of("array")}, 'a')`,
  (of) => `empty(${of("array")})`,
  (of) => `startsWith(ifNull(${of("text")}, ''), 'C')`,
  (of, random) => `(${of("text")} ${random.pick(["LIKE", "NOT LIKE", "ILIKE"])} '%${random.pick(["a", "e", "o", "1"])}%')`,
  (of, random) => `(${of("text")} ${random.pick(["IN", "NOT IN"])} ('Chrome', 'free', 'a', 'click'))`,
  (of) => `(${of("number")} BETWEEN 1 AND 50)`,
  (of) => `match(ifNull(${of("text")}, ''), '^[a-m]')`,
  (of) => `arrayExists(x -> x = 'b', ${of("array")})`,
  (of) => `arrayAll(x -> length(x) > 0, ${of("array")})`,
  (of) => `(${of("date")} > '2026-03-01')`,
];

const ARRAY: readonly Rule[] = [
  (of) => `arrayMap(x -> upper(x), ${of("array")})`,
  (of) => `arrayMap(x -> concat(x, '!'), ${of("array")})`,
  (of) => `arrayFilter(x -> x != 'a', ${of("array")})`,
  (of) => `arrayFilter(x -> length(x) > 1, ${of("array")})`,
  (of) => `arrayConcat(${of("array")}, ${of("array")})`,
  (of) => `arrayDistinct(${of("array")})`,
  (of) => `arraySort(${of("array")})`,
  (of) => `arrayReverse(${of("array")})`,
  (of, random) => `arraySlice(${of("array")}, ${random.pick([1, 2, -1, -2])}, ${1 + random.below(3)})`,
  (of) => `arrayPushBack(${of("array")}, ifNull(${of("text")}, ''))`,
  (of) => `splitByChar('e', ifNull(${of("text")}, ''))`,
  (of) => `arrayCompact(${of("array")})`,
  (of) => `if(${of("bool")}, ${of("array")}, ${of("array")})`,
];

const RULES: Readonly<Record<Kind, readonly Rule[]>> = { number: NUMBER, text: TEXT, date: DATE, bool: BOOL, array: ARRAY };
