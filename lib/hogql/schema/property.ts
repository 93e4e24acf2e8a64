import { earnedColumn, type StateOwner } from "../../event/earned-properties.ts";
import { HOT, type HotType } from "../../event/hot-properties.ts";
import type { LoweringContext } from "../analysis/context.ts";
import type { Expression } from "../analysis/expression.ts";
import type { PartialEventScan, PartialStateScan } from "../analysis/scans.ts";
import { type JsonStep, jsonPath } from "../json-path.ts";
import type { PropertyOwner, PropertyType } from "../options.ts";
import { emptyAsNull } from "../sql/form.ts";
import { column, type Identifier, parameter, type Sql, sql } from "../sql/fragment.ts";
import { readTimestampSql } from "../time/time-sql.ts";
import { BOOLEAN, DATETIME64, FLOAT, STRING, UNTYPED } from "../types.ts";

export type HotColumn = (typeof HOT)[number];

const hotByName: ReadonlyMap<string, HotColumn> = new Map(HOT.map((hot) => [hot.property, hot]));

/** The column of its own that a property has in the event files. */
const hotColumn = (property: string): HotColumn | undefined => hotByName.get(property);

/** Where properties are read. */
export interface PropertySource {
  /** Whose properties they are; several owners in one table share a type when they agree on it. */
  readonly owners: readonly PropertyOwner[];
  /** The value in the JSON under a path. */
  text(path: Sql): Sql;
  hot(column: HotColumn): Sql;
  /** The column that a property has earned, if any. */
  earned?(property: string, type: HotType): Sql | undefined;
  /** Only text columns are earned: numbers are read from their texts. */
  readonly earnsTextOnly?: true;
}

/** The column of a scan, under its alias, that a property of this owner has earned, if it has; the scan then reads it. */
export const earnedColumnOf =
  (
    context: LoweringContext,
    { draft, table }: { readonly draft: PartialEventScan | PartialStateScan; readonly table: Identifier },
    owner?: StateOwner,
  ): NonNullable<PropertySource["earned"]> =>
  (property, type) => {
    const asked = { ...(owner && { owner }), property, type };
    if (context.options.hasEarned?.(asked) !== true) return undefined;
    const earned = earnedColumn(asked);
    draft.earned.set(earned.column, earned);
    return column(table, earned.column, draft.name);
  };

/**
 * A property, or what lies under it: NULL when missing, null or an empty string; otherwise text, unless the project knows it
 * to be numeric, boolean or a time.
 */
export const property = (context: LoweringContext, source: PropertySource, steps: readonly JsonStep[]): Expression => {
  const name = String(steps[0] ?? "");
  const path = [name, ...steps.slice(1)];
  const alone = path.length === 1;
  const type = alone ? propertyType(context, source, name) : undefined;
  const hot = alone && source.owners.includes("event") ? hotColumn(name) : undefined;
  const read = { nullable: true, ungroupedColumn: name } as const;
  if (hot?.type === "number" && type === "Numeric") return { tree: source.hot(hot), type: FLOAT, ...read };
  // Without a type no event had it so far, and there is nothing to have a column for.
  const kind: HotType = type === "Numeric" && !source.earnsTextOnly ? "number" : "text";
  const earned = type !== undefined && hot === undefined ? source.earned?.(name, kind) : undefined;
  const inJson = () => source.text(sql`${parameter(jsonPath(path))}::VARCHAR`);
  if (earned !== undefined && kind === "number") return { tree: earned, type: FLOAT, written: inJson(), ...read };
  const own = hot?.type === "text" ? source.hot(hot) : earned;
  const text = own ?? inJson();
  const tree = own ?? emptyAsNull(text);
  if (hot?.type === "number") return { tree, type: STRING, ...read };
  switch (type) {
    case "Numeric":
      return { tree: sql`TRY_CAST(${text} AS DOUBLE)`, type: FLOAT, written: earned === undefined ? text : inJson(), ...read };
    case "Boolean":
      return {
        tree: sql`(CASE ${text} WHEN 'true' THEN true WHEN '1' THEN true WHEN 'false' THEN false WHEN '0' THEN false END)`,
        type: BOOLEAN,
        ...read,
      };
    case "DateTime":
      return { tree: readTimestampSql(context, text, context.zone), type: DATETIME64, ...read };
    default:
      return { tree, type: alone && mayGetType(context, type) ? UNTYPED : STRING, ...read };
  }
};

const propertyType = (context: LoweringContext, { owners }: PropertySource, name: string): PropertyType | undefined => {
  const types = new Set(owners.flatMap((owner) => context.options.propertyType?.(owner, name) ?? []));
  const [type] = types;
  return types.size > 1 ? "String" : type;
};

/** A query may be saved before the first event that it is about: what it compares the property with says what it expects. */
const mayGetType = (context: LoweringContext, type: PropertyType | undefined): boolean =>
  type === undefined && context.options.checking === true && context.options.propertyType !== undefined;
