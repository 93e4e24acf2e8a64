import { DAY_US, HOUR_US } from "../../../core/time.ts";
import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { numeral, parameter, type Sql, sql } from "../../sql/fragment.ts";
import { asDate, intoSpanSql, localMicros, micros, naive, spansSql } from "../../time/time-sql.ts";
import { INT64, STRING, type Type, UINT8, UINT16, UINT32 } from "../../types.ts";
import type { FunctionSpec, Scalar } from "../spec.ts";

const missing = (context: LoweringContext): Expression => context.known(null, INT64);

/** A part of the calendar day, read from a DATE. */
const dayPart = (name: string, type: Type, tree: (date: Sql) => Sql, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["date"],
  lower: ([date], context) => derive(tree((date ?? missing(context)).tree), type, [date ?? missing(context)]),
});

const MINUTE = 60_000_000n;
const SECOND = 1_000_000n;

/** A part of the wall clock's reading, from its microseconds within the day. */
const clockPart = (name: string, within: bigint, size: bigint, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["timestamp"],
  lower: ([timestamp], context) => {
    const value = timestamp ?? missing(context);
    const local = localMicros(context, value);
    return derive(sql`(${intoSpanSql(context, { micros: local, timestamp: value }, within)} // ${numeral(size)})`, UINT8, [value]);
  },
});

/** The day of the week from 1 on Monday; modes 1 and 2 count from 0, modes 2 and 3 from Sunday. */
const dayOfWeek = (date: Sql, given: number): Sql => {
  const monday = sql`isodow(${date})`;
  switch (given % 4) {
    case 1:
      return sql`(${monday} - 1)`;
    case 2:
      return sql`(${monday} % 7)`;
    case 3:
      return sql`(${monday} % 7 + 1)`;
    default:
      return monday;
  }
};

/**
 * Weeks of a year as MySQL and ClickHouse number them. Bit 1 of the mode: weeks start on Monday. Bit 2: days before the first week
 * belong to the last one of the year before, instead of to week 0. Bit 4 turned by bit 1: the first week is the first whole one,
 * instead of the first with four days. Modes 8 and 9: the week of the 1st of January is the first.
 */
const weekAndYear = (date: Sql, mode: number): { readonly week: Sql; readonly year: Sql } => {
  const monday = mode % 2 === 1;
  const starts = (of: Sql): Sql => sql`(${of} - CAST(${monday ? sql`isodow(${of}) - 1` : sql`dayofweek(${of})`} AS INTEGER))`;
  if (mode >= 8) {
    const next = sql`make_date(year(${date}) + 1, 1, 1)`;
    const after = sql`${starts(date)} = ${starts(next)}`;
    const first = sql`make_date(year(${date}), 1, 1)`;
    return {
      week: sql`(CASE WHEN ${after} THEN 1 ELSE (${starts(date)} - ${starts(first)}) // 7 + 1 END)`,
      year: sql`(CASE WHEN ${after} THEN year(${date}) + 1 ELSE year(${date}) END)`,
    };
  }
  const whole = (mode >> 2) % 2 === (monday ? 1 : 0);
  /** The day from which the weeks of a year are counted. */
  const firstWeek = (year: Sql): Sql => {
    const january = sql`make_date(${year}, 1, ${numeral(whole ? 7 : 4)})`;
    return starts(january);
  };
  const year = sql`year(${date})`;
  const since = (from: Sql): Sql => sql`(${date} - ${from}) // 7 + 1`;
  const before = sql`${date} < ${firstWeek(year)}`;
  if ((mode >> 1) % 2 === 0) return { week: sql`(CASE WHEN ${before} THEN 0 ELSE ${since(firstWeek(year))} END)`, year };
  const after = sql`${date} >= ${firstWeek(sql`${year} + 1`)}`;
  return {
    week: sql`(CASE WHEN ${before} THEN ${since(firstWeek(sql`${year} - 1`))} WHEN ${after} THEN 1 ELSE ${since(firstWeek(year))} END)`,
    year: sql`(CASE WHEN ${before} THEN ${year} - 1 WHEN ${after} THEN ${year} + 1 ELSE ${year} END)`,
  };
};

const week = (date: Sql, mode: number): Sql => (mode === 3 ? sql`week(${date})` : weekAndYear(date, mode).week);

/** The year that the week belongs to, and the week; a week 0 is the last one of the year before. */
const yearWeek = (date: Sql, mode: number): Sql => {
  const { week: number, year } = weekAndYear(date, mode < 8 ? mode | 2 : mode);
  return sql`(${year} * 100 + ${number})`;
};

const withMode = (name: string, type: Type, tree: (date: Sql, mode: number) => Sql, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["date", "constant integer", "constant text"],
  optional: 2,
  lower: ([date, mode], context) =>
    derive(tree((date ?? missing(context)).tree, Number(mode?.known ?? 0)), type, [date ?? missing(context)]),
});

