import type { LowerOptions } from "../../../lib/hogql/options.ts";
import { type Kind, type Piece, piece, text } from "./piece.ts";

type Convert = (args: readonly Piece[], options: LowerOptions) => Piece;

const soft =
  (type: string, kind: Kind): Convert =>
  ([value]) =>
    piece(`accurateCastOrNull(${value?.sql}, '${type}')`, kind);

/** A text is parsed and may be none; what is a time or number already is converted. */
const toDate: Convert = ([value]) => {
  if (value === undefined) return piece("toDate()", "date");
  if (value.kind === "time" || value.kind === "date" || value.kind === "number") return piece(`toDate(${value.sql})`, "date");
  return piece(value.kind === "other" ? `toDateOrNull(toString(${value.sql}))` : `toDateOrNull(${value.sql})`, "date");
};

/** Of a value whose type only ClickHouse knows: a number counts seconds, everything else is read as it is printed. */
const asText = (sql: string, zone: string): string =>
  `if(match(toTypeName(${sql}), '^(Nullable\\\\()?U?Int'), toString(toDateTime(accurateCastOrNull(toString(${sql}), 'Int64'), ${zone})), toString(${sql}))`;

const toDateTime: Convert = ([value, zone], options) => {
  if (value === undefined) return piece("toDateTime()", "time");
  const where = zone?.sql ?? text(options.timezone);
  if (value.kind === "time" || value.kind === "date" || value.kind === "number") return piece(`toDateTime(${value.sql}, ${where})`, "time");
  return piece(`parseDateTime64BestEffortOrNull(${value.kind === "other" ? asText(value.sql, where) : value.sql}, 6, ${where})`, "time");
};

const parseBestEffort: Convert = ([value, zone], options) =>
  piece(`parseDateTime64BestEffortOrNull(${value?.sql}, 6, ${zone?.sql ?? text(options.timezone)})`, "time");

const toDateTime64: Convert = ([value, digits, zone], options) => {
  const parsed = value?.kind === "text" && value.known === undefined ? "parseDateTime64BestEffortOrNull" : "toDateTime64";
  return piece(`${parsed}(${value?.sql}, ${digits?.sql ?? 6}, ${zone?.sql ?? text(options.timezone)})`, "time");
};

const now: Convert = (_, { now: ms, timezone }) => piece(nowSql(ms, timezone), "time");

const nowSql = (ms: number, timezone: string): string => `fromUnixTimestamp64Micro(toInt64(${BigInt(ms) * 1000n}), ${text(timezone)})`;

const today =
  (daysAgo: number): Convert =>
  (_, { now: ms, timezone }) =>
    piece(`toDate(${nowSql(ms, timezone)}) - ${daysAgo}`, "date");

/** Conversions, and what asks for the time: the forms in which the dialect has them. */
export const CONVERSIONS: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ["toInt", soft("Int64", "number")],
  ["toFloat", soft("Float64", "number")],
  ["toUUID", soft("UUID", "other")],
  ["toDecimal", ([value, scale]) => piece(`accurateCastOrNull(${value?.sql}, 'Decimal64(${scale?.sql})')`, "number")],
  ["toString", ([value, zone]) => piece(`toString(${[value, zone].flatMap((arg) => arg?.sql ?? []).join(", ")})`, "text")],
  ["toDate", toDate],
  ["toDateTime", toDateTime],
  ["toDateTime64", toDateTime64],
  ["parseDateTimeBestEffort", parseBestEffort],
  [
    "parseDateTime",
    ([value, format, zone], { timezone }) =>
      piece(`parseDateTimeOrNull(${value?.sql}, ${format?.sql}, ${zone?.sql ?? text(timezone)})`, "time"),
  ],
  ["now", now],
  ["nowInBlock", now],
  ["now64", now],
  ["today", today(0)],
  ["yesterday", today(1)],
]);
