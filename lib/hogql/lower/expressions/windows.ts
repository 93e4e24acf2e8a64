import { type Expression, sqlTrees } from "../../analysis/expression.ts";
import type { FrameBound, OrderItem, Window } from "../../ast.ts";
import { type Position, QueryError } from "../../errors.ts";
import { mayBeNan } from "../../operators/nan.ts";
import { NOTHING, NULL_SQL, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { UNIT_SQL } from "../../time/time-sql.ts";
import type { Type } from "../../types.ts";
import type { Scope } from "../scope.ts";
import { expr } from "./expr.ts";

/** The SQL after OVER, and the expressions in it. */
export const windowSql = (scope: Scope, window: Window, name: string): { readonly tree: Sql; readonly parts: readonly Expression[] } => {
  const partition = window.partitionBy.map((item) => expr(scope, item));
  const order = window.orderBy.map((item) => expr(scope, item.expr));
  const pieces = [
    ...(partition.length === 0 ? [] : [sql`PARTITION BY ${separated(sqlTrees(partition))}`]),
    ...(order.length === 0 ? [] : [isByDistance(window) ? distanceOrderSql(order, window.orderBy) : orderSql(scope, window.orderBy)]),
    ...frameSql(window, name, order[0]?.type.kind),
  ];
  return { tree: sql`(${separated(pieces, sql` `)})`, parts: [...partition, ...order] };
};

const frameSql = (window: Window, name: string, ordered: Type["kind"] | undefined): readonly Sql[] => {
  if (window.frame === undefined)
    return FRAMED.has(name) && window.orderBy.length === 0 ? [sql`ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING`] : [];
  const { unit, start, end } = window.frame;
  const by = unit === "range" ? ordered : undefined;
  return [
    sql`${unit === "rows" ? sql`ROWS` : sql`RANGE`} BETWEEN ${boundSql(start, by)} AND ${end === null ? sql`CURRENT ROW` : boundSql(end, by)}`,
  ];
};

const FRAMED = new Set(["first_value", "last_value", "nth_value"]);

/** A range over timestamps is in seconds, unless it names its unit. */
const boundSql = ({ kind, rows, unit }: FrameBound, ordered: Type["kind"] | undefined): Sql => {
  if (kind === "current") return sql`CURRENT ROW`;
  const side = kind === "preceding" ? sql`PRECEDING` : sql`FOLLOWING`;
  if (rows === null) return sql`UNBOUNDED ${side}`;
  const of = unit ?? (ordered === "datetime" ? "second" : undefined);
  const size = numeral(Math.trunc(rows));
  return of === undefined ? sql`${size} ${side}` : sql`INTERVAL ${size} ${UNIT_SQL[of]} ${side}`;
};

/** Whether the frame reaches as far as a value lies from the row's own, which DuckDB computes of a single key. */
const isByDistance = ({ frame }: Window): boolean =>
  frame?.unit === "range" && [frame.start, frame.end].some((bound) => bound !== null && bound.rows !== null);

const distanceOrderSql = (order: readonly Expression[], items: readonly OrderItem[]): Sql =>
  sql`ORDER BY ${separated(items.map((item, index) => sql`${order[index]?.tree ?? NULL_SQL}${waySql(item)}`))}`;

/** `ORDER BY …`, with NULLs last in both directions, as in ClickHouse. */
export const orderSql = (scope: Scope, items: readonly OrderItem[]): Sql =>
  sql`ORDER BY ${separated(items.map((item) => orderItemSql(expr(scope, item.expr), item)))}`;

/**
 * UUIDs go by their second half first, and NaN stands beside the NULLs in both directions, as in ClickHouse. `listed` stands for the
 * whole key where the list of columns has it.
 */
export const orderItemSql = (key: Expression, item: OrderItem, listed = key.tree): Sql => {
  const way = waySql(item);
  if (key.type.kind === "uuid") return sql`substr(CAST(${key.tree} AS VARCHAR), 20)${way}, ${listed}${way}`;
  const isBesideNulls = item.descending === (item.nulls === "first");
  if (isBesideNulls || !mayBeNan(key)) return sql`${listed}${way}`;
  return sql`isnan(${key.tree}) ${item.descending ? sql`NULLS LAST` : sql`DESC NULLS FIRST`}, ${listed}${way}`;
};

const waySql = ({ descending, nulls }: OrderItem): Sql =>
  sql`${descending ? sql` DESC` : NOTHING} NULLS ${nulls === "first" ? sql`FIRST` : sql`LAST`}`;

/** Windows are computed after grouping, so nothing that is computed before, or with them, may hold one. Throws `QueryError`. */
export const refuseWindows = (parts: readonly Expression[], place: string, at: Position | undefined): void => {
  if (!parts.some((part) => part.window)) return;
  throw new QueryError(
    "illegal_aggregation",
    `A window function cannot stand in ${place}: compute it in a subquery${place === "WHERE" ? ", or filter with QUALIFY" : ""}.`,
    at,
  );
};
