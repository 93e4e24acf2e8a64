import { type Expression, made } from "../../analysis/expression.ts";
import { integerType, type Run } from "../../analysis/run.ts";
import {
  arrayOf,
  BOOLEAN,
  DATE,
  DATETIME,
  DATETIME64,
  FLOAT,
  INT64,
  isOpen,
  isText,
  isTime,
  nameOf,
  STRING,
  type Type,
  UUID,
} from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import { parseDay, parseStamp } from "../../time/calendar.ts";
import { asDate, asStamp } from "../../time/time-sql.ts";
import { type Zone, zoneOf } from "../../time/zone.ts";
import { bestEffortSql } from "../dates/best-effort.ts";
import { toText } from "./printed.ts";
import type { Wanted } from "./type-names.ts";

export interface How {
  /** A text that is no such value becomes NULL instead of an error. */
  readonly soft: boolean;
  /** A number that the type cannot hold becomes NULL; without this it wraps around, as in ClickHouse. */
  readonly accurate?: true;
}

/** `value` in another type, as ClickHouse's conversion functions and casts do it. */
export const convert = (run: Run, value: Expression, wanted: Wanted, how: How): Expression => {
  if (value.known === null) return run.known(null, typeOf(wanted));
  switch (wanted.kind) {
    case "nullable":
      return { ...convert(run, value, wanted.of, { ...how, soft: true }), nullable: true };
    case "text":
      return toText(run, value);
    case "integer":
      return toInteger(run, value, wanted, how);
    case "float":
      return toFloat(run, value, how);
    case "decimal":
      return toDecimal(run, value, wanted.scale, how);
    case "boolean":
      return toBoolean(value, how);
    case "date":
      return toDate(run, value);
    case "datetime":
      return { ...toStamp(run, value, wanted.zone === undefined ? run.zone : zoneOf(wanted.zone)), type: typeOf(wanted) };
    case "uuid":
      if (value.type.kind === "uuid") return value;
      return made(`${tryCast(how)}(${value.sql} AS UUID)`, UUID, [value], value.nullable || how.soft);
    case "array":
      return toArray(run, value, wanted.of, how);
    case "tuple":
      return toTuple(run, value, wanted, how);
    case "map":
      if (value.type.kind !== "map") throw refused(value, "a map");
      return value;
  }
};

/** The type that values have after the conversion. */
export const typeOf = (wanted: Wanted): Type => {
  switch (wanted.kind) {
    case "nullable":
      return typeOf(wanted.of);
    case "text":
      return STRING;
    case "integer":
      return { kind: "integer", name: `${wanted.signed ? "Int" : "UInt"}${wanted.bits}` };
    case "float":
      return FLOAT;
    case "decimal":
      return { kind: "decimal", scale: wanted.scale };
    case "boolean":
      return BOOLEAN;
    case "date":
      return DATE;
    case "datetime":
      return { kind: "datetime", digits: wanted.digits, ...(wanted.zone === undefined ? {} : { zone: zoneOf(wanted.zone).name }) };
    case "uuid":
      return UUID;
    case "array":
      return arrayOf(typeOf(wanted.of), wanted.of.kind === "nullable");
    case "tuple":
      return { kind: "tuple", of: wanted.of.map(({ type }) => typeOf(type)) };
    case "map":
      return { kind: "map", key: typeOf(wanted.key), value: typeOf(wanted.value) };
  }
};

const tryCast = ({ soft }: How): string => (soft ? "TRY_CAST" : "CAST");

type Integer = Extract<Wanted, { kind: "integer" }>;

/** A text that begins with a number is not one: `toInt('12abc')` is NULL. */
const toInteger = (run: Run, value: Expression, wanted: Integer, how: How): Expression => {
  const { kind } = value.type;
  const type = typeOf(wanted);
  if (
    typeof value.known === "bigint" &&
    kind === "integer" &&
    wanted.bits === 64 &&
    value.known <= MAX_INT64 &&
    (wanted.signed || value.known >= 0n)
  )
    return run.known(value.known, how.soft ? type : integerType(value.known));
  if (kind === "integer" && value.type.wide) return made(`TRY_CAST(${value.sql} AS BIGINT)`, type, [value], true);
  if (kind === "integer" || kind === "interval") return fitted(made(value.sql, type, [value]), value.type, wanted, how);
  if (kind === "date") return made(`(${value.sql} - DATE '1970-01-01')`, type, [value]);
  if (kind === "datetime") return made(`(epoch_us(${value.sql}) // 1000000)`, type, [value]);
  if (kind === "float" || kind === "decimal") return fitted(made(whole(value.sql, how), type, [value], true), null, wanted, how);
  if (kind === "boolean") return made(`CAST(${value.sql} AS BIGINT)`, type, [value]);
  if (!isText(value.type) && !isOpen(value.type)) throw refused(value, "an integer");
  if (value.number !== undefined) return fitted(made(whole(value.number, how), type, [value], true), null, wanted, how);
  const text = value.raw ?? value.sql;
  const number = `(CASE WHEN regexp_full_match(${text}, '[+-]?[0-9]+') THEN TRY_CAST(${text} AS BIGINT) END)`;
  const read = made(how.soft ? number : `CAST(${value.sql} AS BIGINT)`, type, [value], value.nullable || how.soft);
  return fitted(read, null, wanted, { ...how, accurate: true });
};

