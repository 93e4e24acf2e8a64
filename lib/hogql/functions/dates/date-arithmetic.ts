import { DAY_US } from "../../../core/time.ts";
import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression, sqlTrees } from "../../analysis/expression.ts";
import { localDay } from "../../calendar.ts";
import { QueryError } from "../../errors.ts";
import { shiftByInterval } from "../../operators/arithmetic.ts";
import { NULL_SQL, numeral, type Sql, sql } from "../../sql/fragment.ts";
import { asDate, asTimestamp, fromLocal, fromMicros, localMicros, micros, naive, spansSql, zoneFor } from "../../time/time-sql.ts";
import { timeZone } from "../../time-zone.ts";
import { DATE, DATETIME, DATETIME64, INT64, STRING, UNITS, type Unit } from "../../types.ts";
import { toTimestamp } from "../casts/cast.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import { findUnit, floorToDay } from "./date-floor.ts";
import { FORMAT_DATE_TIME, formatDate } from "./format-date.ts";

const missing = (context: LoweringContext): Expression => context.known(null, DATETIME);

const asInterval = (amount: Expression, unit: Unit): Expression => ({ ...amount, type: { kind: "interval", unit } });

const plural = (unit: Unit): string => `${unit[0]?.toUpperCase()}${unit.slice(1)}s`;

const shiftBy = (name: string, unit: Unit, op: "+" | "-"): Scalar => ({
  kind: "scalar",
  name,
  takes: ["time", "integer"],
  lower: ([value, amount], context) =>
    shiftByInterval(context, value ?? missing(context), asInterval(amount ?? missing(context), unit), op),
});

const interval = (unit: Unit): Scalar => ({
  kind: "scalar",
  name: `toInterval${plural(unit).slice(0, -1)}`,
  takes: ["integer"],
  lower: ([amount], context) => asInterval(amount ?? missing(context), unit),
});

/** `dateAdd(unit, n, x)`, also `dateAdd(x, INTERVAL n unit)`. */
const dateAdd = (name: string, op: "+" | "-", ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["any", "any", "any"],
  optional: 1,
  lower: ([first, second, third], context) => {
    if (third !== undefined)
      return shiftByInterval(
        context,
        timestampOrDate(context, third),
        asInterval(second ?? missing(context), findUnit(first?.known, name)),
        op,
      );
    if (second?.type.kind !== "interval")
      throw new QueryError("illegal_type_of_argument", `\`${name}\` takes a unit, a number and a time, or a time and an interval.`);
    return shiftByInterval(context, timestampOrDate(context, first ?? missing(context)), second, op);
  },
});

const timestampOrDate = (context: LoweringContext, value: Expression): Expression =>
  value.type.kind === "date" ? value : asTimestamp(context, asTime(context, value));

const asTime = (context: LoweringContext, value: Expression): Expression =>
  value.type.kind === "datetime" || value.type.kind === "date" ? value : toTimestamp(context, value);

const MICROS: Partial<Record<Unit, bigint>> = { second: 1_000_000n, minute: 60_000_000n, hour: 3_600_000_000n };

/** Numbers a time's unit since 1970, days and longer ones on the wall clock, so that the difference of two counts the boundaries between them. */
const ordinal = (context: LoweringContext, value: Expression, unit: Unit): Sql => {
  const span = MICROS[unit];
  if (span !== undefined) {
    const timestamp = asTimestamp(context, value);
    return spansSql(context, { micros: micros(timestamp), timestamp }, span);
  }
  const date = asDate(context, value);
  switch (unit) {
    case "week":
      return sql`((${floorToDay(context, date, "week", 1).tree} - DATE '1970-01-05') // 7)`;
    case "month":
      return sql`(year(${date.tree}) * 12 + month(${date.tree}))`;
    case "quarter":
      return sql`(year(${date.tree}) * 4 + quarter(${date.tree}))`;
    case "year":
      return sql`year(${date.tree})`;
    default:
      return sql`(${date.tree} - DATE '1970-01-01')`;
  }
};

/** Units below a second, in microseconds. */
const FINE: ReadonlyMap<string, bigint> = new Map([
  ["millisecond", 1000n],
  ["milliseconds", 1000n],
  ["ms", 1000n],
  ["microsecond", 1n],
  ["microseconds", 1n],
  ["us", 1n],
]);

const dateDiff: Scalar = {
  kind: "scalar",
  name: "dateDiff",
  aliases: ["date_diff", "timestampDiff", "timestamp_diff"],
  anyCase: true,
  takes: ["constant text", "time", "time", "constant text"],
  optional: 1,
  lower: ([unit, from, to, zone], context) => {
    const fine = FINE.get(String(unit?.known).toLowerCase());
    const by = fine === undefined ? findUnit(unit?.known, "dateDiff") : "second";
    const [a, b] = timesIn(context, [from, to], zone, by);
    if (fine !== undefined) {
      const spans = (value: Expression): Sql =>
        spansSql(context, { micros: micros(asTimestamp(context, value)), timestamp: asTimestamp(context, value) }, fine);
      return derive(sql`(${spans(b)} - ${spans(a)})`, INT64, [a, b]);
    }
    return derive(sql`(${ordinal(context, b, by)} - ${ordinal(context, a, by)})`, INT64, [a, b]);
  },
};

