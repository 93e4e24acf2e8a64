import { didYouMean } from "../../../core/suggest.ts";
import type { LoweringContext } from "../../analysis/context.ts";
import { defaultSql } from "../../analysis/duckdb-types.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { NULL_SQL, parameter, sql } from "../../sql/fragment.ts";
import { fromLocal } from "../../time/time-sql.ts";
import { timeZone, type Zone } from "../../time-zone.ts";
import { DATETIME64, isText, STRING, type Type, typeName } from "../../types.ts";
import { bestEffortSql, type DayOrder } from "../dates/best-effort.ts";
import { floorToSpan } from "../dates/date-floor.ts";
import type { FunctionSpec, Scalar } from "../spec.ts";
import { type CastMode, castValue, toTimestamp } from "./cast.ts";
import { toJson } from "./to-string.ts";
import { type CastType, findType, subsecondDigits, TYPE_NAMES } from "./type-names.ts";

const given = (value: Expression | undefined): Expression => {
  if (value === undefined) throw new QueryError("number_of_arguments_doesnt_match", "An argument is missing.");
  return value;
};

const SOFT: CastMode = { soft: true };
const ACCURATE: CastMode = { soft: true, accurate: true };

const to = (name: string, wanted: CastType, how: CastMode = SOFT, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["any"],
  lower: ([value], context) => castValue(context, given(value), wanted, how),
});

/** Instead of NULL, the default of the type. */
const orDefault = (name: string, wanted: CastType, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["any"],
  lower: ([value], context) => {
    const converted = castValue(context, given(value), wanted, ACCURATE);
    return derive(sql`coalesce(${converted.tree}, ${defaultSql(converted.type) ?? NULL_SQL})`, converted.type, [converted], false);
  },
});

const INTEGERS: readonly (readonly [string, CastType])[] = ([8, 16, 32, 64] as const).flatMap((bits) => [
  [`Int${bits}`, { kind: "integer", bits, signed: true }] as const,
  [`UInt${bits}`, { kind: "integer", bits, signed: false }] as const,
]);
const INT64_WANTED: CastType = { kind: "integer", bits: 64, signed: true };
const FLOAT_WANTED: CastType = { kind: "float" };

/** The functions that are named by a type: `toInt8`, `_toInt64`, `toUInt16OrNull`, `toFloat64OrZero`, … */
const namedByType: readonly FunctionSpec[] = [...INTEGERS, ["Float32", FLOAT_WANTED] as const, ["Float64", FLOAT_WANTED] as const].flatMap(
  ([name, wanted]) => [
    to(`to${name}`, wanted, SOFT, `_to${name}`),
    to(`to${name}OrNull`, wanted, ACCURATE),
    orDefault(`to${name}OrZero`, wanted, `to${name}OrDefault`),
  ],
);

/** Digits of the second, then a zone, in which a text is read and the value shown. */
const inZone = (args: readonly Expression[], context: LoweringContext): { readonly zone: Zone; readonly named: boolean } => {
  const name = args.findLast((arg) => typeof arg.known === "string")?.known;
  return typeof name === "string" ? { zone: timeZone(name), named: true } : { zone: context.zone, named: false };
};

const timestampType = (digits: 0 | 3 | 6, { zone, named }: { readonly zone: Zone; readonly named: boolean }): Type => ({
  kind: "datetime",
  digits,
  ...(named ? { zone: zone.name } : {}),
});

/** `toDateTime(x, 'zone')`: whole seconds of a time or number, but all digits of a text, as the language reads it by best effort. */
const toDateTime: Scalar = {
  kind: "scalar",
  name: "toDateTime",
  aliases: ["toDateTimeOrNull"],
  takes: ["any", "constant text"],
  optional: 1,
  lower: ([first, ...rest], context) => {
    const value = given(first);
    const place = inZone(rest, context);
    const timestamp = toTimestamp(context, value, place.zone);
    const type = timestampType(isText(value.type) ? 6 : 0, place);
    const isFraction =
      value.type.kind === "datetime" ? value.type.digits > 0 : value.type.kind === "float" || value.type.kind === "decimal";
    if (isFraction) return floorToSpan(context, timestamp, 1_000_000n, type);
    return { ...timestamp, type };
  },
};

const SCALES: Readonly<Record<0 | 3 | 6, bigint>> = { 0: 1_000_000n, 3: 1000n, 6: 1n };

const toDateTime64: Scalar = {
  kind: "scalar",
  name: "toDateTime64",
  aliases: ["toDateTime64OrNull"],
  takes: ["any", "any", "constant text"],
  optional: 2,
  lower: ([first, ...rest], context) => {
    const place = inZone(rest, context);
    const digits = rest[0]?.type.kind === "integer" ? subsecondDigits(Number(rest[0].known)) : 6;
    const timestamp = toTimestamp(context, given(first), place.zone);
    const type = timestampType(digits, place);
    return digits === 6 ? { ...timestamp, type } : floorToSpan(context, { ...timestamp, type: DATETIME64 }, SCALES[digits], type);
  },
};