/** Whole seconds, milliseconds or microseconds since 1970, cut down. */
const unix = (name: string, size: bigint): Scalar => ({
  kind: "scalar",
  name,
  takes: ["timestamp", "constant text"],
  optional: 1,
  lower: ([timestamp], context) => {
    const value = timestamp ?? missing(context);
    const text = micros(value);
    return derive(spansSql(context, { micros: text, timestamp: value }, size), INT64, [value]);
  },
});

const scaled = (name: string, size: bigint): Scalar => ({
  kind: "scalar",
  name,
  takes: ["timestamp"],
  lower: ([timestamp], context) =>
    derive(sql`(${micros(timestamp ?? missing(context))} * ${numeral(size)})`, INT64, [timestamp ?? missing(context)]),
});

const formatted = (name: string, type: Type, format: Sql): Scalar => ({
  kind: "scalar",
  name,
  takes: ["timestamp"],
  lower: ([timestamp], context) =>
    derive(sql`CAST(strftime(${naive(context, timestamp ?? missing(context))}, '${format}') AS BIGINT)`, type, [
      timestamp ?? missing(context),
    ]),
});

const UINT64: Type = { kind: "integer", name: "UInt64" };

export const DATE_PARTS: readonly FunctionSpec[] = [
  dayPart("toYear", UINT16, (date) => sql`year(${date})`, "year"),
  dayPart("toQuarter", UINT8, (date) => sql`quarter(${date})`, "quarter"),
  dayPart("toMonth", UINT8, (date) => sql`month(${date})`, "month"),
  dayPart("toISOWeek", UINT8, (date) => sql`week(${date})`),
  dayPart("toISOYear", UINT16, (date) => sql`isoyear(${date})`),
  dayPart("toDayOfYear", UINT16, (date) => sql`dayofyear(${date})`, "dayOfYear"),
  dayPart("toDayOfMonth", UINT8, (date) => sql`day(${date})`, "dayOfMonth", "day"),
  dayPart("toYYYYMM", UINT32, (date) => sql`(year(${date}) * 100 + month(${date}))`),
  dayPart("toYYYYMMDD", UINT32, (date) => sql`(year(${date}) * 10000 + month(${date}) * 100 + day(${date}))`),
  withMode("toDayOfWeek", UINT8, dayOfWeek, "dayOfWeek"),
  withMode("toWeek", UINT8, week, "week"),
  withMode("toYearWeek", UINT32, yearWeek, "yearweek"),
  clockPart("toHour", DAY_US, HOUR_US, "hour"),
  clockPart("toMinute", HOUR_US, MINUTE, "minute"),
  clockPart("toSecond", MINUTE, SECOND, "second"),
  {
    kind: "scalar",
    name: "toUnixTimestamp",
    takes: ["time", "constant text"],
    optional: 1,
    lower: ([time], context) => {
      const value = time ?? missing(context);
      // A date counts from its midnight in UTC, whatever the project's zone.
      if (value.type.kind === "date") return derive(sql`((${value.tree} - DATE '1970-01-01') * 86400)`, UINT32, [value]);
      return derive(spansSql(context, { micros: micros(value), timestamp: value }, SECOND), UINT32, [value]);
    },
  },
  unix("toUnixTimestamp64Second", SECOND),
  unix("toUnixTimestamp64Milli", 1000n),
  unix("toUnixTimestamp64Micro", 1n),
  scaled("toUnixTimestamp64Nano", 1000n),
  clockPart("toMillisecond", SECOND, 1000n, "millisecond"),
  formatted("toYYYYMMDDhhmmss", UINT64, sql`%Y%m%d%H%M%S`),
  {
    kind: "scalar",
    name: "dateName",
    takes: ["constant text", "timestamp"],
    lower: ([part, timestamp], context) => {
      const value = timestamp ?? missing(context);
      const format = NAMES.get(String(part?.known).toLowerCase());
      const date = asDate(context, value).tree;
      if (format === undefined)
        return derive(sql`CAST(date_part(${parameter(String(part?.known))}::VARCHAR, ${naive(context, value)}) AS VARCHAR)`, STRING, [
          value,
        ]);
      return derive(sql`strftime(${date}, '${format}')`, STRING, [value]);
    },
  },
  {
    kind: "scalar",
    name: "monthName",
    takes: ["date"],
    lower: ([date], context) => derive(sql`monthname(${(date ?? missing(context)).tree})`, STRING, [date ?? missing(context)]),
  },
];

const NAMES: ReadonlyMap<string, Sql> = new Map([
  ["year", sql`%Y`],
  ["month", sql`%B`],
  ["weekday", sql`%A`],
]);
