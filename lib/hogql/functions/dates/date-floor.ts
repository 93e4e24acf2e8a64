import { DAY_US, HOUR_US } from "../../../core/time.ts";
import { QUARTER_US } from "../../../event/quarter-hours.ts";
import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { floorDay, floorDiv, floorTimestamp, localDay } from "../../calendar.ts";
import { QueryError } from "../../errors.ts";
import { numeral, parameter, sql } from "../../sql/fragment.ts";
import {
  asDate,
  asTimestamp,
  byQuarters,
  fromLocal,
  fromMicros,
  localMicros,
  micros,
  offset,
  shiftOrigin,
  spanStartSql,
  UNIT_SQL,
  zoneFor,
} from "../../time/time-sql.ts";
import { timeZone } from "../../time-zone.ts";
import { DATE, DATETIME, type Type, UNITS, type Unit } from "../../types.ts";
import type { FunctionSpec, Scalar } from "../spec.ts";

const longest = { week: 8n, month: 32n, quarter: 93n, year: 367n } as const;

/** A time without a fraction, in the zone of the value where it has one. */
const wholeSeconds = ({ type }: Expression): Type =>
  type.kind === "datetime" && type.zone !== undefined ? { kind: "datetime", digits: 0, zone: type.zone } : DATETIME;

/** The first day of a week, month, quarter or year. Weeks start on Sunday, with mode 1 on Monday. */
export const floorToDay = (
  context: LoweringContext,
  value: Expression,
  unit: "week" | "month" | "quarter" | "year",
  weekMode: 0 | 1,
): Expression => {
  const zone = zoneFor(context, value.type);
  if (typeof value.known === "bigint") {
    return context.known(floorDay(value.type.kind === "date" ? value.known : localDay(value.known, zone), unit, weekMode), DATE);
  }
  const date = asDate(context, value);
  const tree =
    unit === "week" && weekMode === 0
      ? sql`(${date.tree} - CAST(dayofweek(${date.tree}) AS INTEGER))`
      : sql`CAST(date_trunc('${UNIT_SQL[unit]}', ${date.tree}) AS DATE)`;
  return { ...derive(tree, DATE, [value]), ...shiftOrigin(date, longest[unit] * DAY_US) };
};

/** Midnight of the wall clock's day. */
const floorToMidnight = (context: LoweringContext, value: Expression): Expression => {
  const type = wholeSeconds(value);
  const exact = asTimestamp(context, value);
  const zone = zoneFor(context, exact.type);
  if (typeof exact.known === "bigint") return context.known(floorTimestamp(exact.known, "day", zone), type);
  const timestamp = byQuarters(exact, zone);
  const day = spanStartSql(context, { micros: localMicros(context, timestamp), timestamp }, DAY_US);
  return {
    ...derive(fromLocal(context, zone, day, timestamp.origin), type, [timestamp]),
    ...shiftOrigin(timestamp, DAY_US + HOUR_US * 3n),
  };
};

/** The start of a span of up to a day, such as 15 minutes or 6 hours, as a time of this type. */
export const floorToSpan = (context: LoweringContext, value: Expression, size: bigint, type = wholeSeconds(value)): Expression => {
  const exact = asTimestamp(context, value);
  const zone = zoneFor(context, exact.type);
  const timestamp = size % QUARTER_US === 0n ? byQuarters(exact, zone) : exact;
  // ClickHouse counts spans that are no whole hours from 1970 in UTC, also where the wall clock is minutes apart from it.
  const byWallClock = size % HOUR_US === 0n;
  if (typeof timestamp.known === "bigint") {
    const shift = byWallClock ? zone.offsetAt(timestamp.known) : 0n;
    const local = timestamp.known + shift;
    const into = local - floorDiv(local, DAY_US) * DAY_US;
    const start = byWallClock && DAY_US % size !== 0n ? local - (into % size) : floorDiv(local, size) * size;
    return context.known(start - shift, type);
  }
  const utc = micros(timestamp);
  const tree =
    byWallClock && zone.name !== "UTC"
      ? sql`${spanStartSql(context, { micros: localMicros(context, timestamp), timestamp }, size)} - ${offset(context, zone, timestamp, utc)}`
      : spanStartSql(context, { micros: utc, timestamp }, size);
  return { ...derive(fromMicros(tree), type, [timestamp]), ...shiftOrigin(timestamp, size) };
};