const MAX_INT64 = 9_223_372_036_854_775_807n;

/** A float as an integer: its fraction is cut off, or makes it none. */
const whole = (sql: string, { accurate }: How): string =>
  accurate ? `(CASE WHEN ${sql} = trunc(${sql}) THEN TRY_CAST(${sql} AS BIGINT) END)` : `TRY_CAST(trunc(${sql}) AS BIGINT)`;

/** A 64-bit integer in a narrower type: NULL where it does not fit, or wrapped around. */
const fitted = (value: Expression, from: Type | null, { bits, signed }: Integer, how: How): Expression => {
  if (bits === 64 && !signed && how.accurate && !(from?.kind === "integer" && from.name.startsWith("U")))
    return { ...value, sql: `(CASE WHEN ${value.sql} >= 0 THEN ${value.sql} END)`, nullable: true };
  if (bits === 64) return value;
  const known = from?.kind === "integer" ? /^(U?)Int(\d+)$/.exec(from.name) : null;
  const fits = known !== null && (known[1] === "U") === !signed && Number(known[2]) <= bits;
  if (fits) return value;
  const size = 2 ** bits;
  const [least, most] = signed ? [-size / 2, size / 2 - 1] : [0, size - 1];
  const within = `${value.sql} BETWEEN ${least} AND ${most}`;
  if (how.accurate) return { ...value, sql: `(CASE WHEN ${within} THEN ${value.sql} END)`, nullable: true };
  const low = `(${value.sql} & ${size - 1})`;
  const wrapped = signed ? `CASE WHEN ${low} > ${most} THEN ${low} - ${size} ELSE ${low} END` : low;
  return { ...value, sql: `(CASE WHEN ${within} THEN ${value.sql} ELSE ${wrapped} END)` };
};

const toFloat = (run: Run, value: Expression, how: How): Expression => {
  const { kind } = value.type;
  if (kind === "float") return value;
  if (typeof value.known === "bigint" && kind === "integer") return run.known(Number(value.known), FLOAT);
  if (value.number !== undefined) return made(value.number, FLOAT, [value], true);
  if (kind === "datetime") return made(`(epoch_us(${value.sql}) / 1000000)`, FLOAT, [value]);
  if (isText(value.type) || isOpen(value.type)) {
    const text = value.raw ?? value.sql;
    return made(how.soft ? floatIn(text) : `CAST(${text} AS DOUBLE)`, FLOAT, [value], value.nullable || how.soft);
  }
  return made(`CAST(${plainNumber(run, value)} AS DOUBLE)`, FLOAT, [value]);
};

/** The number that is all of the text: DuckDB passes over spaces around it and underscores in it. */
const floatIn = (text: string): string =>
  `(CASE WHEN contains(${text}, ' ') OR contains(${text}, '_') THEN NULL ELSE TRY_CAST(${text} AS DOUBLE) END)`;

/** Digits beyond the scale are cut off. */
const toDecimal = (run: Run, value: Expression, scale: number, how: How): Expression => {
  const type: Type = { kind: "decimal", scale };
  const text = value.raw ?? value.sql;
  const written = isText(value.type) || isOpen(value.type);
  const number = written
    ? `regexp_replace(${text}, '(\\.\\d{${scale}})\\d+$', '\\1')`
    : value.type.kind === "float"
      ? `(trunc(${value.sql} * 1e${scale}) / 1e${scale})`
      : plainNumber(run, value);
  return made(`${tryCast(how)}(${number} AS DECIMAL(38, ${scale}))`, type, [value], value.nullable || how.soft);
};

