import type { LoweringContext } from "../../analysis/context.ts";
import { AT, type Expr } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { SqlMap } from "../../sql/same.ts";
import { expr } from "../expressions/expr.ts";
import type { Scope } from "../scope.ts";

/** A LIMIT or OFFSET: a constant that is no less than 0. While checking, a variable counts as 0. */
export const constantCount = (scope: Pick<Scope, "context">, node: Expr, what: string): bigint => {
  const value = expr(bareScope(scope.context), node);
  const count = typeof value.known === "string" && /^\d+$/.test(value.known) ? BigInt(value.known) : value.known;
  if (value.known === undefined && scope.context.options.checking) return 0n;
  if (typeof count !== "bigint" || count < 0n)
    throw new QueryError("invalid_input", `${what} must be a constant that is no less than 0.`, node[AT]);
  return count;
};

/** A scope without any table, for constants. */
const bareScope = (context: LoweringContext): Scope => ({
  context,
  relations: [],
  ctes: null,
  aliases: new Map(),
  open: new Set(),
  lowered: new Map(),
  shadowed: { count: 0 },
  named: new Map(),
  lambdas: [],
  windows: {},
  columns: [],
  arrayJoins: new SqlMap(),
  merged: new Map(),
  samples: [],
  groupKeys: null,
  subtotals: false,
  noAggregates: "LIMIT",
  subquery: () => {
    throw new QueryError("invalid_input", "A LIMIT cannot hold a subquery.");
  },
});
