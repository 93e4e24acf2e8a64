import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { parameter, type Sql, separated, sql } from "../../sql/fragment.ts";
import { localMicros, micros, naive } from "../../time/time-sql.ts";
import { timeZone } from "../../time-zone.ts";
import { DATETIME, STRING } from "../../types.ts";
import type { Scalar } from "../spec.ts";

/** The formats of `strftime` by ClickHouse's letters. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ...["Y", "y", "m", "d", "H", "I", "S", "p", "j", "a", "b", "V", "G", "u", "w", "%"].map((letter) => [letter, `%${letter}`] as const),
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

/** Letters that `strftime` does not have, computed from the wall clock's reading. */
const COMPUTED: ReadonlyMap<string, (local: Sql, offset: Sql) => Sql> = new Map([
  ["C", (local: Sql) => sql`lpad(CAST(year(${local}) // 100 AS VARCHAR), 2, '0')`],
  ["g", (local: Sql) => sql`lpad(CAST(isoyear(${local}) % 100 AS VARCHAR), 2, '0')`],
  ["Q", (local: Sql) => sql`CAST(quarter(${local}) AS VARCHAR)`],
  [
    "z",
    (_: Sql, offset: Sql) =>
      sql`(CASE WHEN ${offset} < 0 THEN '-' ELSE '+' END || lpad(CAST(abs(${offset}) // 3600 AS VARCHAR), 2, '0') || lpad(CAST(abs(${offset}) % 3600 // 60 AS VARCHAR), 2, '0'))`,
  ],
]);

/** A timestamp by a format in ClickHouse's letters. */
export const formatDate = (context: LoweringContext, timestamp: Expression, format: string): Expression => {
  const local = naive(context, timestamp);
  const offset = sql`((${localMicros(context, timestamp)} - ${micros(timestamp)}) // 1000000)`;
  const pieces = format.split(/(%[CgQz])/).filter((piece) => piece !== "");
  const texts = pieces.map((piece) => {
    const computed = piece.length === 2 && piece.startsWith("%") ? COMPUTED.get(piece.slice(1)) : undefined;
    return computed?.(local, offset) ?? sql`strftime(${local}, ${parameter(strftimeFormat(piece))}::VARCHAR)`;
  });
  return derive(texts.length === 0 ? sql`''` : sql`(${separated(texts, sql` || `)})`, STRING, [timestamp]);
};

const strftimeFormat = (format: string): string =>
  format.replaceAll(/%(.)/g, (_, letter: string) => {
    const known = FORMATS.get(letter);
    if (known === undefined) throw new QueryError("invalid_input", `\`formatDateTime\` does not know %${letter}.`);
    return known;
  });

/** `formatDateTime(x, format[, zone])`. */
export const FORMAT_DATE_TIME: Scalar = {
  kind: "scalar",
  name: "formatDateTime",
  aliases: ["DATE_FORMAT"],
  takes: ["timestamp", "constant text", "constant text"],
  optional: 1,
  lower: ([timestamp, pattern, zone], context) => {
    const value = timestamp ?? context.known(null, DATETIME);
    const placed: Expression =
      typeof zone?.known === "string" && value.type.kind === "datetime"
        ? { ...value, type: { ...value.type, zone: timeZone(zone.known).name } }
        : value;
    return formatDate(context, placed, String(pattern?.known));
  },
};
