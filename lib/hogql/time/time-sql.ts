import { DAY_US, HOUR_US } from "../../core/time.ts";
import { QUARTER_HOUR, QUARTER_US } from "../../event/quarter-hours.ts";
import type { LoweringContext } from "../analysis/context.ts";
import { derive, type Expression, type Origin } from "../analysis/expression.ts";
import { localDay, parseDay, parseTimestamp, startOfDay } from "../calendar.ts";
import { QueryError } from "../errors.ts";
import { form } from "../sql/form.ts";
import { columnInstead, later, numeral, parameter, type Sql, sql } from "../sql/fragment.ts";
import { keepsQuarters, timeZone, type Zone } from "../time-zone.ts";
import { DATE, DATETIME64, type Type, type Unit } from "../types.ts";
import { offsetOfLocalSql, offsetSql, type Range } from "./zone-sql.ts";

/**
 * Times as SQL. A timestamp is a TIMESTAMP WITH TIME ZONE, but everything is computed on its microseconds and on naive
 * timestamps of the zone's wall clock: functions on the type itself ask ICU for every row.
 */

/** Whole days from before year 0 to 1970: added before a division, it makes cutting off a fraction rounding down, also before 1970. */
const SHIFT_US = 730_000n * DAY_US;

/** A timestamp's microseconds, in UTC or of its wall clock, and the timestamp itself, which may be known to lie after 1970. */
export interface Moment {
  readonly micros: Sql;
  readonly timestamp: Expression;
}

/** Whole spans since 1970 that have passed; `size` microseconds, a divisor of the day. */
export const spansSql = (context: LoweringContext, moment: Moment, size: bigint): Sql =>
  withShift(context, moment, "spans", size, ({ micros }, shift) =>
    shift === 0n
      ? sql`(${micros} // ${numeral(size)})`
      : sql`((${micros} + ${numeral(shift)}) // ${numeral(size)} - ${numeral(shift / size)})`,
  );

/** The start of the span that holds the moment; spans of hours that do not divide the day start again at midnight. */
export const spanStartSql = (context: LoweringContext, moment: Moment, size: bigint): Sql => {
  if (size % HOUR_US === 0n && DAY_US % size !== 0n)
    return sql`(${moment.micros} - ${intoSpanSql(context, moment, DAY_US)} % ${numeral(size)})`;
  return withShift(context, moment, "start", size, ({ micros }, shift) =>
    shift === 0n
      ? sql`(${micros} // ${numeral(size)} * ${numeral(size)})`
      : sql`((${micros} + ${numeral(shift)}) // ${numeral(size)} * ${numeral(size)} - ${numeral(shift)})`,
  );
};

/** Microseconds since the start of the span that holds the moment. */
export const intoSpanSql = (context: LoweringContext, moment: Moment, size: bigint): Sql =>
  withShift(context, moment, "into", size, ({ micros }, shift) =>
    shift === 0n ? sql`(${micros} % ${numeral(size)})` : sql`((${micros} + ${numeral(shift)}) % ${numeral(size)})`,
  );

/** SQL that needs no shift where the range of the scan lies after 1970, on every wall clock: a fifth of what grouping by day costs. */
const withShift = (
  context: LoweringContext,
  moment: Moment,
  what: string,
  size: bigint,
  text: (moment: Moment, shift: bigint) => Sql,
): Sql => {
  const { origin } = moment.timestamp;
  const whole = (SHIFT_US / size) * size;
  if (origin?.column !== "timestamp") return text(moment, whole);
  return later([what, size, origin.bounds, origin.below], [moment.micros], () => {
    const { from } = rangeOfOrigin(context, origin);
    return text(moment, from !== null && from >= 2n * DAY_US ? 0n : whole);
  });
};

/** The zone a timestamp's wall clock follows: its own, or the project's. */
export const zoneFor = (context: LoweringContext, type: Type): Zone =>
  type.kind === "datetime" && type.zone !== undefined ? timeZone(type.zone) : context.zone;

