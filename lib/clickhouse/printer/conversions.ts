import { castType } from "../../hogql/cast-types.ts";
import { type Type, typeName } from "../../hogql/types.ts";
import { quoteText } from "../sql/quote.ts";
import { knownDay } from "./fit.ts";
import { type Kind, type Piece, piece } from "./piece.ts";
import type { Statement } from "./statement.ts";
import { kindOfType } from "./type-kind.ts";
import { Unprintable } from "./unprintable.ts";

type Convert = (args: readonly Piece[], statement: Statement) => Piece;

/** What is no such value, and what the type cannot hold, becomes NULL. */
const accurate =
  (type: string, kind: Kind): Convert =>
  ([value]) =>
    piece(`accurateCastOrNull(${value?.sql}, ${quoteText(type)})`, kind);

/** Of a value whose type only ClickHouse knows: one form for texts, and one for all else. */
const byType = (sql: string, ofText: string, ofOthers: string): string => `if(match(toTypeName(${sql}), 'String'), ${ofText}, ${ofOthers})`;

/** A text that is no number becomes NULL; a number that the type cannot hold wraps around. */
const wrapping =
  (type: string): Convert =>
  ([value]) => {
    if (value === undefined) throw new Unprintable("a conversion of nothing");
    const ofText = (sql: string): string => `accurateCastOrNull(${sql}, '${type}')`;
    const ofOthers = `to${type}(${value.sql})`;
    if (value.kind === "text") return piece(ofText(value.sql), "number");
    return piece(value.kind === "other" ? byType(value.sql, ofText(`toString(${value.sql})`), ofOthers) : ofOthers, "number");
  };

const orDefault =
  (convert: Convert, fallback: string): Convert =>
  (args, statement) => {
    const { sql, kind } = convert(args, statement);
    return piece(`ifNull(${sql}, ${fallback})`, kind);
  };

/** The day at a text's beginning, or NULL. */
const dayIn = (sql: string): string =>
  `toDateOrNull(if(match(${sql}, '^\\\\d{8}$'), ${sql}, extract(${sql}, '^\\\\s*(\\\\d{4}-\\\\d{1,2}-\\\\d{1,2})(?:[ T].*)?$')))`;

/** A text is parsed and may be none; what is a time or number already is converted. */
const toDate: Convert = ([value]) => {
  if (value === undefined) throw new Unprintable("a conversion of nothing");
  if (value.kind === "time" || value.kind === "date" || value.kind === "number") return piece(`toDate(${value.sql})`, "date");
  return knownDay(value.known) ?? piece(dayIn(value.kind === "text" ? value.sql : `toString(${value.sql})`), "date");
};

/** Of a value whose type only ClickHouse knows: a number counts seconds, everything else is read as it is printed. */
const asText = (sql: string, zone: string): string =>
  `if(match(toTypeName(${sql}), '^(Nullable\\\\()?U?Int'), toString(toDateTime(accurateCastOrNull(toString(${sql}), 'Int64'), ${zone})), toString(${sql}))`;

const ownZone = ({ options, text }: Statement): string => text(options.timezone);

const toDateTime: Convert = ([value, zone], statement) => {
  if (value === undefined) throw new Unprintable("a conversion of nothing");
  const where = zone?.sql ?? ownZone(statement);
  if (value.kind === "time" || value.kind === "date" || value.kind === "number") return piece(`toDateTime(${value.sql}, ${where})`, "time");
  return piece(`parseDateTime64BestEffortOrNull(${value.kind === "other" ? asText(value.sql, where) : value.sql}, 6, ${where})`, "time");
};

const parseBestEffort =
  (called: string): Convert =>
  ([value, ...others], statement) => {
    const zone = others.find(({ known }) => typeof known === "string")?.sql ?? ownZone(statement);
    return piece(`${called}(${value?.sql}, 6, ${zone})`, "time");
  };

const toDateTime64: Convert = ([value, digits, zone], statement) => {
  const parsed = value?.kind === "text" && value.known === undefined ? "parseDateTime64BestEffortOrNull" : "toDateTime64";
  return piece(`${parsed}(${value?.sql}, ${digits?.sql ?? 6}, ${zone?.sql ?? ownZone(statement)})`, "time");
};

const parseDateTime: Convert = ([value, format, zone], statement) =>
  piece(`parseDateTimeOrNull(${value?.sql}, ${format?.sql}, ${zone?.sql ?? ownZone(statement)})`, "time");

/** The moment of the run: never the server's. */
const micros = ({ options }: Statement): bigint => BigInt(Math.floor(options.now)) * 1000n;

const now: Convert = ([zone], statement) =>
  piece(`toDateTime(toInt64(${micros(statement) / 1_000_000n}), ${zone?.sql ?? ownZone(statement)})`, "time");

const now64: Convert = (_, statement) => piece(nowSql(statement), "time");

const nowSql = (statement: Statement): string => `fromUnixTimestamp64Micro(toInt64(${micros(statement)}), ${ownZone(statement)})`;

const today =
  (daysAgo: number): Convert =>
  (_, statement) =>
    piece(`toDate(${nowSql(statement)}) - ${daysAgo}`, "date");

const TRUE_WORDS = "'true', '1', 't', 'yes', 'y', 'on', 'enable', 'enabled'";
const FALSE_WORDS = "'false', '0', 'f', 'no', 'n', 'off', 'disable', 'disabled'";

