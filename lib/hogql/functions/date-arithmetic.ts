import { DAY_US, dayOf } from "../calendar.ts";
import { QueryError } from "../errors.ts";
import { type Expression, made } from "../expression.ts";
import { moved } from "../lower/arithmetic.ts";
import type { Run } from "../run.ts";
import { asDate, asStamp, localMicros, micros, naive, spansSql, zoneFor } from "../time-sql.ts";
import { DATE, DATETIME, DATETIME64, INT64, STRING, UNITS, type Unit } from "../types.ts";
import { zoneOf } from "../zone.ts";
import { toStamp } from "./convert.ts";
import { floorToDay, unitNamed } from "./date-floor.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";

const missing = (run: Run): Expression => run.known(null, DATETIME);

const asInterval = (amount: Expression, unit: Unit): Expression => ({ ...amount, type: { kind: "interval", unit } });

const plural = (unit: Unit): string => `${unit[0]?.toUpperCase()}${unit.slice(1)}s`;

const shiftBy = (name: string, unit: Unit, op: "+" | "-"): Scalar => ({
  kind: "scalar",
  name,
  takes: ["time", "integer"],
  lower: ([value, amount], run) => moved(run, value ?? missing(run), asInterval(amount ?? missing(run), unit), op),
});

const interval = (unit: Unit): Scalar => ({
  kind: "scalar",
  name: `toInterval${plural(unit).slice(0, -1)}`,
  takes: ["integer"],
  lower: ([amount], run) => asInterval(amount ?? missing(run), unit),
});

/** `dateAdd(unit, n, x)`, also `dateAdd(x, INTERVAL n unit)`. */
const dateAdd = (name: string, op: "+" | "-", ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["any", "any", "any"],
  optional: 1,
  lower: ([first, second, third], run) => {
    if (third !== undefined)
      return moved(run, stampOrDate(run, third), asInterval(second ?? missing(run), unitNamed(first?.known, name)), op);
    if (second?.type.kind !== "interval")
      throw new QueryError("illegal_type_of_argument", `\`${name}\` takes a unit, a number and a time, or a time and an interval.`);
    return moved(run, stampOrDate(run, first ?? missing(run)), second, op);
  },
});

const stampOrDate = (run: Run, value: Expression): Expression => (value.type.kind === "date" ? value : asStamp(run, timeOf(run, value)));

const timeOf = (run: Run, value: Expression): Expression =>
  value.type.kind === "datetime" || value.type.kind === "date" ? value : toStamp(run, value);

const MICROS: Partial<Record<Unit, bigint>> = { second: 1_000_000n, minute: 60_000_000n, hour: 3_600_000_000n };

/** Numbers a time's unit since 1970 on the wall clock, so that the difference of two counts the boundaries between them. */
const ordinal = (run: Run, value: Expression, unit: Unit): string => {
  const span = MICROS[unit];
  if (span !== undefined) {
    const stamp = asStamp(run, value);
    return spansSql(run, { micros: localMicros(run, stamp), stamp }, span);
  }
  const date = asDate(run, value);
  switch (unit) {
    case "week":
      return `((${floorToDay(run, date, "week", 1).sql} - DATE '1970-01-05') // 7)`;
    case "month":
      return `(year(${date.sql}) * 12 + month(${date.sql}))`;
    case "quarter":
      return `(year(${date.sql}) * 4 + quarter(${date.sql}))`;
    case "year":
      return `year(${date.sql})`;
    default:
      return `(${date.sql} - DATE '1970-01-01')`;
  }
};

const dateDiff: Scalar = {
  kind: "scalar",
  name: "dateDiff",
  aliases: ["date_diff", "timestampDiff", "timestamp_diff"],
  anyCase: true,
  takes: ["constant text", "time", "time", "constant text"],
  optional: 1,
  lower: ([unit, from, to], run) => {
    const [a, b] = [from ?? missing(run), to ?? missing(run)];
    const by = unitNamed(unit?.known, "dateDiff");
    return made(`(${ordinal(run, b, by)} - ${ordinal(run, a, by)})`, INT64, [a, b]);
  },
};

/** Months whose day and time of day have been reached again: from the 31st of January, a month is over on the 1st of March. */
const fullMonths = (a: string, b: string): string => {
  const months = `((year(${b}) - year(${a})) * 12 + month(${b}) - month(${a}))`;
  const into = (text: string): string => `(${text} - date_trunc('month', ${text}))`;
  return `(${months} - CASE WHEN ${months} > 0 AND ${into(b)} < ${into(a)} THEN 1 WHEN ${months} < 0 AND ${into(b)} > ${into(a)} THEN -1 ELSE 0 END)`;
};

/** Full units between two times. */
const age: Scalar = {
  kind: "scalar",
  name: "age",
  takes: ["constant text", "time", "time", "constant text"],
  optional: 1,
  lower: ([unit, from, to], run) => {
    const [a, b] = [asStamp(run, from ?? missing(run)), asStamp(run, to ?? missing(run))];
    const by = unitNamed(unit?.known, "age");
    const fixed = MICROS[by] ?? (by === "day" ? DAY_US : by === "week" ? 7n * DAY_US : undefined);
    if (fixed !== undefined) return made(`((${localMicros(run, b)} - ${localMicros(run, a)}) // ${fixed})`, INT64, [a, b]);
    return made(`(${fullMonths(naive(run, a), naive(run, b))} // ${by === "year" ? 12 : by === "quarter" ? 3 : 1})`, INT64, [a, b]);
  },
};

