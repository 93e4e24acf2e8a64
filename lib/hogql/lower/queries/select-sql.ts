import { type Expression, sqlTrees } from "../../analysis/expression.ts";
import type { Select } from "../../ast.ts";
import { filter, ident, NOTHING, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { SqlMap } from "../../sql/same.ts";
import type { Scope } from "../scope.ts";
import type { SelectColumn } from "./columns.ts";
import { type LimitBy, type OrderKey, orderSql } from "./limits.ts";
import type { RowWindow } from "./partial-query.ts";

/** The clauses of a SELECT, lowered in the order in which they may name one another. */
export interface Clauses {
  /** FROM and its joins; asked for once everything that names columns is lowered. */
  readonly joins: readonly (() => Sql)[];
  readonly arrays: readonly Sql[];
  readonly where: Expression | null;
  readonly groups: readonly Expression[] | null;
  readonly columns: readonly SelectColumn[];
  /** The columns' expressions, as far as they are computed whether or not somebody asks for them. */
  readonly listed: readonly (Expression | undefined)[];
  readonly having: Expression | null;
  readonly orderBy: readonly OrderKey[];
  readonly qualify: Expression | null;
  readonly limitBy: LimitBy | null;
  readonly isGrouped: boolean;
  /** A column or key of the order is computed over windows. */
  readonly isWindowed: boolean;
}

/** SQL of clauses, one after the other. */
export const inWords = (clauses: readonly Sql[]): Sql => separated(clauses, sql` `);

export const limitSql = (rows: RowWindow | undefined): readonly Sql[] => {
  if (rows === undefined) return [];
  return [sql`LIMIT ${rows.limit}`, ...(rows.offset === null ? [] : [sql`OFFSET ${rows.offset}`])];
};

/** All of a SELECT but its LIMIT. */
export const selectSql = (scope: Scope, node: Select, clauses: Clauses, list: OutputList): Sql => {
  const { qualify, limitBy } = clauses;
  const sorted = clauses.orderBy.filter(({ expression }) => expression.known === undefined);
  if (limitBy !== null && countsLater(node, clauses, limitBy)) {
    const limited = limitedLater(scope, node, clauses, list, { by: limitBy, sorted });
    if (limited !== null) return limited;
  }
  return inWords([
    ...clausesSql(scope, node, clauses, list, [qualify?.tree, limitBy?.condition(limitBy.keys, sorted)]),
    ...(sorted.length === 0 ? [] : [sql`ORDER BY ${orderSql(sorted, positionIn(list))}`]),
  ]);
};

/** A key that is in the list already is named by its position: shorter, and planned once. */
const positionIn =
  (list: OutputList) =>
  (tree: Sql): Sql => {
    const position = list.position(tree);
    return position === undefined ? tree : numeral(position);
  };

/** From SELECT to QUALIFY. */
const clausesSql = (
  scope: Scope,
  node: Select,
  clauses: Clauses,
  list: OutputList,
  qualifying: readonly (Sql | undefined)[],
  columns: readonly Sql[] = list.items,
): readonly Sql[] => {
  const { joins, arrays, where, groups, having } = clauses;
  const conditions = qualifying.filter((tree) => tree !== undefined);
  return [
    sql`SELECT ${node.distinct ? sql`DISTINCT ` : NOTHING}${columns.length === 0 ? sql`1` : separated(columns)}`,
    ...(joins.length === 0 ? [] : [sql`FROM ${inWords(joins.map((join) => join()))}`]),
    ...(joins.length === 0 && (arrays.length > 0 || scope.arrayJoins.size > 0) ? [sql`FROM (SELECT 1)`] : []),
    ...arrays,
    ...scope.arrayJoins.values().map(({ join }) => join),
    ...(where === null ? [] : [sql`WHERE ${filter(where.tree)}`]),
    ...(groups === null || groups.length === 0 ? oneGroup(clauses) : [sql`GROUP BY ${groupingSql(node, groups, positionIn(list))}`]),
    ...(having === null ? [] : [sql`HAVING ${having.tree}`]),
    ...(conditions.length === 0 ? [] : [sql`QUALIFY ${separated(conditions, sql` AND `)}`]),
  ];
};

/** The engine sees by an aggregate that the rows are one group, unless none is left. */
const oneGroup = ({ isGrouped, listed, orderBy, qualify }: Clauses): readonly Sql[] => {
  const parts = [...listed, ...orderBy.map(({ expression }) => expression), qualify ?? undefined];
  return isGrouped && !parts.some((part) => part?.aggregate) ? [sql`GROUP BY ()`] : [];
};

/** Whether LIMIT BY counts the rows that are left after windows, QUALIFY and DISTINCT. */
const countsLater = (node: Select, { qualify, orderBy }: Clauses, { keys }: LimitBy): boolean =>
  node.distinct ||
  qualify !== null ||
  keys.some((key) => key.window) ||
  orderBy.some(({ expression }) => expression.window && expression.known === undefined);

/** LIMIT BY over the rows that are left, which needs a query of its own; null where that query would see other rows. */
const limitedLater = (
  scope: Scope,
  node: Select,
  clauses: Clauses,
  list: OutputList,
  { by, sorted }: { readonly by: LimitBy; readonly sorted: readonly OrderKey[] },
): Sql | null => {
  const beside: Sql[] = [];
  const named = (expression: Expression): Expression => {
    const position = list.position(expression.tree);
    if (position !== undefined) return { ...expression, tree: ident(`c${position}`) };
    const name = ident(`k${beside.length + 1}`);
    beside.push(sql`${expression.tree} AS ${name}`);
    return { ...expression, tree: name };
  };
  const keys = by.keys.map(named);
  const order = sorted.map(({ item, expression }) => ({ item, expression: named(expression) }));
  if (node.distinct && beside.length > 0) return null;
  const columns = list.items.map((_, index) => ident(`c${index + 1}`));
  const rows = clausesSql(scope, node, clauses, list, [clauses.qualify?.tree], [...list.items, ...beside]);
  return inWords([
    sql`SELECT ${columns.length === 0 ? sql`1` : separated(columns)}`,
    sql`FROM (${inWords(rows)})`,
    sql`QUALIFY ${by.condition(keys, order)}`,
    ...(order.length === 0 ? [] : [sql`ORDER BY ${orderSql(order)}`]),
  ]);
};

/** Keys of totals are written out: by their position they would be what the list shows in the rows of totals. */
const groupingSql = ({ subtotals }: Select, groups: readonly Expression[], listed: (tree: Sql) => Sql): Sql => {
  const keys = sqlTrees(groups);
  if (subtotals === undefined) return separated(keys.map(listed));
  return subtotals === "rollup" ? sql`ROLLUP (${separated(keys)})` : sql`CUBE (${separated(keys)})`;
};

/** The list of a SELECT: each expression has a name in it, c1, c2, …. */
export interface OutputList {
  readonly items: Sql[];
  add(tree: Sql): string;
  /** The name of an expression in the list, where it is put if need be. */
  output(tree: Sql): string;
  /** Where it was put first, from 1. */
  position(tree: Sql): number | undefined;
}

export const newOutputList = (): OutputList => {
  const items: Sql[] = [];
  const positions = new SqlMap<number>();
  const outputs = new SqlMap<string>();
  const add = (tree: Sql): string => {
    const name = `c${items.length + 1}`;
    items.push(sql`${tree} AS ${ident(name)}`);
    positions.add(tree, items.length);
    return name;
  };
  return {
    items,
    add,
    output: (tree) => {
      const name = outputs.get(tree) ?? add(tree);
      outputs.add(tree, name);
      return name;
    },
    position: (tree) => positions.get(tree),
  };
};
