import { parseDay, parseTimestamp } from "../../hogql/calendar.ts";
import { timeZone } from "../../hogql/time-zone.ts";
import { quoteText } from "../sql/quote.ts";
import type { Piece } from "./piece.ts";
import type { Statement } from "./statement.ts";

const DAY_DIGITS = String.raw`\d{4}-\d{1,2}-\d{1,2}`;
const CLOCK_DIGITS = String.raw`[ T]\d{1,2}:\d{1,2}(?::\d{1,2}(?:\.\d+)?)?`;
const ISO_TIME = quoteText(String.raw`^\s*(${DAY_DIGITS}(?:${CLOCK_DIGITS})?\s*(?:Z|UTC|[+-]\d\d(?::?\d\d)?)?)\s*$`);
const ISO_DAY = quoteText(String.raw`^\s*(${DAY_DIGITS})\s*$`);

/** A constant text as the time that it says, which is then known to be one; undefined where it says none that ClickHouse can hold. */
const knownTime = ({ options, text }: Statement, known: Piece["known"]): Piece | undefined => {
  const zone = options.timezone;
  const micros = typeof known === "string" ? parseTimestamp(known, timeZone(zone)) : null;
  if (micros === null) return undefined;
  return { sql: `fromUnixTimestamp64Micro(toInt64(${micros}), ${text(zone)})`, kind: "time" };
};

/** The days of ClickHouse's `Date`. */
const LAST_DAY = 65_535n;

/** The same of a day. */
export const knownDay = (known: Piece["known"]): Piece | undefined => {
  const day = typeof known === "string" ? parseDay(known) : null;
  return day === null || day < 0n || day > LAST_DAY ? undefined : { sql: `toDate(toUInt16(${day}))`, kind: "date" };
};

/** A text as the time that it says in ISO's form, in the project's zone; NULL where it is none. */
export const asTime = ({ options, text }: Pick<Statement, "options" | "text">, { sql }: Pick<Piece, "sql">): Piece => ({
  sql: `parseDateTime64BestEffortOrNull(extract(${sql}, ${ISO_TIME}), 6, ${text(options.timezone)})`,
  kind: "time",
});

const asDay = ({ sql }: Piece): Piece => ({ sql: `toDateOrNull(extract(left(${sql}, 10), ${ISO_DAY}))`, kind: "date" });

const DAY = /^\d{4}-\d{1,2}-\d{1,2}$/;
const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** A value as it stands beside another in a comparison: ClickHouse reads constants by itself, and texts that depend on rows not at all. */
export const fitBeside = (statement: Statement, value: Piece, other: Piece): Piece => {
  if (value.kind !== "text") return value;
  const { known } = value;
  switch (other.kind) {
    case "time":
      return knownTime(statement, known) ?? (known === undefined ? asTime(statement, value) : value);
    case "date":
      if (known === undefined) return asDay(value);
      return (DAY.test(String(known)) ? knownDay(known) : knownTime(statement, known)) ?? value;
    case "uuid":
      return { sql: `accurateCastOrNull(${value.sql}, 'UUID')`, kind: "uuid" };
    default:
      return value;
  }
};

/** A list of texts beside an id, of which only those that are ids can be equal to one. */
export const fitList = (statement: Statement, list: Piece, item: Piece): Piece => {
  const { texts } = list;
  if (item.kind !== "uuid" || texts === undefined) return list;
  return { sql: `arrayMap(one -> toUUID(one), ${statement.texts(texts.filter((text) => UUID.test(text)))})`, kind: "other" };
};

/** Starts of what is shorter than a day, which ClickHouse does not find in dates. */
const WITHIN_A_DAY = /^(toStartOf(Hour|Minute|Second|Millisecond|FiveMinutes?|TenMinutes|FifteenMinutes)|timeSlot)$/;

/** What functions take of an argument, by the words of their entries. */
export const fitArgument = (statement: Statement, value: Piece, name: string, take: string | undefined): Piece => {
  if (take !== "time" && take !== "timestamp" && take !== "date") return value;
  if (value.kind === "text") {
    const time = asTime(statement, value);
    return take === "date" ? { sql: `toDate(${time.sql})`, kind: "date" } : time;
  }
  if (value.kind === "date" && (take === "timestamp" || WITHIN_A_DAY.test(name))) {
    // Days before 1970 have no `DateTime`.
    return { sql: `toDateTime64(${value.sql}, 0, ${statement.text(statement.options.timezone)})`, kind: "time" };
  }
  return value;
};
