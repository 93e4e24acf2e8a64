import { type Expression, made, type Origin } from "../analysis/expression.ts";
import type { Run } from "../analysis/run.ts";
import { DATE, DATETIME64, type Type } from "../analysis/types.ts";
import { QueryError } from "../errors.ts";
import { dayOf, parseDay, parseStamp, startOfDay } from "./calendar.ts";
import { type Zone, zoneOf } from "./zone.ts";
import { offsetOfLocalSql, offsetSql, type Range } from "./zone-sql.ts";

/**
 * Times as DuckDB text. A stamp is a TIMESTAMP WITH TIME ZONE, but everything is computed on its microseconds and on naive
 * timestamps of the zone's wall clock: functions on the type itself ask ICU for every row.
 */

const DAY_US = 86_400_000_000n;

/** Whole days from before year 0 to 1970: added before a division, it makes cutting off a fraction rounding down, also before 1970. */
const SHIFT_US = 730_000n * DAY_US;

/** A stamp's microseconds, in UTC or of its wall clock, and the stamp itself, which may be known to lie after 1970. */
export interface Moment {
  readonly micros: string;
  readonly stamp: Expression;
}

/** Whole spans since 1970 that have passed; `size` microseconds, a divisor of the day. */
export const spansSql = (run: Run, moment: Moment, size: bigint): string =>
  shifted(run, moment, "spans", size, ({ micros }, shift) =>
    shift === 0n ? `(${micros} // ${size})` : `((${micros} + ${shift}) // ${size} - ${shift / size})`,
  );

/** The start of the span that holds the moment; spans of hours that do not divide the day start again at midnight. */
export const spanStartSql = (run: Run, moment: Moment, size: bigint): string => {
  if (size % HOUR_US === 0n && DAY_US % size !== 0n) return `(${moment.micros} - ${intoSpanSql(run, moment, DAY_US)} % ${size})`;
  return shifted(run, moment, "start", size, ({ micros }, shift) =>
    shift === 0n ? `(${micros} // ${size} * ${size})` : `((${micros} + ${shift}) // ${size} * ${size} - ${shift})`,
  );
};

const HOUR_US = 3_600_000_000n;

/** Microseconds since the start of the span that holds the moment. */
export const intoSpanSql = (run: Run, moment: Moment, size: bigint): string =>
  shifted(run, moment, "into", size, ({ micros }, shift) =>
    shift === 0n ? `(${micros} % ${size})` : `((${micros} + ${shift}) % ${size})`,
  );

/** Text that needs no shift where the range of the scan lies after 1970, on every wall clock: a fifth of what grouping by day costs. */
const shifted = (run: Run, moment: Moment, what: string, size: bigint, text: (moment: Moment, shift: bigint) => string): string => {
  const { origin } = moment.stamp;
  const whole = (SHIFT_US / size) * size;
  if (origin?.column !== "timestamp") return text(moment, whole);
  return run.defer(`${what} ${size} ${originKey(run, origin)} ${moment.micros}`, () => {
    const { from } = rangeOfOrigin(run, origin);
    return text(moment, from !== null && from >= 2n * DAY_US ? 0n : whole);
  });
};

/** The zone a stamp's wall clock follows: its own, or the project's. */
export const zoneFor = (run: Run, type: Type): Zone => (type.kind === "datetime" && type.zone !== undefined ? zoneOf(type.zone) : run.zone);

/** Microseconds since 1970, as a BIGINT. */
export const micros = (run: Run, stamp: Expression): string =>
  typeof stamp.known === "bigint" ? `${run.bind(stamp.known)}::BIGINT` : `epoch_us(${stamp.sql})`;

const rangeOfOrigin = (run: Run, origin: Origin | undefined): Range => {
  const { now } = run.options;
  if (origin === undefined || origin.column !== "timestamp") return { from: null, to: null, now };
  const { from, to } = run.rangeOf(origin.bounds);
  return { from: from === null ? null : from - origin.below, to, now };
};

const icuOffset = (run: Run, zone: Zone) => (value: string) =>
  `(epoch_us(timezone(${run.bind(zone.name)}::VARCHAR, make_timestamptz(${value}))) - ${value})`;

const icuOffsetOfLocal = (run: Run, zone: Zone) => (value: string) =>
  `(${value} - epoch_us(timezone(${run.bind(zone.name)}::VARCHAR, make_timestamp(${value}))))`;

/** The stamp's reading on its zone's wall clock, in microseconds. */
export const localMicros = (run: Run, stamp: Expression): string => {
  const zone = zoneFor(run, stamp.type);
  const utc = micros(run, stamp);
  if (zone.name === "UTC") return utc;
  return `(${utc} + ${offset(run, zone, stamp, utc)})`;
};

