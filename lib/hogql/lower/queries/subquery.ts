import type { LoweringContext } from "../../analysis/context.ts";
import type { Expression } from "../../analysis/expression.ts";
import type { Member, Relation } from "../../schema/relation.ts";
import { column, type Sql, sql } from "../../sql/fragment.ts";
import { whole } from "../expressions/fields.ts";
import type { PartialQuery, PartialQueryColumn } from "./partial-query.ts";
import { wholeQuery } from "./whole-query.ts";

/** A query in FROM. Of an open one, only the columns that are named here get computed; `query` stands for it when it is elsewhere. */
export const subqueryRelation = (
  context: LoweringContext,
  partial: PartialQuery,
  name: string | null,
  columnNames: readonly string[] | null,
  query: () => Sql = () => sql`(${wholeQuery(partial.print())})`,
): Relation => {
  const table = context.alias("q");
  const byName = new Map<string, { readonly column: PartialQueryColumn; readonly index: number }>();
  for (const [index, column] of partial.columns.entries()) {
    const called = columnNames?.[index] ?? column.name;
    if (!byName.has(called)) byName.set(called, { column, index });
  }
  const outer = (expression: Expression, index: number | null, called: string): Expression => {
    const output = partial.closed && index !== null ? `c${index + 1}` : partial.output(expression);
    const origin = expression.origin !== undefined && partial.passes(expression) ? { origin: expression.origin } : {};
    return { tree: column(table, output), type: expression.type, nullable: expression.nullable, ungroupedColumn: called, ...origin };
  };
  const seek = (called: string): Member | undefined => {
    const found = byName.get(called);
    if (found === undefined) return undefined;
    const inner = found.column.member();
    if (inner.kind === "properties" && !partial.closed) {
      return {
        kind: "properties",
        whole: () => outer(inner.whole(), found.index, called),
        property: (path) => outer(inner.property(path), null, String(path[0])),
      };
    }
    return { kind: "value", expression: outer(whole(inner), found.index, called) };
  };
  /** Kept: each is looked for through all the queries within, and a column is named again by every query around. */
  const members = new Map<string, Member | undefined>();
  const member = (called: string): Member | undefined => {
    if (!members.has(called)) members.set(called, seek(called));
    return members.get(called);
  };
  return {
    name,
    described: name ?? "subquery",
    star: [...byName.keys()],
    names: () => byName.keys(),
    member,
    joins: () => false,
    from: () => sql`${query()} AS ${table}`,
  };
};
