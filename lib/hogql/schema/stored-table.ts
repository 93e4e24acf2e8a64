import type { LoweringContext } from "../analysis/context.ts";
import { physical } from "../analysis/duckdb-types.ts";
import type { StoredTable } from "../options.ts";
import { column, type Identifier, ident, type Sql, separated, sql } from "../sql/fragment.ts";
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
    from: () => sql`${stored.isWhole ? wholes(draft.name, stored) : draft.name} AS ${table}`,
  };
};

/** The rows of a table of parts, put together. */
const wholes = (scan: Identifier, { columns }: StoredTable): Sql => {
  const at = (index: number): Sql => column(scan, `c${index + 1}`, scan);
  const shown = columns.map(({ parts, type }, index) => {
    const item = parts === undefined ? at(index) : sql`CAST(${TOGETHER[parts]}(${at(index)}) AS ${physical(type)})`;
    return sql`${item} AS ${ident(`c${index + 1}`)}`;
  });
  const keys = columns.flatMap(({ parts }, index) => (parts === undefined ? [at(index)] : []));
  return sql`(SELECT ${separated(shown)} FROM ${scan}${keys.length === 0 ? sql`` : sql` GROUP BY ${separated(keys)}`})`;
};

const TOGETHER = { sum: sql`sum`, min: sql`min`, max: sql`max` } as const;
