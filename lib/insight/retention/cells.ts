import type { Ast, Expr, Select } from "../../hogql/syntax/ast.ts";
import { alias, call, compare, constant, field, from, select } from "../../hogql/syntax/build.ts";
import { OTHER_VALUE } from "../rows.ts";
import { VALUE } from "./names.ts";
import type { Column } from "./settings.ts";

/** Each period after the cohort's is a column of its own. */
export const dense = (columns: readonly Column[]): boolean =>
  columns.every(({ from: first, to }, index) => first === index && to === index);

/** The number of the column that holds a period after the cohort's, which is within the last column. */
export const columnOf = (columns: readonly Column[], after: Expr): Expr =>
  call(
    "multiIf",
    ...columns.slice(0, -1).flatMap(({ to }, index) => [compare("<=", after, constant(to)), constant(index)]),
    constant(columns.length - 1),
  );

/** The columns of a relation of cells. */
export interface Cells {
  /** What tells the cells of one value apart. */
  readonly keys: readonly string[];
  readonly sums: readonly string[];
  /** How many actors of the value's cohorts a row has. */
  readonly size: Expr;
}

/** Cells whose values past the limit, by size of their cohorts and then by name, are one. */
export const limited = (cells: Ast, limit: number, { keys, sums, size }: Cells): Select => {
  const all = [VALUE, ...keys, ...sums].map((name) => field(name));
  const total: Expr = { kind: "window", name: "sum", args: [size], over: { partitionBy: [field(VALUE)], orderBy: [] } };
  const sized = select([...all, alias(SIZE, total)], { from: from(cells) });
  const orderBy = [
    { expr: field(SIZE), descending: true, nulls: "last" },
    { expr: field(VALUE), descending: false, nulls: "last" },
  ] as const;
  const rank: Expr = { kind: "window", name: "dense_rank", args: [], over: { partitionBy: [], orderBy } };
  const ranked = select([...all, alias(RANK, rank)], { from: from(sized) });
  const shown = call("if", compare("<=", field(RANK), constant(limit)), field(VALUE), constant(OTHER_VALUE));
  const by = keys.map((name) => field(name));
  const summed = sums.map((name) => alias(`${name}_together`, call("sum", field(name))));
  return select([alias(SHOWN, shown), ...by, ...summed], { from: from(ranked), groupBy: [field(SHOWN), ...by] });
};

const SIZE = "size_of_cohorts";
const RANK = "rank_of_value";
const SHOWN = "shown_value";
