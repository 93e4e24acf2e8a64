import type { Expression } from "../../analysis/expression.ts";
import type { Run } from "../../analysis/run.ts";
import type { Member, Relation } from "../../schema/relation.ts";
import { whole } from "../expressions/fields.ts";
import type { Draft, DraftColumn } from "./draft.ts";

/** A query in FROM. Of an open one, only the columns that are named here get computed; `text` stands for the query when it is elsewhere. */
export const subqueryRelation = (
  run: Run,
  draft: Draft,
  name: string | null,
  columnNames: readonly string[] | null,
  text: () => string = () => `(${draft.print()})`,
): Relation => {
  const table = run.fresh("q");
  const byName = new Map<string, { readonly column: DraftColumn; readonly index: number }>();
  for (const [index, column] of draft.columns.entries()) {
    const called = columnNames?.[index] ?? column.name;
    if (!byName.has(called)) byName.set(called, { column, index });
  }
  const outer = (expression: Expression, index: number | null, called: string): Expression => {
    const output = draft.closed && index !== null ? `c${index + 1}` : draft.output(expression);
    const origin = expression.origin !== undefined && draft.passes(expression) ? { origin: expression.origin } : {};
    return { sql: `${table}.${output}`, type: expression.type, nullable: expression.nullable, loose: called, ...origin };
  };
  const member = (called: string): Member | undefined => {
    const found = byName.get(called);
    if (found === undefined) return undefined;
    const inner = found.column.member();
    if (inner.kind === "properties" && !draft.closed) {
      return {
        kind: "properties",
        whole: () => outer(inner.whole(), found.index, called),
        property: (path) => outer(inner.property(path), null, String(path[0])),
      };
    }
    return { kind: "value", expression: outer(whole(run, inner), found.index, called) };
  };
  return {
    name,
    described: name ?? "subquery",
    star: [...byName.keys()],
    names: () => byName.keys(),
    member,
    from: () => `${text()} AS ${table}`,
  };
};