const missing = (context: LoweringContext): Expression => context.known(null, DATETIME);

/** With a zone as an argument, the value is read on that zone's wall clock. */
const inZone = (value: Expression, zone: Expression | undefined): Expression => {
  if (typeof zone?.known !== "string") return value;
  return value.type.kind === "datetime" ? { ...value, type: { ...value.type, zone: timeZone(zone.known).name } } : value;
};

const toDay = (name: string, unit: "week" | "month" | "quarter" | "year", ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["time", "constant text"],
  optional: 1,
  lower: ([value, zone], context) => floorToDay(context, inZone(value ?? missing(context), zone), unit, 1),
});

const toSpan = (name: string, size: bigint, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["time", "constant text"],
  optional: 1,
  lower: ([value, zone], context) => {
    const zoned = inZone(value ?? missing(context), zone);
    return floorToSpan(context, zoned, size);
  },
});

const SPANS: Partial<Record<Unit, bigint>> = { second: 1_000_000n, minute: 60_000_000n, hour: HOUR_US };
const MONTHS: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 };

const isCalendar = (unit: Unit): unit is "week" | "month" | "quarter" | "year" => unit === "week" || unit in MONTHS;

/** Spans of several units count from 1970: weeks from its first Monday, but months from 1900 and years from 0. */
const floorToInterval = (context: LoweringContext, value: Expression, count: bigint, unit: Unit): Expression => {
  if (count < 1n) throw new QueryError("invalid_input", "An interval to round to must be at least 1.");
  const span = SPANS[unit];
  if (span !== undefined) return floorToSpan(context, value, span * count);
  if (unit === "day" && count === 1n) return floorToMidnight(context, value);
  if (count === 1n && isCalendar(unit)) return floorToDay(context, value, unit, 1);
  const date = asDate(context, value);
  const size = parameter(count);
  const months = MONTHS[unit];
  if (months !== undefined) {
    const base = unit === "year" ? 0 : 1900;
    const number = sql`((year(${date.tree}) - ${numeral(base)}) * 12 + month(${date.tree}) - 1)`;
    const width = sql`(${size}::BIGINT * ${numeral(months)})`;
    const first = sql`(${number} // ${width} * ${width} + ${numeral((base - 1970) * 12)})`;
    return derive(sql`CAST(DATE '1970-01-01' + to_months(CAST(${first} AS INTEGER)) AS DATE)`, DATE, [date]);
  }
  const width = sql`(${size}::BIGINT * ${numeral(unit === "week" ? 7 : 1)})`;
  const epoch = unit === "week" ? sql`DATE '1970-01-05'` : sql`DATE '1970-01-01'`;
  const days = sql`(((${date.tree} - ${epoch}) + 1000000 * ${width}) // ${width} * ${width} - 1000000 * ${width})`;
  const floor = derive(sql`(${epoch} + CAST(${days} AS INTEGER))`, DATE, [date]);
  return unit === "day" ? asTimestamp(context, floor) : floor;
};

/** A unit by its name in the text, also in the plural. */
export const findUnit = (text: unknown, functionName: string): Unit => {
  const name = String(text).toLowerCase();
  const unit = UNITS.find((known) => known === name || `${known}s` === name || SHORT[name] === known);
  if (unit === undefined) throw new QueryError("invalid_input", `\`${functionName}\` needs a unit: one of ${UNITS.join(", ")}.`);
  return unit;
};

