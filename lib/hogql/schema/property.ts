import { HOT } from "../../lake/event.ts";
import type { Expression } from "../expression.ts";
import type { PropertyOwner, Run } from "../run.ts";
import { parsedStampSql } from "../time-sql.ts";
import { BOOLEAN, DATETIME64, FLOAT, STRING } from "../types.ts";

export type HotColumn = (typeof HOT)[number];

const hotByName: ReadonlyMap<string, HotColumn> = new Map(HOT.map((hot) => [hot.property, hot]));

/** The column of its own that a property has in the event files. */
const hotColumn = (property: string): HotColumn | undefined => hotByName.get(property);

/** Text of the column that is read, asked for only when it is. */
export interface PropertySource {
  readonly owner: PropertyOwner;
  json(): string;
  hot(column: HotColumn): string;
}

/**
 * A property, or what lies under it: NULL when missing, null or an empty string; otherwise text, unless the project knows it
 * to be numeric, boolean or a time.
 */
export const property = (run: Run, source: PropertySource, path: readonly string[]): Expression => {
  const [name = ""] = path;
  const type = path.length === 1 ? run.options.propertyType?.(source.owner, name) : undefined;
  const hot = path.length === 1 && source.owner === "event" ? hotColumn(name) : undefined;
  if (hot?.type === "number") return numberProperty(run, source, hot, path, type === "Numeric");
  const raw = hot === undefined ? jsonText(run, source, path) : source.hot(hot);
  const text: Expression =
    hot === undefined
      ? { sql: `nullif(${raw}, '')`, raw, type: STRING, nullable: true, loose: name }
      : { sql: raw, type: STRING, nullable: true, loose: name };
  switch (type) {
    case "Numeric":
      return { sql: `TRY_CAST(${raw} AS DOUBLE)`, type: FLOAT, nullable: true, loose: name };
    case "Boolean":
      return {
        sql: `(CASE ${raw} WHEN 'true' THEN true WHEN '1' THEN true WHEN 'false' THEN false WHEN '0' THEN false END)`,
        type: BOOLEAN,
        nullable: true,
        loose: name,
      };
    case "DateTime":
      return { sql: parsedStampSql(run, raw, run.zone), type: DATETIME64, nullable: true, loose: name };
    default:
      return text;
  }
};

const numberProperty = (run: Run, source: PropertySource, hot: HotColumn, path: readonly string[], numeric: boolean): Expression => {
  const [name = ""] = path;
  if (numeric) return { sql: source.hot(hot), type: FLOAT, nullable: true, loose: name };
  const raw = jsonText(run, source, path);
  return { sql: `nullif(${raw}, '')`, raw, type: STRING, nullable: true, loose: name };
};

const jsonText = (run: Run, source: PropertySource, path: readonly string[]): string =>
  `json_extract_string(${source.json()}, ${run.bind(jsonPath(path))}::VARCHAR)`;

/** A path in DuckDB's syntax: every key in quotes, or DuckDB would read `$` and `.` as syntax. */
export const jsonPath = (path: readonly string[]): string =>
  path.reduce(
    (text, key) => `${text}${/^\d+$/.test(key) && text !== "$" ? `[${Number(key) - 1}]` : `."${key.replaceAll(/["\\]/g, "\\$&")}"`}`,
    "$",
  );
