import type { StateOwner } from "../../event/earned-properties.ts";
import type { LoweringContext } from "../analysis/context.ts";
import type { Expression } from "../analysis/expression.ts";
import type { PartialStateScan } from "../analysis/scans.ts";
import type { PropertyOwner } from "../options.ts";
import { column, type Identifier, jsonSource, jsonText, type Sql } from "../sql/fragment.ts";
import { DATETIME64, JSON_TEXT, type Type } from "../types.ts";
import { earnedColumnOf, type PropertySource, property } from "./property.ts";
import type { Member, Relation } from "./relation.ts";

export interface StateColumn {
  readonly column: string;
  readonly type: Type;
  readonly nullable: boolean;
}

/** A table of the project's state under one alias: a name, its columns, and who owns its properties. */
export interface StateShape {
  readonly described: string;
  readonly columns: ReadonlyMap<string, StateColumn>;
  readonly star: readonly string[];
  readonly owners: readonly PropertyOwner[];
  /** Whose properties may have columns of their own in its files. */
  readonly earns: StateOwner | null;
}

/** A state scan under its alias. `optional`: it is joined from the left, so that all of it may be missing. */
export interface StateSource {
  readonly draft: PartialStateScan;
  readonly table: Identifier;
  readonly name: string | null;
  readonly optional: boolean;
}

/** A physical column, which is read wherever it stands. */
export const stateColumn = ({ draft, table }: Pick<StateSource, "draft" | "table">, name: string): Sql => column(table, name, draft.name);

const PROPERTIES: StateColumn = { column: "properties", type: JSON_TEXT, nullable: false };

/** A relation over a state scan. */
export const stateRelation = (
  context: LoweringContext,
  shape: StateShape,
  at: StateSource,
  extra: (name: string) => Member | undefined = () => undefined,
): Relation => {
  const read = ({ column }: StateColumn): Sql => stateColumn(at, column);
  const columnValue = (name: string, column: StateColumn): Expression => ({
    tree: read(column),
    type: column.type,
    nullable: column.nullable || at.optional,
    ungroupedColumn: name,
  });
  const json = { scan: at.draft.name, alias: at.table, joined: at.optional };
  const { owners, earns } = shape;
  const source: PropertySource = {
    owners,
    text: (path) => jsonText(json, path, read(PROPERTIES)),
    hot: () => read(PROPERTIES),
    earnsTextOnly: true,
    ...(earns && { earned: earnedColumnOf(context, at, earns) }),
  };
  const member = (name: string): Member | undefined => {
    if (name === "properties" && owners.length > 0) {
      return { kind: "properties", whole: () => columnValue(name, PROPERTIES), property: (path) => property(context, source, path) };
    }
    const column = shape.columns.get(name);
    return column === undefined ? extra(name) : { kind: "value", expression: columnValue(name, column) };
  };
  return {
    name: at.name,
    described: shape.described,
    star: shape.star,
    names: () => [...shape.columns.keys(), ...(owners.length === 0 ? [] : ["properties"])],
    member,
    joins: () => false,
    from: () => jsonSource(json),
  };
};

export const STATE_TIME: StateColumn = { column: "created_at", type: DATETIME64, nullable: true };
