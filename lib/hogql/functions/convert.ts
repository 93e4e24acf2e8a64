import { QueryError } from "../errors.ts";
import { type Expression, made } from "../expression.ts";
import { integerType, type Run } from "../run.ts";
import { asDate, asStamp, naive, parsedDate, parsedStamp, parsedStampSql } from "../time-sql.ts";
import {
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
  UINT64,
  UUID,
} from "../types.ts";

export type Target = "text" | "integer" | "unsigned" | "float" | "decimal" | "boolean" | "date" | "datetime" | "datetime64" | "uuid";

export interface How {
  /** What does not fit becomes NULL instead of an error. */
  readonly soft: boolean;
  readonly scale?: number;
}

/** `value` in another type, as ClickHouse's conversion functions and casts do it. */
export const convert = (run: Run, value: Expression, target: Target, how: How): Expression => {
  if (value.known === null) return run.known(null, typeOf(target, how));
  switch (target) {
    case "text":
      return toText(run, value);
    case "integer":
    case "unsigned":
      return toInteger(run, value, target === "integer" ? INT64 : UINT64, how);
    case "float":
      return toFloat(run, value, how);
    case "decimal":
      if (!DECIMAL_SCALES.has(how.scale ?? 0))
        throw new QueryError("invalid_input", "The scale of a decimal must be a whole number from 0 to 38.");
      return made(
        `${tryCast(how)}(${plainNumber(run, value)} AS DECIMAL(38, ${how.scale ?? 0}))`,
        typeOf(target, how),
        [value],
        value.nullable || how.soft,
      );
    case "boolean":
      return toBoolean(value, how);
    case "date":
      return toDate(run, value);
    case "datetime":
    case "datetime64":
      return { ...toStamp(run, value), type: target === "datetime" ? DATETIME : DATETIME64 };
    case "uuid":
      if (value.type.kind === "uuid") return value;
      return made(`${tryCast(how)}(${value.sql} AS UUID)`, UUID, [value], value.nullable || how.soft);
  }
};

const DECIMAL_SCALES: ReadonlySet<number> = new Set(Array.from({ length: 39 }, (_, scale) => scale));

const typeOf = (target: Target, how: How): Type => {
  const types = {
    text: STRING,
    integer: INT64,
    unsigned: UINT64,
    float: FLOAT,
    boolean: BOOLEAN,
    date: DATE,
    datetime: DATETIME,
    datetime64: DATETIME64,
    uuid: UUID,
  };
  return target === "decimal" ? { kind: "decimal", scale: how.scale ?? 0 } : types[target];
};

const tryCast = ({ soft }: How): string => (soft ? "TRY_CAST" : "CAST");

export const toText = (run: Run, value: Expression): Expression => {
  const { type, known } = value;
  if (isText(type)) return { ...value, type: STRING };
  if (typeof known === "bigint" && type.kind === "integer") return run.known(String(known), STRING);
  if (type.kind === "boolean") return made(`(CASE WHEN ${value.sql} THEN 'true' WHEN NOT ${value.sql} THEN 'false' END)`, STRING, [value]);
  if (type.kind === "datetime") return made(stampText(run, value, type.digits), STRING, [value]);
  if (type.kind === "float") return made(floatText(value.sql), STRING, [value]);
  if (type.kind === "array") return made(arrayText(value, type.of), STRING, [value]);
  return made(`CAST(${value.sql} AS VARCHAR)`, STRING, [value]);
};

/** As ClickHouse prints a stamp: `2026-01-31 12:00:00`, with its digits of the second. */
const stampText = (run: Run, value: Expression, digits: 0 | 3 | 6): string => {
  const format = digits === 0 ? "%Y-%m-%d %H:%M:%S" : `%Y-%m-%d %H:%M:%S.${digits === 3 ? "%g" : "%f"}`;
  return `strftime(${naive(run, value)}, '${format}')`;
};

/** ClickHouse prints whole floats without a fraction, and infinities in short. */
const floatText = (sql: string): string =>
  `(CASE WHEN isinf(${sql}) THEN CASE WHEN ${sql} > 0 THEN 'inf' ELSE '-inf' END WHEN isnan(${sql}) THEN 'nan' ELSE regexp_replace(CAST(${sql} AS VARCHAR), '\\.0$', '') END)`;

const arrayText = (value: Expression, of: Type): string => {
  const item = of.kind === "string" || of.kind === "json" ? "'''' || replace(x, '''', '\\''') || ''''" : "CAST(x AS VARCHAR)";
  return `('[' || array_to_string(list_transform(${value.sql}, lambda x: coalesce(${item}, 'NULL')), ',') || ']')`;
};