/** Months whose day and time of day have been reached again: from the 31st of January, a month is over on the 1st of March. */
const fullMonths = (a: Sql, b: Sql): Sql => {
  const months = sql`((year(${b}) - year(${a})) * 12 + month(${b}) - month(${a}))`;
  const into = (text: Sql): Sql => sql`(${text} - date_trunc('month', ${text}))`;
  return sql`(${months} - CASE WHEN ${months} > 0 AND ${into(b)} < ${into(a)} THEN 1 WHEN ${months} < 0 AND ${into(b)} > ${into(a)} THEN -1 ELSE 0 END)`;
};

/** Two times on the wall clock of the zone, if one is named. Below a day, a date is its midnight there; a day is the same one everywhere. */
const timesIn = (
  context: LoweringContext,
  [from, to]: readonly [Expression | undefined, Expression | undefined],
  zone: Expression | undefined,
  by: Unit,
): readonly [Expression, Expression] => {
  const inIt = (given: Expression | undefined): Expression => {
    const value = given ?? missing(context);
    if (typeof zone?.known !== "string" || value.type.kind !== "date" || MICROS[by] === undefined) return inZone(value, zone);
    const place = timeZone(zone.known);
    return derive(fromLocal(context, place, sql`epoch_us(${value.tree})`), { kind: "datetime", digits: 0, zone: place.name }, [value]);
  };
  return [inIt(from), inIt(to)];
};

/** The wall clock's reading as a TIMESTAMP: of a date, its midnight, for which no zone needs to be asked. */
const wallClock = (context: LoweringContext, value: Expression): Sql =>
  value.type.kind === "date" ? sql`CAST(${value.tree} AS TIMESTAMP)` : naive(context, value);

/** Full units between two times: hours and less are what has passed, whatever clocks were set to; days and more are those of the wall clock. */
const age: Scalar = {
  kind: "scalar",
  name: "age",
  takes: ["constant text", "time", "time", "constant text"],
  optional: 1,
  lower: ([unit, from, to, zone], context) => {
    const by = findUnit(unit?.known, "age");
    const [a, b] = timesIn(context, [from, to], zone, by);
    const span = MICROS[by];
    if (span !== undefined)
      return derive(sql`((${micros(asTimestamp(context, b))} - ${micros(asTimestamp(context, a))}) // ${numeral(span)})`, INT64, [a, b]);
    const days = by === "day" ? 1n : by === "week" ? 7n : undefined;
    if (days !== undefined)
      return derive(sql`((epoch_us(${wallClock(context, b)}) - epoch_us(${wallClock(context, a)})) // ${numeral(days * DAY_US)})`, INT64, [
        a,
        b,
      ]);
    return derive(
      sql`(${fullMonths(wallClock(context, a), wallClock(context, b))} // ${numeral(by === "year" ? 12 : by === "quarter" ? 3 : 1)})`,
      INT64,
      [a, b],
    );
  },
};

const inZone = (value: Expression, zone: Expression | undefined): Expression =>
  typeof zone?.known === "string" && value.type.kind === "datetime"
    ? { ...value, type: { ...value.type, zone: timeZone(zone.known).name } }
    : value;

const now = (name: string, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["constant text"],
  optional: 1,
  lower: ([zone], context) => {
    const second = (context.askNow() / 1_000_000n) * 1_000_000n;
    return inZone(context.known(second, DATETIME), zone);
  },
});

const dayFromNow = (name: string, days: bigint, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: [],
  lower: (_, context) => context.known(localDay(context.askNow() + days * DAY_US, context.zone), DATE),
});

/** A number of units since 1970 as a time. */
const fromUnix = (name: string, size: bigint, digits: 0 | 3 | 6, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["number", "constant text", "constant text"],
  optional: 2,
  lower: ([value, second, zone], context) => {
    const number = value ?? missing(context);
    if (typeof second?.known === "string" && second.known.includes("%"))
      return formatDate(context, inZone(fromUnix(name, size, digits).lower([number], context), zone), second.known);
    const place = typeof second?.known === "string" ? { zone: timeZone(second.known).name } : {};
    const type = { kind: "datetime", digits, ...place } as const;
    if (typeof number.known === "bigint") return context.known(number.known * size, type);
    return derive(fromMicros(sql`CAST(${number.tree} AS BIGINT) * ${numeral(size)}`), type, [number]);
  },
});

