import type { LoweringContext } from "../../analysis/context.ts";
import { type Expression, sqlTrees } from "../../analysis/expression.ts";
import { AT, type Expr, type OrderItem, type Select } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { NOTHING, parameter, type Sql, separated, sql } from "../../sql/fragment.ts";
import { SqlMap } from "../../sql/same.ts";
import { isPosition } from "../../walk.ts";
import { expr } from "../expressions/expr.ts";
import { orderItemSql } from "../expressions/windows.ts";
import type { Scope } from "../scope.ts";
import { columnAt, type SelectColumn } from "./columns.ts";

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
  aggregates: { found: false },
  noAggregates: "LIMIT",
  subquery: () => {
    throw new QueryError("invalid_input", "A LIMIT cannot hold a subquery.");
  },
});

/** One key of ORDER BY, lowered. */
export interface OrderKey {
  readonly item: OrderItem;
  readonly expression: Expression;
}

/** LIMIT n OFFSET m BY keys: the rows of each group of keys that stay, counted in the query's order. */
export interface LimitBy {
  readonly keys: readonly Expression[];
  /** That a row stays, when keys and order are these. */
  condition(keys: readonly Expression[], orderBy: readonly OrderKey[]): Sql;
}

export const lowerLimitBy = (scope: Scope, { limitBy }: Select, columns: readonly SelectColumn[]): LimitBy | null => {
  if (limitBy === null) return null;
  const from = limitBy.offset === null ? 0n : constantCount(scope, limitBy.offset, "OFFSET");
  const to = from + constantCount(scope, limitBy.n, "LIMIT");
  return {
    keys: limitBy.by.map((key) => (isPosition(key) ? columnAt(columns, Number(key.value), key) : expr(scope, key))),
    condition: (keys, orderBy) => {
      const order = orderBy.length === 0 ? NOTHING : sql` ORDER BY ${orderSql(orderBy)}`;
      const place = sql`row_number() OVER (PARTITION BY ${separated(sqlTrees(keys))}${order})`;
      const last = sql`${place} <= ${parameter(to)}::BIGINT`;
      return from === 0n ? last : sql`${last} AND ${place} > ${parameter(from)}::BIGINT`;
    },
  };
};

/** The keys as they stand behind ORDER BY. `listed` is what stands for a key that the list of columns has. */
export const orderSql = (orderBy: readonly OrderKey[], listed: (tree: Sql) => Sql = (tree) => tree): Sql =>
  separated(orderBy.map(({ item, expression }) => orderItemSql(expression, item, listed(expression.tree))));