/** A timestamp of its microseconds in UTC. */
const OF_MICROS = form((micros) => sql`make_timestamptz(${micros})`);
export const fromMicros = OF_MICROS.of;

/** Microseconds of a timestamp; of one that was just made of them, these. */
export const toMicros = (timestamp: Sql): Sql => {
  const micros = OF_MICROS.holeOf(timestamp);
  return micros === undefined ? sql`epoch_us(${timestamp})` : sql`(${micros})`;
};

/** Microseconds since 1970, as a BIGINT. */
export const micros = (timestamp: Expression): Sql =>
  typeof timestamp.known === "bigint" ? sql`${parameter(timestamp.known)}::BIGINT` : sql`epoch_us(${timestamp.tree})`;

const rangeOfOrigin = (context: LoweringContext, origin: Origin | undefined): Range => {
  const { now } = context.options;
  if (origin === undefined || origin.column !== "timestamp") return { from: null, to: null, now };
  const { from, to } = context.effectiveBounds(origin.bounds);
  return { from: from === null ? null : from - origin.below, to, now };
};

const icuOffset = (zone: Zone) => (value: Sql) =>
  sql`(epoch_us(timezone(${parameter(zone.name)}::VARCHAR, make_timestamptz(${value}))) - ${value})`;

const icuOffsetOfLocal = (zone: Zone) => (value: Sql) =>
  sql`(${value} - epoch_us(timezone(${parameter(zone.name)}::VARCHAR, make_timestamp(${value}))))`;

/** The timestamp's reading on its zone's wall clock, in microseconds. */
export const localMicros = (context: LoweringContext, timestamp: Expression): Sql => {
  const zone = zoneFor(context, timestamp.type);
  const utc = micros(timestamp);
  if (zone.name === "UTC") return utc;
  return sql`(${utc} + ${offset(context, zone, timestamp, utc)})`;
};

/** The microseconds to add to a timestamp to get its wall clock. */
export const offset = (context: LoweringContext, zone: Zone, timestamp: Expression, utc: Sql): Sql => {
  if (isLong(utc)) return icuOffset(zone)(utc);
  const { origin } = timestamp;
  return later(["offset", zone.name, origin?.bounds, origin?.below], [utc], () =>
    offsetSql(zone, rangeOfOrigin(context, origin), utc, icuOffset(zone)),
  );
};

/** The wall clock's reading as a TIMESTAMP. */
export const naive = (context: LoweringContext, timestamp: Expression): Sql => sql`make_timestamp(${localMicros(context, timestamp)})`;

/** The timestamp at which the wall clock reads `local` (a BIGINT), made from `source` by going back less than a day. */
export const fromLocal = (context: LoweringContext, zone: Zone, local: Sql, origin?: Origin): Sql => {
  if (zone.name === "UTC") return fromMicros(local);
  if (isLong(local)) return timezoneSql(zone, local);
  const offset = later(["local", zone.name, origin?.bounds, origin?.below], [local], () => {
    const { from, to, now } = rangeOfOrigin(context, origin);
    const range = { now, from: from === null ? null : from - 2n * DAY_US, to: to === null ? null : to + DAY_US };
    return offsetOfLocalSql(zone, range, local, icuOffsetOfLocal(zone));
  });
  return fromMicros(sql`${local} - ${offset}`);
};

/** Largest SQL that a CASE over the changes of a zone repeats at each of them, in characters, and how deep such CASEs may stand in one another. */
const MAX_REPEATED = 300;
const MAX_NESTED = 2;

/** SQL for which ICU is asked row by row, because a CASE would grow too long. */
const isLong = ({ size, nesting }: Sql): boolean => size > MAX_REPEATED || nesting >= MAX_NESTED;

/** The timestamp at which the wall clock reads `local`, as ICU has it; `local` stands in it once. */
export const timezoneSql = (zone: Zone, local: Sql): Sql => sql`timezone(${parameter(zone.name)}::VARCHAR, make_timestamp(${local}))`;