/** Days beyond a month's end run on into the next; a month or day that no calendar has gives the first of 1970. */
const dayOf3 = (year: Sql, month: Sql, day: Sql): Sql =>
  sql`(CASE WHEN ${year} IS NULL OR ${month} IS NULL OR ${day} IS NULL THEN NULL WHEN ${year} BETWEEN 1970 AND 9999 AND ${month} BETWEEN 1 AND 12 AND ${day} BETWEEN 1 AND 31 THEN make_date(${year}, ${month}, 1) + CAST(${day} - 1 AS INTEGER) ELSE DATE '1970-01-01' END)`;

const dayOfYear = (year: Sql, day: Sql): Sql =>
  sql`(CASE WHEN ${year} IS NULL OR ${day} IS NULL THEN NULL WHEN ${year} BETWEEN 1970 AND 9999 AND ${day} BETWEEN 1 AND 366 THEN make_date(${year}, 1, 1) + CAST(${day} - 1 AS INTEGER) ELSE DATE '1970-01-01' END)`;

export const DATE_ARITHMETIC: readonly FunctionSpec[] = [
  now("now", "NOW", "nowInBlock"),
  {
    kind: "scalar",
    name: "now64",
    takes: ["constant integer", "constant text"],
    optional: 2,
    lower: (_, context) => context.known(context.askNow(), DATETIME64),
  },
  dayFromNow("today", 0n, "current_date"),
  dayFromNow("yesterday", -1n),
  dateAdd("dateAdd", "+", "date_add", "timeStampAdd", "timestamp_add", "timestampAdd"),
  dateAdd("dateSub", "-", "date_sub", "timeStampSub", "timestamp_sub", "timestampSub"),
  dateDiff,
  age,
  ...UNITS.map((unit) => shiftBy(`add${plural(unit)}`, unit, "+")),
  ...UNITS.map((unit) => shiftBy(`subtract${plural(unit)}`, unit, "-")),
  ...UNITS.map(interval),
  {
    kind: "scalar",
    name: "toTimeZone",
    aliases: ["toTimezone"],
    takes: ["timestamp", "constant text"],
    lower: ([timestamp, zone], context) => inZone(timestamp ?? missing(context), zone),
  },
  {
    kind: "scalar",
    name: "timeZoneOffset",
    aliases: ["timezoneOffset"],
    takes: ["timestamp"],
    lower: ([timestamp], context) => {
      const value = timestamp ?? missing(context);
      return derive(sql`((${localMicros(context, value)} - ${micros(value)}) // 1000000)`, INT64, [value]);
    },
  },
  {
    kind: "scalar",
    name: "timeZone",
    aliases: ["timezone", "serverTimezone"],
    takes: [],
    lower: (_, context) => context.known(context.zone.name, STRING),
  },
  {
    kind: "scalar",
    name: "timeZoneOf",
    aliases: ["timezoneOf"],
    takes: ["timestamp"],
    lower: ([timestamp], context) => context.known(zoneFor(context, timestamp?.type ?? DATETIME).name, STRING),
  },
  fromUnix("fromUnixTimestamp", 1_000_000n, 0, "FROM_UNIXTIME"),
  fromUnix("fromUnixTimestamp64Milli", 1_000n, 3),
  fromUnix("fromUnixTimestamp64Micro", 1n, 6),
  FORMAT_DATE_TIME,
  scalar({
    name: "makeDate",
    aliases: ["makeDate32"],
    takes: ["integer", "integer", "integer"],
    optional: 1,
    type: DATE,
    sql: (year, month, day) => (day === undefined ? dayOfYear(year, month) : dayOf3(year, month, day)),
  }),
  {
    kind: "scalar",
    name: "makeDateTime",
    takes: ["integer", "integer", "integer", "integer", "integer", "integer", "constant text"],
    optional: 1,
    lower: ([year, month, day, hour, minute, second, zone], context) => {
      const parts = [year, month, day, hour, minute, second].map((part) => part ?? missing(context));
      const [y = NULL_SQL, m = NULL_SQL, d = NULL_SQL, h = NULL_SQL, i = NULL_SQL, s = NULL_SQL] = sqlTrees(parts);
      const local = sql`(CAST(${dayOf3(y, m, d)} - DATE '1970-01-01' AS BIGINT) * 86400 + ${h} * 3600 + ${i} * 60 + ${s}) * 1000000`;
      const place = typeof zone?.known === "string" ? timeZone(zone.known) : context.zone;
      const type =
        typeof zone?.known === "string" ? { ...DATETIME, kind: "datetime" as const, digits: 0 as const, zone: place.name } : DATETIME;
      return derive(fromLocal(context, place, local), type, parts);
    },
  },
  {
    kind: "scalar",
    name: "UUIDv7ToDateTime",
    takes: ["text", "constant text"],
    optional: 1,
    lower: ([uuid], context) => {
      const value = uuid ?? missing(context);
      const millis = sql`CAST('0x' || left(replace(CAST(${value.tree} AS VARCHAR), '-', ''), 12) AS BIGINT)`;
      return derive(fromMicros(sql`${millis} * 1000`), { kind: "datetime", digits: 3 }, [value]);
    },
  },
];