const plainNumber = (run: Run, value: Expression): string => {
  if (value.type.kind === "date" || value.type.kind === "datetime") return toInteger(run, value, INTEGER, { soft: true }).sql;
  if (value.type.kind === "boolean") return `CAST(${value.sql} AS BIGINT)`;
  return value.raw ?? value.sql;
};

const INTEGER: Integer = { kind: "integer", bits: 64, signed: true };

const toBoolean = (value: Expression, how: How): Expression => {
  if (value.type.kind === "boolean") return value;
  if (isText(value.type) || isOpen(value.type)) {
    const is = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");
    const word = `lower(${value.sql})`;
    const sql = `(CASE WHEN ${word} IN (${is(TRUE_WORDS)}) THEN true WHEN ${word} IN (${is(FALSE_WORDS)}) THEN false END)`;
    return made(sql, BOOLEAN, [value], value.nullable || how.soft || value.known === undefined);
  }
  if (isTime(value.type)) throw refused(value, "a boolean");
  return made(`(${value.sql} <> 0)`, BOOLEAN, [value]);
};

const TRUE_WORDS = ["true", "1", "t", "yes", "y", "on", "enable", "enabled"];
const FALSE_WORDS = ["false", "0", "f", "no", "n", "off", "disable", "disabled"];

/** A text that is no date is NULL; a number counts days since 1970. */
export const toDate = (run: Run, value: Expression): Expression => {
  if (isTime(value.type)) return asDate(run, value);
  if (isText(value.type) || isOpen(value.type)) {
    const known = typeof value.known === "string" ? parseDay(value.known) : null;
    if (known !== null) return run.known(known, DATE);
    const text = value.sql;
    const sql = `coalesce(TRY_CAST(regexp_extract(${text}, '^\\s*(\\d{4}-\\d{1,2}-\\d{1,2})([ T].*)?$', 1) AS DATE), CAST(try_strptime(${text}, '%Y%m%d') AS DATE))`;
    return made(sql, DATE, [value], true);
  }
  if (value.type.kind === "integer") return made(`(DATE '1970-01-01' + CAST(${value.sql} AS INTEGER))`, DATE, [value]);
  throw refused(value, "a date");
};

/** Texts are read in the zone unless they name an offset, and are NULL when they are no time; numbers are seconds since 1970. */
export const toStamp = (run: Run, value: Expression, zone: Zone = run.zone): Expression => {
  if (isTime(value.type)) return asStamp(run, value);
  if (isText(value.type) || isOpen(value.type)) {
    const known = typeof value.known === "string" ? parseStamp(value.known, zone) : null;
    if (known !== null) return run.known(known, DATETIME64);
    return made(bestEffortSql(run, value.sql, zone), DATETIME64, [value], true);
  }
  if (typeof value.known === "bigint") return run.known(value.known * 1_000_000n, DATETIME);
  const seconds = value.type.kind === "boolean" ? `CAST(${value.sql} AS BIGINT)` : value.sql;
  return made(`make_timestamptz(TRY_CAST(trunc(${seconds} * 1000000) AS BIGINT))`, DATETIME, [value], true);
};

const toArray = (run: Run, value: Expression, of: Wanted, how: How): Expression => {
  if (value.type.kind !== "array") throw refused(value, "an array");
  const item = run.fresh("x");
  const from: Expression = { sql: item, type: value.type.of, nullable: value.type.nullable };
  const converted = convert(run, from, of, how);
  const sql = converted.sql === item ? value.sql : `list_transform(${value.sql}, lambda ${item}: ${converted.sql})`;
  return made(sql, arrayOf(converted.type, converted.nullable), [value]);
};

const toTuple = (run: Run, value: Expression, { of }: Extract<Wanted, { kind: "tuple" }>, how: How): Expression => {
  const from = value.type;
  if (from.kind !== "tuple" || from.of.length !== of.length) throw refused(value, `a tuple of ${of.length}`);
  const items = of.map(({ type }, index) => {
    const item = value.items?.[index] ?? made(`struct_extract(${value.sql}, '${index + 1}')`, from.of[index] ?? INT64, [value], true);
    return convert(run, item, type, how);
  });
  const sql = `{${items.map((item, index) => `'${index + 1}': ${item.sql}`).join(", ")}}`;
  return { ...made(sql, { kind: "tuple", of: items.map(({ type }) => type) }, [value], false), items };
};

const refused = (value: Expression, wanted: string): QueryError =>
  new QueryError("illegal_type_of_argument", `Cannot convert ${nameOf(value.type, value.nullable)} to ${wanted}.`);
