import { type Expression, made } from "../expression.ts";
import type { Run } from "../run.ts";
import { asDate, intoSpanSql, localMicros, micros, naive, spansSql } from "../time-sql.ts";
import { INT64, STRING, type Type, UINT8, UINT16, UINT32 } from "../types.ts";
import type { FunctionSpec, Scalar } from "./spec.ts";

const missing = (run: Run): Expression => run.known(null, INT64);

/** A part of the calendar day, read from a DATE. */
const dayPart = (name: string, type: Type, sql: (date: string) => string, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["date"],
  lower: ([date], run) => made(sql((date ?? missing(run)).sql), type, [date ?? missing(run)]),
});

const DAY = 86_400_000_000n;
const HOUR = 3_600_000_000n;
const MINUTE = 60_000_000n;
const SECOND = 1_000_000n;

/** A part of the wall clock's reading, from its microseconds within the day. */
const clockPart = (name: string, within: bigint, size: bigint, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["stamp"],
  lower: ([stamp], run) => {
    const value = stamp ?? missing(run);
    const local = localMicros(run, value);
    return made(`(${intoSpanSql(run, { micros: local, stamp: value }, within)} // ${size})`, UINT8, [value]);
  },
});

/** The day of the week from 1 on Monday; modes 1 and 3 count from 0, modes 2 and 3 from Sunday. */
const dayOfWeek = (date: string, mode: number): string => {
  const monday = `isodow(${date})`;
  switch (mode) {
    case 1:
      return `(${monday} - 1)`;
    case 2:
      return `(${monday} % 7 + 1)`;
    case 3:
      return `(${monday} % 7)`;
    default:
      return monday;
  }
};

/** Weeks of a year as MySQL and ClickHouse number them; mode 0: from the first Sunday on, mode 1: ISO but with a week 0. */
const week = (date: string, mode: number): string => {
  const sunday = mode % 2 === 0;
  if (mode === 3) return `week(${date})`;
  const start = sunday ? "%U" : "%W";
  if (mode === 1) {
    const first = `isodow(make_date(year(${date}), 1, 1))`;
    return `(CAST(strftime(${date}, '%W') AS BIGINT) + CASE WHEN ${first} BETWEEN 2 AND 4 THEN 1 ELSE 0 END)`;
  }
  return `CAST(strftime(${date}, '${start}') AS BIGINT)`;
};

const withMode = (name: string, type: Type, sql: (date: string, mode: number) => string, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["date", "constant number", "constant text"],
  optional: 2,
  lower: ([date, mode], run) => made(sql((date ?? missing(run)).sql, Number(mode?.known ?? 0)), type, [date ?? missing(run)]),
});

/** Whole seconds, milliseconds or microseconds since 1970, cut down. */
const unix = (name: string, size: bigint): Scalar => ({
  kind: "scalar",
  name,
  takes: ["stamp", "constant text"],
  optional: 1,
  lower: ([stamp], run) => {
    const value = stamp ?? missing(run);
    const text = micros(run, value);
    return made(spansSql(run, { micros: text, stamp: value }, size), INT64, [value]);
  },
});

const formatted = (name: string, type: Type, format: string): Scalar => ({
  kind: "scalar",
  name,
  takes: ["stamp"],
  lower: ([stamp], run) =>
    made(`CAST(strftime(${naive(run, stamp ?? missing(run))}, '${format}') AS BIGINT)`, type, [stamp ?? missing(run)]),
});

const UINT64: Type = { kind: "integer", name: "UInt64" };

export const DATE_PARTS: readonly FunctionSpec[] = [
  dayPart("toYear", UINT16, (date) => `year(${date})`, "year"),
  dayPart("toQuarter", UINT8, (date) => `quarter(${date})`, "quarter"),
  dayPart("toMonth", UINT8, (date) => `month(${date})`, "month"),
  dayPart("toISOWeek", UINT8, (date) => `week(${date})`),
  dayPart("toISOYear", UINT16, (date) => `isoyear(${date})`),
  dayPart("toDayOfYear", UINT16, (date) => `dayofyear(${date})`, "dayOfYear"),
  dayPart("toDayOfMonth", UINT8, (date) => `day(${date})`, "dayOfMonth", "day"),
  dayPart("toYYYYMM", UINT32, (date) => `(year(${date}) * 100 + month(${date}))`),
  dayPart("toYYYYMMDD", UINT32, (date) => `(year(${date}) * 10000 + month(${date}) * 100 + day(${date}))`),
  withMode("toDayOfWeek", UINT8, dayOfWeek, "dayOfWeek"),
  withMode("toWeek", UINT8, week, "week"),
  clockPart("toHour", DAY, HOUR, "hour"),
  clockPart("toMinute", HOUR, MINUTE, "minute"),
  clockPart("toSecond", MINUTE, SECOND, "second"),
  unix("toUnixTimestamp", SECOND),
  unix("toUnixTimestamp64Milli", 1000n),
  unix("toUnixTimestamp64Micro", 1n),
  formatted("toYYYYMMDDhhmmss", UINT64, "%Y%m%d%H%M%S"),
  {
    kind: "scalar",
    name: "dateName",
    takes: ["constant text", "stamp"],
    lower: ([part, stamp], run) => {
      const value = stamp ?? missing(run);
      const format = NAMES.get(String(part?.known).toLowerCase());
      const date = asDate(run, value).sql;
      if (format === undefined)
        return made(`CAST(date_part(${run.bind(String(part?.known))}::VARCHAR, ${naive(run, value)}) AS VARCHAR)`, STRING, [value]);
      return made(`strftime(${date}, '${format}')`, STRING, [value]);
    },
  },
  {
    kind: "scalar",
    name: "monthName",
    takes: ["date"],
    lower: ([date], run) => made(`monthname(${(date ?? missing(run)).sql})`, STRING, [date ?? missing(run)]),
  },
];

const NAMES: ReadonlyMap<string, string> = new Map([
  ["year", "%Y"],
  ["month", "%B"],
  ["weekday", "%A"],
]);
