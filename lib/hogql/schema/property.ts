import { HOT } from "../../lake/event.ts";
import type { Expression } from "../analysis/expression.ts";
import type { PropertyOwner, PropertyType, Run } from "../analysis/run.ts";
import { BOOLEAN, DATETIME64, FLOAT, STRING, UNTYPED } from "../analysis/types.ts";
import { type JsonStep, jsonPath } from "../sql/json-path.ts";
import { parsedStampSql } from "../time/time-sql.ts";

export type HotColumn = (typeof HOT)[number];

const hotByName: ReadonlyMap<string, HotColumn> = new Map(HOT.map((hot) => [hot.property, hot]));

/** The column of its own that a property has in the event files. */
const hotColumn = (property: string): HotColumn | undefined => hotByName.get(property);

/** Text of the column that is read, asked for only when it is. */
export interface PropertySource {
  /** Whose properties they are; several owners in one table share a type when they agree on it. */
  readonly owners: readonly PropertyOwner[];
  /** What the JSON holds under a path, which is a text of the statement. */
  text(path: string): string;
  hot(column: HotColumn): string;
}

/**
 * A property, or what lies under it: NULL when missing, null or an empty string; otherwise text, unless the project knows it
 * to be numeric, boolean or a time.
 */
export const property = (run: Run, source: PropertySource, steps: readonly JsonStep[]): Expression => {
  const name = String(steps[0] ?? "");
  const path = [name, ...steps.slice(1)];
  const type = path.length === 1 ? typeOf(run, source, name) : undefined;
  const hot = path.length === 1 && source.owners.includes("event") ? hotColumn(name) : undefined;
  if (hot?.type === "number") return numberProperty(run, source, hot, path, type === "Numeric");
  const raw = hot === undefined ? source.text(`${run.bind(jsonPath(path))}::VARCHAR`) : source.hot(hot);
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
      return path.length === 1 && mayGetType(run, type) ? { ...text, type: UNTYPED } : text;
  }
};

const typeOf = (run: Run, { owners }: PropertySource, name: string): PropertyType | undefined => {
  const types = new Set(owners.flatMap((owner) => run.options.propertyType?.(owner, name) ?? []));
  const [type] = types;
  return types.size > 1 ? "String" : type;
};

/** A query may be saved before the first event that it is about: what it compares the property with says what it expects. */
const mayGetType = (run: Run, type: PropertyType | undefined): boolean =>
  type === undefined && run.options.checking === true && run.options.propertyType !== undefined;

const numberProperty = (run: Run, source: PropertySource, hot: HotColumn, path: readonly JsonStep[], numeric: boolean): Expression => {
  const name = String(path[0]);
  if (numeric) return { sql: source.hot(hot), type: FLOAT, nullable: true, loose: name };
  const raw = source.text(`${run.bind(jsonPath(path))}::VARCHAR`);
  return { sql: `nullif(${raw}, '')`, raw, type: STRING, nullable: true, loose: name };
};
