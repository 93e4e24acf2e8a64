import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { alias, call, compare, constant, field, from, select } from "../../hogql/build.ts";
import { OTHER_VALUE } from "../plan.ts";
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

/** Cells whose values past the limit, by size of their cohorts and then by name, are one. */
export const limited = (
  cells: Ast,
  limit: number,
  names: { readonly value: string; readonly column: string; readonly sums: readonly string[]; readonly keys: readonly string[] },
): Select => {
  const { value, column, sums, keys } = names;
  const all = [value, ...keys, column, ...sums];
  const [actors] = sums;
  const size = call("if", compare("==", field(column), constant(0)), field(actors ?? ""), constant(0));
  const sized = select(
    [
      ...all.map((name) => field(name)),
      alias("size", { kind: "window", name: "sum", args: [size], over: { partitionBy: [field(value)], orderBy: [] } }),
    ],
    { from: from(cells) },
  );
  const order = [
    { expr: field("size"), descending: true, nulls: "last" },
    { expr: field(value), descending: false, nulls: "last" },
  ] as const;
  const ranked = select(
    [
      ...all.map((name) => field(name)),
      alias("rank", { kind: "window", name: "dense_rank", args: [], over: { partitionBy: [], orderBy: order } }),
    ],
    {
      from: from(sized),
    },
  );
  const shown = call("if", compare("<=", field("rank"), constant(limit)), field(value), constant(OTHER_VALUE));
  const by = ["shown", ...keys, column];
  return select(
    [
      alias("shown", shown),
      ...[...keys, column].map((name) => field(name)),
      ...sums.map((name) => alias(`${name}_of_all`, call("sum", field(name)))),
    ],
    {
      from: from(ranked),
      groupBy: by.map((name) => field(name)),
    },
  );
};