/** The calendar day of a date or timestamp, as a DATE. */
export const asDate = (context: LoweringContext, value: Expression): Expression => {
  if (value.type.kind === "date") return value;
  const zone = zoneFor(context, value.type);
  if (typeof value.known === "bigint") return context.known(localDay(value.known, zone), DATE);
  return {
    ...derive(sql`CAST(${naive(context, byQuarters(value, zone))} AS DATE)`, DATE, [value]),
    ...shiftOrigin(value, 27n * HOUR_US),
  };
};

/** A timestamp of which only the quarter of an hour matters: of an event's own, the column is read that has this. */
export const byQuarters = (timestamp: Expression, zone: Zone): Expression => {
  const { tree, origin } = timestamp;
  if (tree.kind !== "column" || tree.scan === null || origin?.column !== "timestamp" || !keepsQuarters(zone)) return timestamp;
  return { ...timestamp, tree: columnInstead(tree, QUARTER_HOUR), ...shiftOrigin(timestamp, QUARTER_US) };
};

/** The same, some microseconds earlier: still a bound of the row's timestamp. */
export const shiftOrigin = (value: Expression, below: bigint): { readonly origin?: Origin } =>
  value.origin?.column === "timestamp" ? { origin: { ...value.origin, below: value.origin.below + below } } : {};

/** Midnight of a date; a timestamp as it is. */
export const asTimestamp = (context: LoweringContext, value: Expression): Expression => {
  if (value.type.kind !== "date") return value;
  if (typeof value.known === "bigint") return context.known(startOfDay(value.known, context.zone), { kind: "datetime", digits: 0 });
  const local = sql`epoch_us(${value.tree})`;
  const tree = fromLocal(context, context.zone, local, value.origin);
  return { ...derive(tree, { kind: "datetime", digits: 0 }, [value]), ...shiftOrigin(value, 0n) };
};

/** A text read as a timestamp: NULL where it is none, an error where it is a constant. */
export const readTimestamp = (context: LoweringContext, text: Expression, zone: Zone = context.zone): Expression => {
  if (typeof text.known === "string") {
    const found = parseTimestamp(text.known, zone);
    if (found === null) throw notATime(text.known);
    return context.known(found, DATETIME64);
  }
  return derive(readTimestampSql(context, text.tree, zone), DATETIME64, [text], true);
};

const notATime = (text: string): QueryError =>
  new QueryError("cannot_parse_text", `Cannot read '${text.slice(0, 60)}' as a date or time: write '2026-01-31' or '2026-01-31 12:00:00'.`);

export const readTimestampSql = (context: LoweringContext, text: Sql, zone: Zone): Sql => {
  if (zone.name === "UTC") return sql`TRY_CAST(${text} AS TIMESTAMPTZ)`;
  const local = sql`epoch_us(TRY_CAST(${text} AS TIMESTAMP))`;
  return sql`(CASE WHEN regexp_matches(${text}, '(Z|[+-]\\d\\d:?(\\d\\d)?)\\s*$') AND length(${text}) > 10 THEN TRY_CAST(${text} AS TIMESTAMPTZ) ELSE ${fromLocal(context, zone, local)} END)`;
};

/** A text read as a date. */
export const readDate = (context: LoweringContext, text: Expression): Expression => {
  if (typeof text.known === "string") {
    const found = parseDay(text.known);
    if (found === null) throw notATime(text.known);
    return context.known(found, DATE);
  }
  return derive(sql`TRY_CAST(left(${text.tree}, 10) AS DATE)`, DATE, [text], true);
};

/** Units of time as DuckDB calls them. */
export const UNIT_SQL: Readonly<Record<Unit, Sql>> = {
  second: sql`second`,
  minute: sql`minute`,
  hour: sql`hour`,
  day: sql`day`,
  week: sql`week`,
  month: sql`month`,
  quarter: sql`quarter`,
  year: sql`year`,
};
