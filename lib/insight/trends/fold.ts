import type { Ast, Expr, OrderItem, Select } from "../../hogql/ast.ts";
import { alias, call, compare, constant, every, field, from, select, some } from "../../hogql/build.ts";
import type { PlanCell } from "../plan.ts";
import type { Dimension } from "./breakdowns.ts";
import { arithmetic, BUCKET, fields, grouped, keyNames, named, VALUE } from "./columns.ts";

/** How much a value in a bucket adds to the total of its breakdown value; absent: itself. */
export type Weight = (bucket: Expr) => Expr;

/** Numbers by bucket of one breakdown value. Buckets that are missing are 0. */
export interface Folded {
  /** All values past the limit together. */
  readonly isOther: boolean;
  /** By breakdown; null where events have no value. Empty without breakdowns. */
  readonly values: readonly (string | null)[];
  readonly buckets: readonly number[];
  readonly numbers: readonly number[];
}

const OTHER = "__other";
const RANK = "__rank";
const TOTAL = "__total";
const BUCKETS = "__bs";
const VALUES = "__ns";
const PLACE = "__place";
const NUMBER = "__number";
const SUM = "__sum";

/**
 * One row per breakdown value of what `numbers` has per keys and bucket: the values with the greatest totals, at most `limit`,
 * those without any value in a row of their own, and one row that sums all others. Without breakdowns it is one row.
 */
export const folded = (numbers: Select, dimensions: readonly Dimension[], limit: number, weight: Weight | null): Ast => {
  if (dimensions.length === 0) return select(lists(BUCKET, VALUE), { from: from(numbers), limit: constant(1) });
  const count = dimensions.length;
  const names = [OTHER, ...texts("__w", count)];
  const listed = ranked(totals(numbers, dimensions, weight), count);
  const summed = grouped(limited(listed, count, limit), [...names, PLACE], [alias(SUM, call("sum", field(NUMBER)))]);
  return grouped(summed, names, lists(PLACE, SUM), { limit: constant(limit + ROWS_BESIDES) });
};

/** Others, and events without any value. */
const ROWS_BESIDES = 2;

/** Names of the breakdowns' texts at one step. */
const texts = (prefix: "__v" | "__w", count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

const lists = (bucket: string, value: string): readonly Expr[] => [
  alias(BUCKETS, call("groupArray", field(bucket))),
  alias(VALUES, call("groupArray", field(value))),
];

/** Each breakdown value with its numbers as lists and its total. */
const totals = (numbers: Select, dimensions: readonly Dimension[], weight: Weight | null): Select => {
  const keys = fields(keyNames(dimensions.reduce((sum, dimension) => sum + dimension.keys.length, 0)));
  let taken = 0;
  const values = dimensions.map((dimension) => {
    taken += dimension.keys.length;
    return dimension.text(keys.slice(taken - dimension.keys.length, taken));
  });
  const share = weight === null ? field(VALUE) : arithmetic("*", field(VALUE), weight(field(BUCKET)));
  return select([...named(texts("__v", dimensions.length), values), ...lists(BUCKET, VALUE), alias(TOTAL, call("sum", share))], {
    from: from(numbers),
    groupBy: keys,
  });
};

/** The greatest totals first, equal ones by value; then what lacks some of several values, and last what lacks them all. */
const ranked = (source: Select, count: number): Select => {
  const values = fields(texts("__v", count));
  const order = (expr: Expr, descending: boolean): OrderItem => ({ expr, descending, nulls: "last" });
  const nulls = values.map((value) => call("isNull", value));
  const lacking = call("multiIf", every(nulls), constant(2), some(nulls), constant(1), constant(0));
  const orderBy = [order(lacking, false), order(field(TOTAL), true), ...values.map((value) => order(value, false))];
  const rank: Expr = { kind: "window", name: "row_number", args: [], over: { partitionBy: [], orderBy } };
  return select([...values, field(BUCKETS), field(VALUES), alias(RANK, rank)], { from: from(source) });
};

/** One row per bucket again, in which values past the limit have become others. */
const limited = (source: Select, count: number, limit: number): Select => {
  const values = fields(texts("__v", count));
  const isOther: Expr = {
    kind: "and",
    items: [compare(">", field(RANK), constant(limit)), some(values.map((value) => call("isNotNull", value)))],
  };
  const kept = named(
    texts("__w", count),
    values.map((value) => call("if", isOther, constant(null), value)),
  );
  const marked = select([alias(OTHER, call("if", isOther, constant(1), constant(0))), ...kept, field(BUCKETS), field(VALUES)], {
    from: from(source),
  });
  return select([field(OTHER), ...fields(texts("__w", count)), field(PLACE), field(NUMBER)], {
    from: from(marked),
    arrayJoin: { left: false, items: [alias(PLACE, field(BUCKETS)), alias(NUMBER, field(VALUES))] },
  });
};

/** What the rows of a folded query say. */
export const unfolded = (rows: readonly (readonly PlanCell[])[], dimensions: number): readonly Folded[] =>
  rows.map((row) => {
    const [other, values] = dimensions === 0 ? [0, []] : [row[0], row.slice(1, 1 + dimensions)];
    const [buckets, numbers] = row.slice(dimensions === 0 ? 0 : 1 + dimensions);
    return {
      isOther: Number(other) === 1,
      values: values.map((value) => (value === null ? null : String(value))),
      buckets: listOf(buckets).map(Number),
      numbers: listOf(numbers).map(Number),
    };
  });

const listOf = (cell: PlanCell | undefined): readonly PlanCell[] => (Array.isArray(cell) ? cell : []);
