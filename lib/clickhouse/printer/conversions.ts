import { type Kind, type Piece, piece } from "./piece.ts";
import type { Statement } from "./statement.ts";

type Convert = (args: readonly Piece[], statement: Statement) => Piece;

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

const ownZone = ({ options, text }: Statement): string => text(options.timezone);

const toDateTime: Convert = ([value, zone], statement) => {
  if (value === undefined) return piece("toDateTime()", "time");
  const where = zone?.sql ?? ownZone(statement);
  if (value.kind === "time" || value.kind === "date" || value.kind === "number") return piece(`toDateTime(${value.sql}, ${where})`, "time");
  return piece(`parseDateTime64BestEffortOrNull(${value.kind === "other" ? asText(value.sql, where) : value.sql}, 6, ${where})`, "time");
};

const parseBestEffort: Convert = ([value, zone], statement) =>
  piece(`parseDateTime64BestEffortOrNull(${value?.sql}, 6, ${zone?.sql ?? ownZone(statement)})`, "time");

const toDateTime64: Convert = ([value, digits, zone], statement) => {
  const parsed = value?.kind === "text" && value.known === undefined ? "parseDateTime64BestEffortOrNull" : "toDateTime64";
  return piece(`${parsed}(${value?.sql}, ${digits?.sql ?? 6}, ${zone?.sql ?? ownZone(statement)})`, "time");
};

const now: Convert = (_, statement) => piece(nowSql(statement), "time");

const nowSql = (statement: Statement): string =>
  `fromUnixTimestamp64Micro(toInt64(${BigInt(Math.floor(statement.options.now)) * 1000n}), ${ownZone(statement)})`;

const today =
  (daysAgo: number): Convert =>
  (_, statement) =>
    piece(`toDate(${nowSql(statement)}) - ${daysAgo}`, "date");

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
    ([value, format, zone], statement) =>
      piece(`parseDateTimeOrNull(${value?.sql}, ${format?.sql}, ${zone?.sql ?? ownZone(statement)})`, "time"),
  ],
  ["now", now],
  ["nowInBlock", now],
  ["now64", now],
  ["today", today(0)],
  ["yesterday", today(1)],
]);
