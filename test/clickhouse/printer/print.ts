import type { Ast } from "../../../lib/hogql/ast.ts";
import type { LowerOptions } from "../../../lib/hogql/options.ts";
import { emptyScope, outermost } from "./select.ts";

/**
 * A query as the dialect means it on ClickHouse, over tables that lie there as `relations.ts` says. Like a run it returns as many
 * rows as its own LIMIT says, or as many as the options do. Throws `Unprintable`.
 */
export const printed = (ast: Ast, options: LowerOptions): string => {
  const rows = options.defaultRows ?? DEFAULT_ROWS;
  const scope = emptyScope(options);
  if (ast.kind === "select") return outermost(scope, ast.limit === null ? { ...ast, limit: { kind: "constant", value: rows } } : ast);
  if (ast.limit !== null || ast.rest.at(-1)?.query.limit) return outermost(scope, ast);
  return outermost(scope, { ...ast, limit: { kind: "constant", value: rows } });
};

const DEFAULT_ROWS = 100;
