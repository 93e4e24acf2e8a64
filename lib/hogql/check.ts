import { newContext } from "./analysis/context.ts";
import type { Ast } from "./ast.ts";
import { whole } from "./lower/expressions/fields.ts";
import { printedQuery } from "./lower/printed-query.ts";
import { lowerQuery } from "./lower/queries/select.ts";
import type { LowerOptions, StoredTable } from "./options.ts";
import { type WireType, wireType } from "./types.ts";

/** What a query needs and returns, as far as its text alone says. */
export interface CheckedQuery {
  /** code_names of the variables it uses, in order of their first use. */
  readonly variables: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: WireType }[];
  /** It is a UNION at the top, so that it cannot be paged. */
  readonly union: boolean;
  /** The constant LIMIT of its text, if any. */
  readonly ceiling: number | null;
}

export type CheckContext = Pick<LowerOptions, "timezone" | "values" | "filters" | "propertyType" | "groupTypes" | "tables">;

/** Lowers the query once without values for its variables, so that every mistake of its text is found when it is saved. */
export const check = (ast: Ast, context: CheckContext): CheckedQuery => {
  const run = newContext({ ...context, project: 0, now: 0, variables: {}, page: null, checking: true });
  const partial = lowerQuery(run, ast, null, false);
  const columns = partial.columns.map(({ name, member }) => ({ name, type: wireType(whole(member()).type) }));
  printedQuery(run, partial.print());
  const limit = ast.limit?.kind === "constant" && typeof ast.limit.value === "number" ? ast.limit.value : null;
  return { variables: [...run.variables], columns, union: ast.kind === "set", ceiling: limit };
};

/** The columns of a query as a table of its rows has them. Throws `QueryError`. */
export const storedColumns = (ast: Ast, context: CheckContext): StoredTable["columns"] => {
  const run = newContext({ ...context, project: 0, now: 0, variables: {}, page: null, checking: true });
  const partial = lowerQuery(run, ast, null, false);
  return partial.columns.map(({ name, member }) => {
    const { type, nullable } = whole(member());
    return { name, type, nullable };
  });
};
