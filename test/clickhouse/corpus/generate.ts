import { type Random, randomOf } from "../random.ts";
import { generateExpression, type Scope } from "./generate-expression.ts";

/** The query that a seed stands for: valid, and with one result whatever the order in which an engine reads rows. */
export const generateQuery = (seed: number): string => {
  const random = randomOf(seed);
  return random.pick(FORMS)(random);
};

type Form = (random: Random) => string;

const EVENTS: Scope = {
  number: [
    "toFloat(properties.price)",
    "properties.quantity",
    "properties.amount",
    "toHour(timestamp)",
    "toMonth(timestamp)",
    "toDayOfMonth(timestamp)",
    "length(event)",
    "lengthUTF8(ifNull(properties.label, ''))",
    "toInt(properties.mixed)",
    "JSONLength(properties, 'tags')",
  ],
  text: [
    "event",
    "distinct_id",
    "properties.$browser",
    "properties.$os",
    "properties.plan",
    "properties.label",
    "properties.$pathname",
    "properties.mixed",
  ],
  date: ["toDate(timestamp)", "toDate(created_at)", "toStartOfMonth(timestamp)", "toStartOfWeek(timestamp)"],
  bool: ["properties.active", "event = '$pageview'", "properties.plan IS NULL", "toYear(timestamp) = 2026"],
  array: [
    "JSONExtract(ifNull(properties.tags, '[]'), 'Array(String)')",
    "splitByChar('/', ifNull(properties.$pathname, ''))",
    "splitByChar(' ', ifNull(properties.label, ''))",
  ],
};

const NUMBERS: Scope = {
  number: ["number", "number * 3", "number % 4", "toFloat(number) / 4", "nullIf(number, 2)"],
  text: ["toString(number)", "concat('n', toString(number))", "if(number % 2 = 0, 'even', 'odd')", "nullIf(toString(number), '3')"],
  date: ["toDate('2026-03-27') + number", "addMonths(toDate('2026-01-31'), number)", "addDays(toDate('1970-01-01'), number * 100)"],
  bool: ["number > 3", "number % 2 = 1"],
  array: ["arrayMap(x -> toString(x), range(number))", "['a', 'b', toString(number)]", "splitByChar('1', toString(number * 7))"],
};

const list = (random: Random, least: number, most: number, item: (index: number) => string): string =>
  Array.from({ length: least + random.below(most - least + 1) }, (_, index) => item(index)).join(", ");

const any = (random: Random, scope: Scope): string =>
  generateExpression(random, random.pick(["number", "text", "date", "bool", "array"] as const), scope, 1 + random.below(4));

const bool = (random: Random, scope: Scope): string => generateExpression(random, "bool", scope, 1 + random.below(3));
const where = (random: Random): string => (random.chance(0.7) ? ` WHERE ${bool(random, EVENTS)}` : "");

/** A value to group by: of few values, and of one spelling. */
const key = (random: Random): string =>
  random.pick([
    "event",
    "properties.$browser",
    "properties.$os",
    "properties.plan",
    "toMonth(timestamp)",
    "toStartOfMonth(timestamp)",
    "toDayOfWeek(timestamp)",
    "properties.active",
    generateExpression(random, random.pick(["text", "bool", "date"] as const), EVENTS, 2),
  ]);

const textKey = (random: Random): string => random.pick(["event", "properties.$os", "properties.plan", "properties.$browser"]);

const aggregate = (random: Random, scope: Scope = EVENTS): string => {
  const number = (): string => generateExpression(random, "number", scope, 1 + random.below(3));
  const text = (): string => generateExpression(random, "text", scope, 1 + random.below(2));
  return random.pick([
    () => "count()",
    () => `count(${any(random, scope)})`,
    () => `countIf(${bool(random, scope)})`,
    () => `round(sum(${number()}), 4)`,
    () => `round(avg(${number()}), 4)`,
    () => `round(sumIf(${number()}, ${bool(random, scope)}), 4)`,
    () => `min(${random.pick([number, text])()})`,
    () => `max(${random.pick([number, text])()})`,
    () => `max(${generateExpression(random, "date", scope, 2)})`,
    () => `uniq(${text()})`,
    () => `uniqIf(${text()}, ${bool(random, scope)})`,
    () => `round(median(${number()}), 4)`,
    () => `round(quantile(0.9)(${number()}), 4)`,
    () => `arraySort(groupUniqArray(${text()}))`,
    () => `length(groupArray(${text()}))`,
    () => `round(stddevPop(${number()}), 4)`,
    () => `arraySum(groupArray(toInt(round(${number()}))))`,
  ])();
};