/** ClickHouse's letters of a date format, where DuckDB has others. */
const strftimeFormat = (format: string): string =>
  format.replaceAll(/%(.)/g, (_, letter: string) => {
    const known = FORMATS.get(letter);
    if (known === undefined) throw new QueryError("invalid_input", `\`formatDateTime\` does not know %${letter}.`);
    return known;
  });

const FORMATS: ReadonlyMap<string, string> = new Map([
  ...["Y", "y", "m", "d", "H", "I", "S", "p", "j", "a", "b", "V", "G", "g", "u", "w", "%"].map((letter) => [letter, `%${letter}`] as const),
  ["i", "%M"],
  ["M", "%B"],
  ["W", "%A"],
  ["h", "%I"],
  ["s", "%S"],
  ["l", "%I"],
  ["k", "%H"],
  ["c", "%m"],
  ["e", "%-d"],
  ["F", "%Y-%m-%d"],
  ["T", "%H:%M:%S"],
  ["R", "%H:%M"],
  ["D", "%m/%d/%y"],
  ["r", "%I:%M %p"],
  ["f", "%f"],
  ["n", "\n"],
  ["t", "\t"],
]);

const format: Scalar = {
  kind: "scalar",
  name: "formatDateTime",
  takes: ["stamp", "constant text", "constant text"],
  optional: 1,
  lower: ([stamp, pattern, zone], run) => {
    const value = inZone(stamp ?? missing(run), zone);
    return made(`strftime(${naive(run, value)}, ${run.bind(strftimeFormat(String(pattern?.known)))}::VARCHAR)`, STRING, [value]);
  },
};

const inZone = (value: Expression, zone: Expression | undefined): Expression =>
  typeof zone?.known === "string" && value.type.kind === "datetime"
    ? { ...value, type: { ...value.type, zone: zoneOf(zone.known).name } }
    : value;

const now = (name: string, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["constant text"],
  optional: 1,
  lower: ([zone], run) => {
    const second = (run.askNow() / 1_000_000n) * 1_000_000n;
    return inZone(run.known(second, DATETIME), zone);
  },
});

const dayFromNow = (name: string, days: bigint, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: [],
  lower: (_, run) => run.known(dayOf(run.askNow() + days * DAY_US, run.zone), DATE),
});

/** A number of units since 1970 as a time. */
const fromUnix = (name: string, size: bigint, digits: 0 | 3 | 6, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["number", "constant text"],
  optional: 1,
  lower: ([value], run) => {
    const number = value ?? missing(run);
    const type = { kind: "datetime", digits } as const;
    if (typeof number.known === "bigint") return run.known(number.known * size, type);
    return made(`make_timestamptz(CAST(${number.sql} AS BIGINT) * ${size})`, type, [number]);
  },
});

export const DATE_ARITHMETIC: readonly FunctionSpec[] = [
  now("now", "NOW", "nowInBlock"),
  {
    kind: "scalar",
    name: "now64",
    takes: ["constant number", "constant text"],
    optional: 2,
    lower: (_, run) => run.known(run.askNow(), DATETIME64),
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
    takes: ["stamp", "constant text"],
    lower: ([stamp, zone], run) => inZone(stamp ?? missing(run), zone),
  },
  {
    kind: "scalar",
    name: "timeZoneOffset",
    aliases: ["timezoneOffset"],
    takes: ["stamp"],
    lower: ([stamp], run) => {
      const value = stamp ?? missing(run);
      return made(`((${localMicros(run, value)} - ${micros(run, value)}) // 1000000)`, INT64, [value]);
    },
  },
  {
    kind: "scalar",
    name: "timeZone",
    aliases: ["timezone", "serverTimezone"],
    takes: [],
    lower: (_, run) => run.known(run.zone.name, STRING),
  },
  {
    kind: "scalar",
    name: "timeZoneOf",
    aliases: ["timezoneOf"],
    takes: ["stamp"],
    lower: ([stamp], run) => run.known(zoneFor(run, stamp?.type ?? DATETIME).name, STRING),
  },
  fromUnix("fromUnixTimestamp", 1_000_000n, 0, "FROM_UNIXTIME"),
  fromUnix("fromUnixTimestamp64Milli", 1_000n, 3),
  fromUnix("fromUnixTimestamp64Micro", 1n, 6),
  format,
  scalar({
    name: "makeDate",
    takes: ["integer", "integer", "integer"],
    type: DATE,
    sql: ([year, month, day]) => `make_date(${year}, ${month}, ${day})`,
  }),
  {
    kind: "scalar",
    name: "UUIDv7ToDateTime",
    takes: ["any", "constant text"],
    optional: 1,
    lower: ([uuid], run) => {
      const value = uuid ?? missing(run);
      const millis = `CAST('0x' || left(replace(CAST(${value.sql} AS VARCHAR), '-', ''), 12) AS BIGINT)`;
      return made(`make_timestamptz(${millis} * 1000)`, { kind: "datetime", digits: 3 }, [value]);
    },
  },
];
