import type { Expression } from "../analysis/expression.ts";
import type { PropertyOwner, Run } from "../analysis/run.ts";
import type { StateDraft } from "../analysis/scans.ts";
import { DATETIME64, JSON_TEXT, type Type } from "../analysis/types.ts";
import { property } from "./property.ts";
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
}

/** Text of a physical column, which is read from now on. */
const stateColumn = (draft: StateDraft, table: string, { column }: StateColumn): string => {
  draft.columns.add(column);
  return `${table}."${column}"`;
};

/** A relation over a state scan. `optional`: it is joined from the left, so that all of it may be missing. */
export const stateRelation = (
  run: Run,
  shape: StateShape,
  at: { readonly draft: StateDraft; readonly table: string; readonly name: string | null; readonly optional: boolean },
  extra: (name: string) => Member | undefined = () => undefined,
): Relation => {
  const text = (column: StateColumn): string => stateColumn(at.draft, at.table, column);
  const columnValue = (name: string, column: StateColumn): Expression => ({
    sql: text(column),
    type: column.type,
    nullable: column.nullable || at.optional,
    loose: name,
  });
  const propertiesColumn: StateColumn = { column: "properties", type: JSON_TEXT, nullable: false };
  const extracts = run.extracts(at.draft.name, at.table, at.optional);
  const member = (name: string): Member | undefined => {
    const { owners } = shape;
    if (name === "properties" && owners.length > 0) {
      return {
        kind: "properties",
        whole: () => columnValue(name, propertiesColumn),
        property: (path) =>
          property(run, { owners, text: (path) => extracts.text(path, text(propertiesColumn)), hot: () => text(propertiesColumn) }, path),
      };
    }
    const column = shape.columns.get(name);
    return column === undefined ? extra(name) : { kind: "value", expression: columnValue(name, column) };
  };
  return {
    name: at.name,
    described: shape.described,
    star: shape.star,
    names: () => [...shape.columns.keys(), ...(shape.owners.length === 0 ? [] : ["properties"])],
    member,
    from: () => extracts.from,
  };
};

export const STATE_TIME: StateColumn = { column: "created_at", type: DATETIME64, nullable: true };
