import { integerType } from "../../analysis/constants.ts";
import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { parseDay, parseTimestamp } from "../../calendar.ts";
import { QueryError } from "../../errors.ts";
import { isLong } from "../../operators/exact.ts";
import { rawText } from "../../sql/form.ts";
import { argument, lambda, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { asDate, asTimestamp, fromMicros } from "../../time/time-sql.ts";
import { timeZone, type Zone } from "../../time-zone.ts";
import {
  arrayType,
  BOOLEAN,
  DATE,
  DATETIME,
  DATETIME64,
  FLOAT,
  INT64,
  isNumeric,
  isOpen,
  isText,
  isTime,
  STRING,
  type Type,
  tupleType,
  typeName,
  UUID,
} from "../../types.ts";
import { bestEffortSql } from "../dates/best-effort.ts";
import { toText } from "./to-string.ts";
import type { CastType } from "./type-names.ts";

export interface CastMode {
  /** A text that is no such value becomes NULL instead of an error. */
  readonly soft: boolean;
  /** A number that the type cannot hold becomes NULL; without this it wraps around, as in ClickHouse. */
  readonly accurate?: true;
}

/** `value` in another type, as ClickHouse's conversion functions and casts do it. */
export const castValue = (context: LoweringContext, value: Expression, wanted: CastType, how: CastMode): Expression => {
  if (value.known === null) return context.known(null, typeAfterCast(wanted));
  switch (wanted.kind) {
    case "nullable":
      return { ...castValue(context, value, wanted.of, { ...how, soft: true }), nullable: true };
    case "text":
      return toText(context, value);
    case "integer":
      return toInteger(context, value, wanted, how);
    case "float":
      return toFloat(context, value, how);
    case "decimal":
      return toDecimal(context, value, wanted.scale, how);
    case "boolean":
      return toBoolean(value, how);
    case "date":
      return toDate(context, value);
    case "datetime":
      return {
        ...toTimestamp(context, value, wanted.zone === undefined ? context.zone : timeZone(wanted.zone)),
        type: typeAfterCast(wanted),
      };
    case "uuid":
      if (value.type.kind === "uuid") return value;
      if (!isText(value.type) && !isOpen(value.type)) throw cannotConvert(value, "a UUID");
      return derive(sql`${tryCast(how)}(${value.tree} AS UUID)`, UUID, [value], value.nullable || how.soft);
    case "array":
      return toArray(context, value, wanted.of, how);
    case "tuple":
      return toTuple(context, value, wanted, how);
    case "map":
      if (value.type.kind !== "map") throw cannotConvert(value, "a map");
      return value;
  }
};

/** The type that values have after the conversion. */
export const typeAfterCast = (wanted: CastType): Type => {
  switch (wanted.kind) {
    case "nullable":
      return typeAfterCast(wanted.of);
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
      return { kind: "datetime", digits: wanted.digits, ...(wanted.zone === undefined ? {} : { zone: timeZone(wanted.zone).name }) };
    case "uuid":
      return UUID;
    case "array":
      return arrayType(typeAfterCast(wanted.of), wanted.of.kind === "nullable");
    case "tuple":
      return tupleType(wanted.of.map(({ type }) => ({ type: typeAfterCast(type), nullable: type.kind === "nullable" })));
    case "map":
      return { kind: "map", key: typeAfterCast(wanted.key), value: typeAfterCast(wanted.value) };
  }
};

const tryCast = ({ soft }: CastMode): Sql => (soft ? sql`TRY_CAST` : sql`CAST`);

type Integer = Extract<CastType, { kind: "integer" }>;

/** A text that begins with a number is not one: `toInt('12abc')` is NULL. */
const toInteger = (context: LoweringContext, value: Expression, wanted: Integer, how: CastMode): Expression => {
  const { kind } = value.type;
  const type = typeAfterCast(wanted);
  if (
    typeof value.known === "bigint" &&
    kind === "integer" &&
    wanted.bits === 64 &&
    value.known <= MAX_INT64 &&
    (wanted.signed || value.known >= 0n)
  )
    return context.known(value.known, how.soft ? type : integerType(value.known));
  if (kind === "integer" && value.type.wide) return derive(sql`TRY_CAST(${value.tree} AS BIGINT)`, type, [value], true);
  if (kind === "integer" || kind === "interval") return narrowInteger(derive(value.tree, type, [value]), value.type, wanted, how);
  if (kind === "date") return derive(sql`(${value.tree} - DATE '1970-01-01')`, type, [value]);
  if (kind === "datetime") return derive(sql`(epoch_us(${value.tree}) // 1000000)`, type, [value]);
  if (kind === "float" || kind === "decimal") return narrowInteger(derive(integerSql(value, how), type, [value], true), null, wanted, how);
  if (kind === "boolean") return derive(sql`CAST(${value.tree} AS BIGINT)`, type, [value]);
  if (!isText(value.type) && !isOpen(value.type)) throw cannotConvert(value, "an integer");
  const text = rawText(value.tree) ?? value.tree;
  const number = sql`(CASE WHEN regexp_full_match(${text}, '[+-]?[0-9]+') THEN TRY_CAST(${text} AS BIGINT) END)`;
  const read = derive(how.soft ? number : sql`CAST(${value.tree} AS BIGINT)`, type, [value], value.nullable || how.soft);
  return narrowInteger(read, null, wanted, { ...how, accurate: true });
};

const MAX_INT64 = 9_223_372_036_854_775_807n;

/** As an integer, with all digits of one that was read from text. */
const integerSql = ({ tree, written }: Expression, how: CastMode): Sql =>
  written === undefined
    ? truncate(tree, how)
    : sql`(CASE WHEN ${isLong(written)} THEN TRY_CAST(${written} AS BIGINT) ELSE ${truncate(tree, how)} END)`;

/** A float as an integer: its fraction is cut off, or makes it none. */
const truncate = (tree: Sql, { accurate }: CastMode): Sql =>
  accurate ? sql`(CASE WHEN ${tree} = trunc(${tree}) THEN TRY_CAST(${tree} AS BIGINT) END)` : sql`TRY_CAST(trunc(${tree}) AS BIGINT)`;

/** A 64-bit integer in a narrower type: NULL where it does not fit, or wrapped around. */
const narrowInteger = (value: Expression, from: Type | null, { bits, signed }: Integer, how: CastMode): Expression => {
  if (bits === 64 && !signed && how.accurate && !(from?.kind === "integer" && from.name.startsWith("U")))
    return { ...value, tree: sql`(CASE WHEN ${value.tree} >= 0 THEN ${value.tree} END)`, nullable: true };
  if (bits === 64) return value;
  const known = from?.kind === "integer" ? /^(U?)Int(\d+)$/.exec(from.name) : null;
  const fits = known !== null && (known[1] === "U") === !signed && Number(known[2]) <= bits;
  if (fits) return value;
  const size = 2 ** bits;
  const [least, most] = signed ? [-size / 2, size / 2 - 1] : [0, size - 1];
  const within = sql`${value.tree} BETWEEN ${numeral(least)} AND ${numeral(most)}`;
  if (how.accurate) return { ...value, tree: sql`(CASE WHEN ${within} THEN ${value.tree} END)`, nullable: true };
  const low = sql`(${value.tree} & ${numeral(size - 1)})`;
  const wrapped = signed ? sql`CASE WHEN ${low} > ${numeral(most)} THEN ${low} - ${numeral(size)} ELSE ${low} END` : low;
  return { ...value, tree: sql`(CASE WHEN ${within} THEN ${value.tree} ELSE ${wrapped} END)` };
};

const toFloat = (context: LoweringContext, value: Expression, how: CastMode): Expression => {
  const { kind } = value.type;
  if (kind === "float") return value.written === undefined ? value : derive(value.tree, FLOAT, [value]);
  if (typeof value.known === "bigint" && kind === "integer") return context.known(Number(value.known), FLOAT);
  if (kind === "datetime") return derive(sql`(epoch_us(${value.tree}) / 1000000)`, FLOAT, [value]);
  if (isText(value.type) || isOpen(value.type)) {
    const text = rawText(value.tree) ?? value.tree;
    return derive(how.soft ? floatIn(text) : sql`CAST(${text} AS DOUBLE)`, FLOAT, [value], value.nullable || how.soft);
  }
  return derive(sql`CAST(${plainNumber(context, value, "a float")} AS DOUBLE)`, FLOAT, [value]);
};

/** The number that is all of the text: DuckDB passes over spaces around it and underscores in it. */
const floatIn = (text: Sql): Sql =>
  sql`(CASE WHEN contains(${text}, ' ') OR contains(${text}, '_') THEN NULL ELSE TRY_CAST(${text} AS DOUBLE) END)`;

/** Digits beyond the scale are cut off. */
const toDecimal = (context: LoweringContext, value: Expression, scale: number, how: CastMode): Expression => {
  const type: Type = { kind: "decimal", scale };
  const finer = value.type.kind === "decimal" && value.type.scale > scale;
  const text = finer ? sql`CAST(${value.tree} AS VARCHAR)` : (rawText(value.tree) ?? value.tree);
  const written = finer || isText(value.type) || isOpen(value.type);
  const number = written
    ? sql`regexp_replace(${text}, '(\\.\\d{${numeral(scale)}})\\d+$', '\\1')`
    : value.type.kind === "float"
      ? sql`(trunc(${value.tree} * 1e${numeral(scale)}) / 1e${numeral(scale)})`
      : plainNumber(context, value, "a decimal");
  return derive(sql`${tryCast(how)}(${number} AS DECIMAL(38, ${numeral(scale)}))`, type, [value], value.nullable || how.soft);
};

const plainNumber = (context: LoweringContext, value: Expression, wanted: string): Sql => {
  if (isTime(value.type)) return toInteger(context, value, INTEGER, { soft: true }).tree;
  if (!isNumeric(value.type) && value.type.kind !== "interval") throw cannotConvert(value, wanted);
  if (value.type.kind === "boolean") return sql`CAST(${value.tree} AS BIGINT)`;
  return rawText(value.tree) ?? value.tree;
};

const INTEGER: Integer = { kind: "integer", bits: 64, signed: true };

const toBoolean = (value: Expression, how: CastMode): Expression => {
  if (value.type.kind === "boolean") return value;
  if (isText(value.type) || isOpen(value.type)) {
    const word = sql`lower(${value.tree})`;
    const tree = sql`(CASE WHEN ${word} IN (${TRUE_WORDS}) THEN true WHEN ${word} IN (${FALSE_WORDS}) THEN false END)`;
    return derive(tree, BOOLEAN, [value], value.nullable || how.soft || value.known === undefined);
  }
  if (!isNumeric(value.type)) throw cannotConvert(value, "a boolean");
  return derive(sql`(${value.tree} <> 0)`, BOOLEAN, [value]);
};

const TRUE_WORDS = sql`'true', '1', 't', 'yes', 'y', 'on', 'enable', 'enabled'`;
const FALSE_WORDS = sql`'false', '0', 'f', 'no', 'n', 'off', 'disable', 'disabled'`;

/** What ClickHouse's days have no place for is a number of seconds there. */
const LAST_DAY = 65_535n;

/** Seconds of whose microseconds an integer of 64 bits still has room. */
const LAST_SECOND = MAX_INT64 / 1_000_000n - 1n;

/** Days of which DuckDB's calendar still has room. */
const FIRST_DAY = -2_000_000_000n;

/** A text that is no date is NULL; a number counts days since 1970, or seconds where it is beyond ClickHouse's days. */
export const toDate = (context: LoweringContext, value: Expression): Expression => {
  if (isTime(value.type)) return asDate(context, value);
  if (isText(value.type) || isOpen(value.type)) {
    const known = typeof value.known === "string" ? parseDay(value.known) : null;
    if (known !== null) return context.known(known, DATE);
    const text = value.tree;
    // In every format DuckDB reads words such as `infinity`, too.
    const tree = sql`coalesce(TRY_CAST(regexp_extract(${text}, '^\\s*(\\d{4}-\\d{1,2}-\\d{1,2})([ T].*)?$', 1) AS DATE), CASE WHEN regexp_matches(${text}, '\\d') THEN CAST(try_strptime(${text}, '%Y%m%d') AS DATE) END)`;
    return derive(tree, DATE, [value], true);
  }
  if (!isNumeric(value.type) || value.type.kind === "boolean") throw cannotConvert(value, "a date");
  const ofSeconds = asDate(context, toTimestamp(context, value));
  if (typeof value.known === "bigint" && value.known >= FIRST_DAY)
    return value.known > LAST_DAY ? ofSeconds : context.known(value.known, DATE);
  const day = sql`(DATE '1970-01-01' + TRY_CAST(trunc(${value.tree}) AS INTEGER))`;
  return derive(sql`(CASE WHEN ${value.tree} > ${numeral(LAST_DAY)} THEN ${ofSeconds.tree} ELSE ${day} END)`, DATE, [value], true);
};

/** Texts are read in the zone unless they name an offset, and are NULL when they are no time; numbers are seconds since 1970. */
export const toTimestamp = (context: LoweringContext, value: Expression, zone: Zone = context.zone): Expression => {
  if (isTime(value.type)) return asTimestamp(context, value);
  if (isText(value.type) || isOpen(value.type)) {
    const known = typeof value.known === "string" ? parseTimestamp(value.known, zone) : null;
    if (known !== null) return context.known(known, DATETIME64);
    return derive(bestEffortSql(context, value.tree, zone), DATETIME64, [value], true);
  }
  if (!isNumeric(value.type)) throw cannotConvert(value, "a time");
  if (typeof value.known === "bigint" && value.known <= LAST_SECOND && value.known >= -LAST_SECOND)
    return context.known(value.known * 1_000_000n, DATETIME);
  const isWhole = value.type.kind === "boolean" || value.type.kind === "integer";
  // So many seconds that their microseconds are no integer any more are no time.
  const counted = isWhole ? sql`CAST(${value.tree} AS HUGEINT) * 1000000` : sql`trunc(${value.tree} * 1000000)`;
  return derive(fromMicros(sql`TRY_CAST(${counted} AS BIGINT)`), DATETIME, [value], true);
};

const toArray = (context: LoweringContext, value: Expression, of: CastType, how: CastMode): Expression => {
  if (value.type.kind !== "array") throw cannotConvert(value, "an array");
  const item = argument();
  const from: Expression = { tree: item, type: value.type.of, nullable: value.type.nullable };
  const converted = castValue(context, from, of, how);
  const tree = converted.tree === item ? value.tree : sql`list_transform(${value.tree}, ${lambda([item], converted.tree)})`;
  return derive(tree, arrayType(converted.type, converted.nullable), [value]);
};

const toTuple = (context: LoweringContext, value: Expression, { of }: Extract<CastType, { kind: "tuple" }>, how: CastMode): Expression => {
  const from = value.type;
  if (from.kind !== "tuple" || from.of.length !== of.length) throw cannotConvert(value, `a tuple of ${of.length}`);
  const items = of.map(({ type }, index) => {
    const item =
      value.items?.[index] ?? derive(sql`struct_extract(${value.tree}, '${numeral(index + 1)}')`, from.of[index] ?? INT64, [value], true);
    return castValue(context, item, type, how);
  });
  const tree = sql`{${separated(items.map((item, index) => sql`'${numeral(index + 1)}': ${item.tree}`))}}`;
  return { ...derive(tree, tupleType(items), [value], false), items };
};

const cannotConvert = (value: Expression, wanted: string): QueryError =>
  new QueryError("illegal_type_of_argument", `Cannot convert ${typeName(value.type, value.nullable)} to ${wanted}.`);
