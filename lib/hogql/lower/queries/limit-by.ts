import type { Expression } from "../../analysis/expression.ts";
import type { OrderItem, Select } from "../../syntax/ast.ts";
import { orderItemSql } from "../expressions/calls.ts";
import { atPosition, expr } from "../expressions/expr.ts";
import type { Scope } from "../scope.ts";
import { constantCount, isPosition } from "./limits.ts";

/** One key of ORDER BY, lowered. */
export interface Ordered {
  readonly item: OrderItem;
  readonly expression: Expression;
}

/** LIMIT n OFFSET m BY keys: the rows of each group of keys that stay, counted in the query's order. */
export interface LimitBy {
  readonly keys: readonly Expression[];
  /** That a row stays, when keys and order are these. */
  condition(keys: readonly Expression[], orderBy: readonly Ordered[]): string;
}

export const lowerLimitBy = (scope: Scope, { limitBy }: Select): LimitBy | null => {
  if (limitBy === null) return null;
  const from = limitBy.offset === null ? 0n : constantCount(scope, limitBy.offset, "OFFSET");
  const to = from + constantCount(scope, limitBy.n, "LIMIT");
  const { run } = scope;
  return {
    keys: limitBy.by.map((key) => (isPosition(key) ? atPosition(scope, Number(key.value), key) : expr(scope, key))),
    condition: (keys, orderBy) => {
      const order = orderBy.length === 0 ? "" : ` ORDER BY ${orderText(orderBy)}`;
      const place = `row_number() OVER (PARTITION BY ${keys.map(({ sql }) => sql).join(", ")}${order})`;
      return `${place} <= ${run.bind(to)}::BIGINT${from === 0n ? "" : ` AND ${place} > ${run.bind(from)}::BIGINT`}`;
    },
  };
};

/** The keys as they stand behind ORDER BY. `listed` is what stands for a key that the list of columns has. */
export const orderText = (orderBy: readonly Ordered[], listed: (sql: string) => string = (sql) => sql): string =>
  orderBy.map(({ item, expression }) => orderItemSql(expression, item, listed(expression.sql))).join(", ");