/** What to add to the stamp's microseconds to get its wall clock. */
export const offset = (run: Run, zone: Zone, stamp: Expression, utc: string): string => {
  if (zone.name === "UTC") return "0";
  if (isLong(run, utc)) return icuOffset(run, zone)(utc);
  const key = `offset ${zone.name} ${originKey(run, stamp.origin)} ${utc}`;
  return run.defer(key, () => offsetSql(zone, rangeOfOrigin(run, stamp.origin), utc, icuOffset(run, zone)));
};

/** The wall clock's reading as a TIMESTAMP. */
export const naive = (run: Run, stamp: Expression): string => `make_timestamp(${localMicros(run, stamp)})`;

/** The stamp at which the wall clock reads `local` (BIGINT text), made from `source` by going back less than a day. */
export const fromLocal = (run: Run, zone: Zone, local: string, origin?: Origin): string => {
  if (zone.name === "UTC") return `make_timestamptz(${local})`;
  if (isLong(run, local)) return timezoneSql(run, zone, local);
  const key = `local ${zone.name} ${originKey(run, origin)} ${local}`;
  const text = run.defer(key, () => {
    const { from, to, now } = rangeOfOrigin(run, origin);
    const range = { now, from: from === null ? null : from - 2n * DAY_US, to: to === null ? null : to + DAY_US };
    return offsetOfLocalSql(zone, range, local, icuOffsetOfLocal(run, zone));
  });
  return `make_timestamptz(${local} - ${text})`;
};

/** Longest text that a CASE over the changes of a zone repeats at each of them, in characters, and how deep such CASEs may stand in one another. */
const MAX_REPEATED = 300;
const MAX_NESTED = 2;

/** Texts for which ICU is asked row by row, because a CASE would grow too long. */
const isLong = (run: Run, value: string): boolean => value.length > MAX_REPEATED || run.deferredDepth(value) >= MAX_NESTED;

/** The stamp at which the wall clock reads `local`, as ICU has it; the text stands in it once. */
export const timezoneSql = (run: Run, zone: Zone, local: string): string =>
  `timezone(${run.bind(zone.name)}::VARCHAR, make_timestamp(${local}))`;

const originKey = (run: Run, origin: Origin | undefined): string =>
  origin === undefined ? "-" : `${run.numberOf(origin.bounds)}/${origin.below}`;

/** The calendar day of a date or stamp, as a DATE. */
export const asDate = (run: Run, value: Expression): Expression => {
  if (value.type.kind === "date") return value;
  const zone = zoneFor(run, value.type);
  if (typeof value.known === "bigint") return run.known(dayOf(value.known, zone), DATE);
  return { ...made(`CAST(${naive(run, value)} AS DATE)`, DATE, [value]), ...movedOrigin(value, 27n * 3_600_000_000n) };
};

/** The same, some microseconds earlier: still a bound of the row's stamp. */
export const movedOrigin = (value: Expression, below: bigint): { readonly origin?: Origin } =>
  value.origin?.column === "timestamp" ? { origin: { ...value.origin, below: value.origin.below + below } } : {};

/** Midnight of a date; a stamp as it is. */
export const asStamp = (run: Run, value: Expression): Expression => {
  if (value.type.kind !== "date") return value;
  if (typeof value.known === "bigint") return run.known(startOfDay(value.known, run.zone), { kind: "datetime", digits: 0 });
  const local = `epoch_us(${value.sql})`;
  const sql = fromLocal(run, run.zone, local, value.origin);
  return { ...made(sql, { kind: "datetime", digits: 0 }, [value]), ...movedOrigin(value, 0n) };
};

/** A text read as a stamp: NULL where it is none, an error where it is a constant. */
export const parsedStamp = (run: Run, text: Expression, zone: Zone = run.zone): Expression => {
  if (typeof text.known === "string") {
    const found = parseStamp(text.known, zone);
    if (found === null) throw notATime(text.known);
    return run.known(found, DATETIME64);
  }
  return made(parsedStampSql(run, text.sql, zone), DATETIME64, [text], true);
};

const notATime = (text: string): QueryError =>
  new QueryError("cannot_parse_text", `Cannot read '${text.slice(0, 60)}' as a date or time: write '2026-01-31' or '2026-01-31 12:00:00'.`);

export const parsedStampSql = (run: Run, text: string, zone: Zone): string => {
  if (zone.name === "UTC") return `TRY_CAST(${text} AS TIMESTAMPTZ)`;
  const local = `epoch_us(TRY_CAST(${text} AS TIMESTAMP))`;
  return `(CASE WHEN regexp_matches(${text}, '(Z|[+-]\\d\\d:?(\\d\\d)?)\\s*$') AND length(${text}) > 10 THEN TRY_CAST(${text} AS TIMESTAMPTZ) ELSE ${fromLocal(run, zone, local)} END)`;
};

/** A text read as a date. */
export const parsedDate = (run: Run, text: Expression): Expression => {
  if (typeof text.known === "string") {
    const found = parseDay(text.known);
    if (found === null) throw notATime(text.known);
    return run.known(found, DATE);
  }
  return made(`TRY_CAST(left(${text.sql}, 10) AS DATE)`, DATE, [text], true);
};
