import type { LoweringContext } from "../analysis/context.ts";
import type { StoredTable } from "../analysis/options.ts";
import { column, sql } from "../sql/fragment.ts";
import type { Relation } from "./relation.ts";

/** A table that was written from a query. Of two columns of one name the first is meant. */
export const storedTable = (context: LoweringContext, name: string, stored: StoredTable): Relation => {
  const draft = context.table(stored);
  const table = context.alias("t");
  const names = stored.columns.map((each) => each.name);
  return {
    name,
    described: name,
    star: names,
    names: () => names,
    member: (member) => {
      const at = names.indexOf(member);
      const found = stored.columns[at];
      if (found === undefined) return undefined;
      const tree = column(table, `c${at + 1}`, draft.name);
      return { kind: "value", expression: { tree, type: found.type, nullable: found.nullable, ungroupedColumn: member } };
    },
    joins: () => false,
    from: () => sql`${draft.name} AS ${table}`,
  };
};