const toBool: Convert = ([value]) => {
  if (value === undefined) throw new Unprintable("a conversion of nothing");
  const { sql, kind } = value;
  const ofText = (text: string): string =>
    `multiIf(lower(${text}) IN (${TRUE_WORDS}), true, lower(${text}) IN (${FALSE_WORDS}), false, NULL)`;
  if (kind === "text") return piece(ofText(sql));
  return piece(kind === "other" ? byType(sql, ofText(`toString(${sql})`), `toBool(${sql})`) : `toBool(${sql})`);
};

const toDecimal: Convert = ([value, scale]) => {
  if (typeof scale?.known !== "number" || !Number.isInteger(scale.known)) throw new Unprintable("a decimal without its digits");
  return piece(`accurateCastOrNull(${value?.sql}, 'Decimal(38, ${scale.known})')`, "number");
};

const toText: Convert = ([value, zone]) => piece(`toString(${[value, zone].flatMap((arg) => arg?.sql ?? []).join(", ")})`, "text");

const toUuid = accurate("UUID", "uuid");

/** `mode`: whether a text that is no such value is an error, or NULL, or a number that does not fit is NULL as well. */
export const castTo = (statement: Statement, value: Piece, name: string, mode: "strict" | "soft" | "accurate"): Piece => {
  const type = castType(name);
  if (type === undefined) throw new Unprintable("a cast to a type that the language does not have");
  switch (type.kind) {
    case "string":
      return toText([value], statement);
    case "date":
      return toDate([value], statement);
    case "datetime":
      return toDateTime64([value, { sql: String(type.digits), kind: "number" }, ...zoneOf(statement, type)], statement);
    case "boolean":
      return toBool([value], statement);
    case "integer":
    case "float":
      if (mode === "soft" || (mode === "strict" && value.kind !== "text")) return wrapping(typeName(type))([value], statement);
      break;
    default:
  }
  const called = mode === "strict" && !/^\s*nullable/i.test(name) ? "CAST" : "accurateCastOrNull";
  return piece(`${called}(${value.sql}, ${quoteText(typeName(type))})`, kindOfType(type));
};

const zoneOf = ({ text }: Statement, { zone }: Extract<Type, { kind: "datetime" }>): readonly Piece[] =>
  zone === undefined ? [] : [{ sql: text(zone), kind: "text" }];

const cast =
  (mode: "soft" | "accurate"): Convert =>
  ([value, type], statement) => {
    if (value === undefined) throw new Unprintable("a conversion of nothing");
    return castTo(statement, value, String(type?.known), mode);
  };

const all = (names: readonly string[], convert: Convert): readonly (readonly [string, Convert])[] =>
  names.map((name) => [name, convert] as const);

const NUMBERS = ["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64"].flatMap((type) => {
  // Floats of 32 bits have 64 here.
  const wanted = type.replace("Float32", "Float64");
  return [
    ...all([`to${type}`, `_to${type}`], wrapping(wanted)),
    ...all([`to${type}OrNull`], accurate(wanted, "number")),
    ...all([`to${type}OrZero`, `to${type}OrDefault`], orDefault(accurate(wanted, "number"), "0")),
  ];
});

const toInt = accurate("Int64", "number");
const toFloat = accurate("Float64", "number");

/** Conversions, and what asks for the time: the forms in which the dialect has them. */
export const CONVERSIONS: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ...NUMBERS,
  ...all(["toInt", "toIntOrNull"], toInt),
  ...all(["toIntOrZero"], orDefault(toInt, "0")),
  ...all(["toUInt"], accurate("UInt64", "number")),
  ...all(["toFloat", "toFloatOrNull"], toFloat),
  ...all(["toFloatOrZero", "toFloatOrDefault"], orDefault(toFloat, "0")),
  ...all(["toBool", "toBoolean"], toBool),
  ...all(["toUUID", "toUUIDOrNull"], toUuid),
  ...all(["toUUIDOrZero", "toUUIDOrDefault"], orDefault(toUuid, "toUUID('00000000-0000-0000-0000-000000000000')")),
  ...all(
    ["toDecimal", "toDecimal32", "toDecimal64", "toDecimal128", "toDecimal32OrNull", "toDecimal64OrNull", "toDecimal128OrNull"],
    toDecimal,
  ),
  ...all(["toString"], toText),
  ...all(["toDate", "toDate32", "toDateOrNull", "toDate32OrNull"], toDate),
  ...all(["toDateOrZero", "toDateOrDefault"], orDefault(toDate, "toDate(0)")),
  ...all(["toDateTime", "toDateTimeOrNull"], toDateTime),
  ...all(["toDateTime64", "toDateTime64OrNull"], toDateTime64),
  ...all(
    ["parseDateTimeBestEffort", "parseDateTime64BestEffort", "parseDateTimeBestEffortOrNull", "parseDateTime64BestEffortOrNull"],
    parseBestEffort("parseDateTime64BestEffortOrNull"),
  ),
  ...all(
    ["parseDateTimeBestEffortUS", "parseDateTimeBestEffortUSOrNull", "parseDateTime64BestEffortUS"],
    parseBestEffort("parseDateTime64BestEffortUSOrNull"),
  ),
  ...all(["parseDateTime", "parseDateTimeOrNull"], parseDateTime),
  ...all(["cast", "CAST", "_CAST"], cast("soft")),
  ...all(["accurateCast", "accurateCastOrNull"], cast("accurate")),
  ...all(["now", "NOW", "nowInBlock"], now),
  ...all(["now64"], now64),
  ...all(["today", "current_date"], today(0)),
  ...all(["yesterday"], today(1)),
  ...all(["timeZone", "timezone", "serverTimezone"], (_, statement) => piece(`toString(${ownZone(statement)})`, "text")),
]);