const SHORT: Readonly<Record<string, Unit>> = {
  ss: "second",
  s: "second",
  mi: "minute",
  n: "minute",
  hh: "hour",
  h: "hour",
  dd: "day",
  d: "day",
  wk: "week",
  ww: "week",
  mm: "month",
  m: "month",
  qq: "quarter",
  q: "quarter",
  yy: "year",
  yyyy: "year",
};

/** The last day of a week: Saturday, with mode 1 Sunday. */
const lastOfWeek: Scalar = {
  kind: "scalar",
  name: "toLastDayOfWeek",
  takes: ["time", "constant integer", "constant text"],
  optional: 2,
  lower: ([value, mode, zone], context) => {
    const start = floorToDay(context, inZone(value ?? missing(context), zone), "week", Number(mode?.known ?? 0) % 2 === 1 ? 1 : 0);
    return derive(sql`(${start.tree} + 6)`, DATE, [start]);
  },
};

const week: Scalar = {
  kind: "scalar",
  name: "toStartOfWeek",
  takes: ["time", "constant integer", "constant text"],
  optional: 2,
  lower: ([value, mode, zone], context) =>
    floorToDay(context, inZone(value ?? missing(context), zone), "week", Number(mode?.known ?? 0) % 2 === 1 ? 1 : 0),
};

export const DATE_FLOOR: readonly FunctionSpec[] = [
  toDay("toStartOfYear", "year"),
  toDay("toStartOfQuarter", "quarter"),
  toDay("toStartOfMonth", "month"),
  toDay("toMonday", "week"),
  week,
  lastOfWeek,
  {
    kind: "scalar",
    name: "toStartOfISOYear",
    takes: ["date"],
    lower: ([date], context) => {
      const value = date ?? missing(context);
      return derive(sql`CAST(date_trunc('week', make_date(isoyear(${value.tree}), 1, 4)) AS DATE)`, DATE, [value]);
    },
  },
  {
    kind: "scalar",
    name: "toLastDayOfMonth",
    aliases: ["LAST_DAY"],
    anyCase: true,
    takes: ["date"],
    lower: ([date], context) => derive(sql`last_day(${(date ?? missing(context)).tree})`, DATE, [date ?? missing(context)]),
  },
  {
    kind: "scalar",
    name: "toStartOfDay",
    anyCase: true,
    takes: ["time", "constant text"],
    optional: 1,
    lower: ([value, zone], context) => {
      const zoned = inZone(value ?? missing(context), zone);
      return floorToMidnight(context, zoned);
    },
  },
  toSpan("toStartOfHour", HOUR_US),
  toSpan("toStartOfMinute", 60_000_000n),
  toSpan("toStartOfSecond", 1_000_000n),
  toSpan("toStartOfMillisecond", 1000n),
  toSpan("toStartOfFiveMinutes", 300_000_000n, "toStartOfFiveMinute"),
  toSpan("toStartOfTenMinutes", 600_000_000n),
  toSpan("toStartOfFifteenMinutes", 900_000_000n),
  toSpan("timeSlot", 1_800_000_000n),
  {
    kind: "scalar",
    name: "toStartOfInterval",
    takes: ["time", "any", "constant text"],
    optional: 1,
    lower: ([value, interval, zone], context) => {
      const type = interval?.type;
      if (type?.kind !== "interval" || typeof interval?.known !== "bigint") {
        throw new QueryError("illegal_type_of_argument", "`toStartOfInterval` needs a constant interval, such as `INTERVAL 15 MINUTE`.");
      }
      return floorToInterval(context, inZone(value ?? missing(context), zone), interval.known, type.unit);
    },
  },
  {
    kind: "scalar",
    name: "dateTrunc",
    aliases: ["date_trunc"],
    anyCase: true,
    takes: ["constant text", "time", "constant text"],
    optional: 1,
    lower: ([unit, value, zone], context) =>
      floorToInterval(context, inZone(value ?? missing(context), zone), 1n, findUnit(unit?.known, "dateTrunc")),
  },
];
