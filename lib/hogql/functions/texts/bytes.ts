import { NOTHING, numeral, type Sql, sql } from "../../sql/fragment.ts";
/**
 * Places in texts count bytes, as in ClickHouse, while DuckDB counts characters. Where a text is ASCII both are the same, which is
 * asked first because it costs next to nothing. A character that a cut goes through is left out: broken ones cannot be kept here.
 */
export type Unit = "bytes" | "characters";

const isAscii = (x: Sql): Sql => sql`strlen(${x}) = length(${x})`;

/** Folds ASCII letters only; `upper` likewise. */
export const asciiLower = (x: Sql): Sql => sql`(CASE WHEN ${isAscii(x)} THEN lower(${x}) ELSE translate(${x}, '${UPPER}', '${LOWER}') END)`;
export const asciiUpper = (x: Sql): Sql => sql`(CASE WHEN ${isAscii(x)} THEN upper(${x}) ELSE translate(${x}, '${LOWER}', '${UPPER}') END)`;

const LOWER = sql`abcdefghijklmnopqrstuvwxyz`;
const UPPER = sql`ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

/** Where `part` begins in `x`, from 1; 0 when it is nowhere. */
export const characterPlace = (x: Sql, part: Sql, unit: Unit): Sql =>
  unit === "characters"
    ? sql`strpos(${x}, ${part})`
    : sql`(CASE WHEN ${isAscii(x)} THEN strpos(${x}, ${part}) ELSE CASE contains(${x}, ${part}) WHEN true THEN strlen(left(${x}, strpos(${x}, ${part}) - 1)) + 1 WHEN false THEN 0 END END)`;

/** More than any text holds; four times as much is still a place that the engine takes. */
const FAR = sql`1000000000`;

/** A place or a size, where one that is farther than any text reaches is as good as the farthest. NULL becomes one of these: look for it before. */
export const withinReach = (n: Sql): Sql => sql`least(greatest(${n}, -${FAR}), ${FAR})`;

/** A part of `x`: `begin` counts from 1, or from the end when negative; a negative `most` leaves as much out at the end. */
export const cut = (x: Sql, begin: Sql, most: Sql | undefined, unit: Unit): Sql => {
  const [start, size] = [withinReach(begin), most && withinReach(most)];
  const cutBy = (length: Sql, between: (from: Sql, to: Sql) => Sql): Sql => {
    const from = sql`(CASE WHEN ${start} > 0 THEN ${start} - 1 ELSE ${length} + ${start} END)`;
    const to = size === undefined ? length : sql`(CASE WHEN ${size} >= 0 THEN ${from} + ${size} ELSE ${length} + ${size} END)`;
    return between(sql`greatest(${from}, 0)`, to);
  };
  const characters = cutBy(sql`length(${x})`, (from, to) => sql`substring(${x}, ${from} + 1, greatest(${to} - ${from}, 0))`);
  const bytes = cutBy(sql`strlen(${x})`, (from, to) =>
    cutToCharacters(sql`substring(hex(${x}), 2 * ${from} + 1, greatest(2 * (${to} - ${from}), 0))`),
  );
  const all = unit === "characters" ? characters : sql`CASE WHEN ${isAscii(x)} THEN ${characters} ELSE ${bytes} END`;
  return sql`(CASE WHEN ${start} = 0 THEN '' ELSE ${all} END)`;
};

/** The text of bytes in hexadecimal, without the parts of characters at either end. */
const cutToCharacters = (hex: Sql): Sql =>
  sql`decode(unhex(regexp_replace(regexp_replace(${hex}, '^([89AB].)+', ''), '([CD].|E.([89AB].)?|F.([89AB].){0,2})$', '')))`;

/** `cut` where start and size are known and not negative, which is what most queries have. */
export const cutKnown = (x: Sql, start: number, size: number | undefined, unit: Unit): Sql => {
  const characters = sql`substring(${x}, ${numeral(start)}${size === undefined ? NOTHING : sql`, ${numeral(size)}`})`;
  if (unit === "characters") return characters;
  const length = size === undefined ? NOTHING : sql`, ${numeral(2 * size)}`;
  return sql`(CASE WHEN ${isAscii(x)} THEN ${characters} ELSE ${cutToCharacters(sql`substring(hex(${x}), ${numeral(2 * start - 1)}${length})`)} END)`;
};