/** A text that begins with a number is not one: `toInt('12abc')` is NULL. A fraction is cut off, as is that of a float. */
const toInteger = (run: Run, value: Expression, type: Type, how: How): Expression => {
  const { kind } = value.type;
  if (typeof value.known === "bigint" && kind === "integer")
    return run.known(value.known, type.kind === "integer" && how.soft ? INT64 : integerType(value.known));
  if (kind === "integer" || kind === "interval") return made(value.sql, type, [value]);
  if (kind === "date") return made(`(${value.sql} - DATE '1970-01-01')`, type, [value]);
  if (kind === "datetime") return made(`(epoch_us(${value.sql}) // 1000000)`, type, [value]);
  if (kind === "float" || kind === "decimal") return made(`TRY_CAST(trunc(${value.sql}) AS BIGINT)`, type, [value], true);
  if (kind === "boolean") return made(`CAST(${value.sql} AS BIGINT)`, type, [value]);
  if (!isText(value.type) && !isOpen(value.type)) throw refused(value, "an integer");
  if (value.number !== undefined) return made(`TRY_CAST(trunc(${value.number}) AS BIGINT)`, type, [value], true);
  const text = value.raw ?? value.sql;
  const number = `(CASE WHEN contains(${text}, '.') OR contains(lower(${text}), 'e') THEN NULL ELSE TRY_CAST(${text} AS BIGINT) END)`;
  return made(how.soft ? number : `CAST(${value.sql} AS BIGINT)`, type, [value], value.nullable || how.soft);
};

const toFloat = (run: Run, value: Expression, how: How): Expression => {
  const { kind } = value.type;
  if (kind === "float") return value;
  if (typeof value.known === "bigint" && kind === "integer") return run.known(Number(value.known), FLOAT);
  if (value.number !== undefined) return made(value.number, FLOAT, [value], true);
  if (isText(value.type) || isOpen(value.type))
    return made(`${tryCast(how)}(${value.raw ?? value.sql} AS DOUBLE)`, FLOAT, [value], value.nullable || how.soft);
  return made(`CAST(${plainNumber(run, value)} AS DOUBLE)`, FLOAT, [value]);
};

const plainNumber = (run: Run, value: Expression): string => {
  if (value.type.kind === "date" || value.type.kind === "datetime") return toInteger(run, value, INT64, { soft: true }).sql;
  if (value.type.kind === "boolean") return `CAST(${value.sql} AS BIGINT)`;
  return value.raw ?? value.sql;
};

const toBoolean = (value: Expression, how: How): Expression => {
  if (value.type.kind === "boolean") return value;
  if (isText(value.type) || isOpen(value.type)) {
    const sql = `(CASE lower(${value.sql}) WHEN 'true' THEN true WHEN '1' THEN true WHEN 'false' THEN false WHEN '0' THEN false END)`;
    return made(sql, BOOLEAN, [value], value.nullable || how.soft || value.known === undefined);
  }
  if (isTime(value.type)) throw refused(value, "a boolean");
  return made(`(${value.sql} <> 0)`, BOOLEAN, [value]);
};

export const toDate = (run: Run, value: Expression): Expression => {
  if (isTime(value.type)) return asDate(run, value);
  if (isText(value.type) || isOpen(value.type)) return parsedDate(run, value);
  if (value.type.kind === "integer") return made(`(DATE '1970-01-01' + CAST(${value.sql} AS INTEGER))`, DATE, [value]);
  throw refused(value, "a date");
};

/** Texts are read in the project's zone unless they name an offset; numbers are seconds since 1970. */
export const toStamp = (run: Run, value: Expression): Expression => {
  if (isTime(value.type)) return asStamp(run, value);
  if (value.known !== undefined && isText(value.type)) return parsedStamp(run, value);
  if (isText(value.type) || isOpen(value.type)) return made(parsedStampSql(run, value.sql, run.zone), DATETIME64, [value], true);
  if (typeof value.known === "bigint") return run.known(value.known * 1_000_000n, DATETIME);
  if (value.type.kind === "boolean") throw refused(value, "a time");
  return made(`make_timestamptz(CAST(trunc(${value.sql} * 1000000) AS BIGINT))`, DATETIME, [value]);
};

const refused = (value: Expression, wanted: string): QueryError =>
  new QueryError("illegal_type_of_argument", `Cannot convert ${nameOf(value.type, value.nullable)} to ${wanted}.`);