/** Texts in any of the usual forms; NULL for what is none. */
const bestEffort = (name: string, order: DayOrder, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["any", "any", "constant text"],
  optional: 2,
  lower: ([first, ...rest], context) => {
    const value = given(first);
    const place = inZone(rest, context);
    const type = timestampType(6, place);
    if (order === "day first" || !isText(value.type)) return { ...toTimestamp(context, value, place.zone), type };
    return derive(bestEffortSql(context, value.tree, place.zone, order), type, [value], true);
  },
});

/** ClickHouse's letters of a date format, where `strptime` has others. Throws `QueryError` for one that neither has. */
const strptimeFormat = (format: string): string =>
  format.replaceAll(/%(-?.|$)/gs, (_, letter: string) => {
    const known = STRPTIME.get(letter) ?? (READ.test(letter) ? `%${letter}` : undefined);
    if (known === undefined) throw new QueryError("invalid_input", `\`parseDateTime\` does not know %${letter}.`);
    return known;
  });

/** What `strptime` reads; a number is read without its zeros, too. */
const READ = /^(?:[aAbBdfgGHIjmMnpSuUVwWxXyYzZ%]|-[dHIjmMSy])$/;

const STRPTIME: ReadonlyMap<string, string> = new Map([
  ["i", "%M"],
  ["h", "%I"],
  ["s", "%S"],
  ["e", "%d"],
  ["M", "%B"],
  ["W", "%A"],
  ["F", "%Y-%m-%d"],
  ["T", "%H:%M:%S"],
  ["D", "%m/%d/%y"],
  ["R", "%H:%M"],
  ["r", "%I:%M %p"],
  ["c", "%m"],
  ["k", "%H"],
  ["l", "%I"],
]);

const parseDateTime: Scalar = {
  kind: "scalar",
  name: "parseDateTime",
  aliases: ["parseDateTimeOrNull"],
  takes: ["text", "constant text", "constant text"],
  optional: 1,
  lower: ([value, format, ...rest], context) => {
    const place = inZone(rest, context);
    const pattern = parameter(strptimeFormat(String(given(format).known)));
    const local = sql`epoch_us(try_strptime(${given(value).tree}, ${pattern}::VARCHAR))`;
    return derive(fromLocal(context, place.zone, local), timestampType(0, place), [given(value)], true);
  },
};

/** `CAST(x, 'Type')` and `accurateCastOrNull(x, 'Type')`. */
const castTo = (name: string, how: CastMode, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["any", "constant text"],
  lower: ([value, type], context) => {
    const wanted = findType(String(type?.known));
    if (wanted !== undefined) return castValue(context, given(value), wanted, how);
    throw new QueryError("unsupported", `Cannot cast to this type.${didYouMean(String(type?.known), TYPE_NAMES)}`);
  },
});

export const CONVERSION_FUNCTIONS: readonly FunctionSpec[] = [
  to("toString", { kind: "text" }),
  to("toInt", INT64_WANTED, ACCURATE, "toIntOrNull"),
  to("toUInt", { kind: "integer", bits: 64, signed: false }, ACCURATE),
  orDefault("toIntOrZero", INT64_WANTED),
  to("toFloat", FLOAT_WANTED, ACCURATE, "toFloatOrNull"),
  orDefault("toFloatOrZero", FLOAT_WANTED, "toFloatOrDefault"),
  ...namedByType,
  to("toBool", { kind: "boolean" }, SOFT, "toBoolean"),
  to("toDate", { kind: "date" }, SOFT, "toDate32", "toDateOrNull", "toDate32OrNull"),
  orDefault("toDateOrZero", { kind: "date" }, "toDateOrDefault"),
  to("toUUID", { kind: "uuid" }, SOFT, "toUUIDOrNull"),
  orDefault("toUUIDOrZero", { kind: "uuid" }, "toUUIDOrDefault"),
  toDateTime,
  toDateTime64,
  {
    kind: "scalar",
    name: "toDecimal",
    aliases: ["toDecimal32", "toDecimal64", "toDecimal128", "toDecimal32OrNull", "toDecimal64OrNull", "toDecimal128OrNull"],
    takes: ["any", "constant integer"],
    lower: ([value, scale], context) => {
      const wanted = findType(`Decimal64(${scale?.known})`);
      if (wanted === undefined) throw new QueryError("invalid_input", "The scale of a decimal must be a whole number from 0 to 38.");
      return castValue(context, given(value), wanted, SOFT);
    },
  },
  bestEffort(
    "parseDateTimeBestEffort",
    "day first",
    "parseDateTime64BestEffort",
    "parseDateTimeBestEffortOrNull",
    "parseDateTime64BestEffortOrNull",
  ),
  bestEffort("parseDateTimeBestEffortUS", "month first", "parseDateTimeBestEffortUSOrNull", "parseDateTime64BestEffortUS"),
  parseDateTime,
  { kind: "scalar", name: "toJSONString", takes: ["any"], lower: ([value], context) => toJson(context, given(value)) },
  {
    kind: "scalar",
    name: "toTypeName",
    takes: ["any"],
    lower: ([value], context) => context.known(typeName(given(value).type, given(value).nullable), STRING),
  },
  castTo("accurateCastOrNull", ACCURATE, "accurateCast"),
  castTo("cast", SOFT, "CAST", "_CAST"),
];