const FORMS: readonly Form[] = [
  (random) =>
    `SELECT number AS n, ${list(random, 2, 4, (index) => `${any(random, NUMBERS)} AS v${index}`)} FROM numbers(${3 + random.below(8)}) ORDER BY n`,
  (random) =>
    `SELECT uuid, ${list(random, 2, 4, (index) => `${any(random, EVENTS)} AS v${index}`)} FROM events${where(random)} ORDER BY timestamp, uuid LIMIT ${5 + random.below(20)}`,
  (random) =>
    `SELECT uuid, ${any(random, EVENTS)} AS v FROM events${where(random)} ORDER BY v${random.pick(["", " DESC", " DESC NULLS FIRST"])}, timestamp, uuid LIMIT ${5 + random.below(15)} OFFSET ${random.below(9)}`,
  (random) => `SELECT ${list(random, 2, 5, (index) => `${aggregate(random)} AS a${index}`)} FROM events${where(random)}`,
  (random) =>
    `SELECT ${key(random)} AS k, ${list(random, 1, 3, (index) => `${aggregate(random)} AS a${index}`)} FROM events${where(random)} GROUP BY k ORDER BY k LIMIT 40`,
  (random) =>
    `SELECT ${key(random)} AS k, ${key(random)} AS l, ${aggregate(random)} AS a FROM events${where(random)} GROUP BY k, l HAVING count() > ${random.below(20)} ORDER BY k, l LIMIT 40`,
  (random) => `SELECT DISTINCT ${key(random)} AS k, ${key(random)} AS l FROM events${where(random)} ORDER BY k, l LIMIT 40`,
  (random) =>
    `SELECT count() AS n, round(avg(a), 4) AS mean, max(a) AS most FROM (SELECT ${key(random)} AS k, ${random.pick(["count()", "uniq(distinct_id)", `countIf(${bool(random, EVENTS)})`])} AS a FROM events${where(random)} GROUP BY k)`,
  (random) =>
    `WITH few AS (SELECT distinct_id AS who, ${aggregate(random)} AS a, count() AS n FROM events${where(random)} GROUP BY who) SELECT who, a, n FROM few WHERE n > ${random.below(30)} ORDER BY n DESC, who LIMIT 20`,
  (random) =>
    `SELECT e.event AS event, ${list(random, 1, 2, (index) => `${random.pick(["count()", "sum(b.n)", "max(b.n)", "uniq(b.who)", "countIf(b.n > 20)"])} AS a${index}`)} FROM events AS e ${random.pick(["INNER", "LEFT"])} JOIN (SELECT distinct_id AS who, count() AS n FROM events${where(random)} GROUP BY who) AS b ON b.who = e.distinct_id GROUP BY event ORDER BY event`,
  (random) =>
    `SELECT a.number AS x, b.number AS y, ${generateExpression(random, "number", { ...NUMBERS, number: ["a.number", "b.number", "a.number * b.number"], bool: ["a.number > b.number"], text: ["toString(a.number)", "toString(b.number)"], date: ["toDate('2026-01-01') + b.number"], array: ["['x', toString(a.number)]"] }, 3)} AS v FROM numbers(4) AS a CROSS JOIN numbers(3) AS b ORDER BY x, y`,
  (random) =>
    `SELECT uuid, distinct_id, ${random.pick(["row_number()", "count()", "sum(length(event))", "max(length(event))", "first_value(event)", "lagInFrame(event)"])} OVER (PARTITION BY ${random.pick(["distinct_id", "event", "toMonth(timestamp)"])} ORDER BY timestamp, uuid ROWS BETWEEN ${random.pick(["UNBOUNDED PRECEDING", "2 PRECEDING"])} AND CURRENT ROW) AS w FROM events${where(random)} ORDER BY timestamp, uuid LIMIT 30`,
  (random) =>
    `SELECT k, a, sum(a) OVER (ORDER BY k) AS running, rank() OVER (ORDER BY a DESC) AS place FROM (SELECT ${random.pick(["event", "toMonth(timestamp)", "toDayOfWeek(timestamp)", "distinct_id"])} AS k, ${random.pick(["count()", "uniq(distinct_id)", `countIf(${bool(random, EVENTS)})`])} AS a FROM events${where(random)} GROUP BY k) ORDER BY k LIMIT 30`,
  (random) =>
    `SELECT ${random.pick(["event", "distinct_id", "toMonth(timestamp)"])} AS k, uuid, ${any(random, EVENTS)} AS v FROM events${where(random)} ORDER BY timestamp, uuid LIMIT ${1 + random.below(3)} BY k LIMIT 30`,
  (random) =>
    `SELECT kind, sum(n) AS total FROM (SELECT 'a' AS kind, ${random.pick(["count()", "uniq(event)"])} AS n FROM events${where(random)} UNION ALL SELECT 'b' AS kind, count() AS n FROM events${where(random)}) GROUP BY kind ORDER BY kind`,
  (random) =>
    `SELECT k, count() AS n FROM (SELECT ${textKey(random)} AS k FROM events${where(random)} ${random.pick(["INTERSECT", "EXCEPT", "UNION DISTINCT"])} SELECT ${textKey(random)} AS k FROM events${where(random)}) GROUP BY k ORDER BY k`,
  (random) =>
    `SELECT part, count() AS n, uniq(uuid) AS events FROM (SELECT uuid, arrayJoin(${generateExpression(random, "array", EVENTS, 2)}) AS part FROM events${where(random)}) GROUP BY part ORDER BY part LIMIT 40`,
  (random) =>
    `SELECT n, x FROM (SELECT number AS n, ${generateExpression(random, "array", NUMBERS, 2)} AS xs FROM numbers(5)) ${random.pick(["", "LEFT "])}ARRAY JOIN xs AS x ORDER BY n, x`,
  (random) =>
    `SELECT person.properties.country AS country, ${aggregate(random)} AS a FROM events${where(random)} GROUP BY country ORDER BY country`,
  (random) =>
    `SELECT event, count() AS n FROM events WHERE distinct_id ${random.pick(["IN", "NOT IN"])} (SELECT distinct_id FROM events WHERE ${bool(random, EVENTS)}) GROUP BY event ORDER BY n DESC, event`,
];
