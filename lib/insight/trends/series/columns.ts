import type { Expr, Select } from "../../../hogql/ast.ts";
import { alias, call, constant, field, from, select } from "../../../hogql/build.ts";

/** Names of the columns that the parts of a series' query hand to each other. No column of events begins with two underscores. */
export const BUCKET = "__b";
export const VALUE = "__n";
/** Of how many numbers a value is made, where others past a limit do not sum up. */
export const COUNT = "__count";
const key = (index: number): string => `__k${index + 1}`;

/** The keys of rows, by which everything of a series is grouped. */
export const keyNames = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => key(index));

export const fields = (names: readonly string[]): readonly Expr[] => names.map((name) => field(name));

/** SELECT … FROM a query, grouped by these of its columns; the aggregates come after them. No names: one row of the whole. */
export const grouped = (source: Select, names: readonly string[], columns: readonly Expr[], parts: Partial<Select> = {}): Select =>
  select([...fields(names), ...columns], { from: from(source), ...(names.length === 0 ? {} : { groupBy: fields(names) }), ...parts });

export const named = (names: readonly string[], items: readonly Expr[]): readonly Expr[] =>
  items.map((item, index) => alias(names[index] ?? "", item));

/** An aggregate, or 0 of no values. */
export const orZero = (item: Expr): Expr => call("ifNull", item, constant(0));
