import type { Ast, Expr, OrderItem, Select } from "../../hogql/ast.ts";
import { alias, call, compare, constant, field, from, select, some } from "../../hogql/build.ts";
import type { PlanCell } from "../plan.ts";
import type { Dimension } from "./breakdowns.ts";
import { arithmetic, BUCKET, fields, key, named, VALUE } from "./columns.ts";

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
const text = (index: number): string => `__v${index + 1}`;

/**
 * One row per breakdown value of what `numbers` has per keys and bucket: the values with the greatest totals, at most `limit`,
 * those without any value in a row of their own, and one row that sums all others. Without breakdowns it is one row.
 */
export const folded = (numbers: Select, dimensions: readonly Dimension[], limit: number, weight: Weight | null): Ast => {
  if (dimensions.length === 0) return select(lists(BUCKET, VALUE), { from: from(numbers), limit: constant(1) });
  const texts = dimensions.map((_, index) => text(index));
  const summed = select([field(OTHER), ...fields(texts), field(BUCKET), alias(VALUE, call("sum", field(VALUE)))], {
    from: from(limited(ranked(totals(numbers, dimensions, weight), texts), texts, limit)),
    groupBy: [field(OTHER), ...fields(texts), field(BUCKET)],
  });
  return select([field(OTHER), ...fields(texts), ...lists(BUCKET, VALUE)], {
    from: from(summed),
    groupBy: [field(OTHER), ...fields(texts)],
    limit: constant(limit + ROWS_BESIDES),
  });
};

/** Others, and events without any value. */
const ROWS_BESIDES = 2;

const lists = (bucket: string, value: string): readonly Expr[] => [
  alias(BUCKETS, call("groupArray", field(bucket))),
  alias(VALUES, call("groupArray", field(value))),
];

/** Each breakdown value with its numbers as lists and its total. */
const totals = (numbers: Select, dimensions: readonly Dimension[], weight: Weight | null): Select => {
  let taken = 0;
  const texts = dimensions.map((dimension) => {
    const keys = dimension.keys.map((_, index) => field(key(taken + index)));
    taken += keys.length;
    return dimension.text(keys);
  });
  const share = weight === null ? field(VALUE) : arithmetic("*", field(VALUE), weight(field(BUCKET)));
  const keys = Array.from({ length: taken }, (_, index) => field(key(index)));
  return select(
    [
      ...named(
        dimensions.map((_, index) => text(index)),
        texts,
      ),
      ...lists(BUCKET, VALUE),
      alias(TOTAL, call("sum", share)),
    ],
    {
      from: from(numbers),
      groupBy: keys,
    },
  );
};

const ranked = (source: Select, texts: readonly string[]): Select => {
  const order = (expr: Expr, descending: boolean): OrderItem => ({ expr, descending, nulls: "last" });
  const orderBy = [
    order(call("if", some(texts.map((name) => call("isNull", field(name)))), constant(1), constant(0)), false),
    order(field(TOTAL), true),
    ...texts.map((name) => order(field(name), false)),
  ];
  const rank: Expr = { kind: "window", name: "row_number", args: [], over: { partitionBy: [], orderBy } };
  return select([...fields(texts), field(BUCKETS), field(VALUES), alias(RANK, rank)], { from: from(source) });
};

/** One row per bucket again, in which values past the limit have become others. */
const limited = (source: Select, texts: readonly string[], limit: number): Select => {
  const hasValue = some(texts.map((name) => call("isNotNull", field(name))));
  const isOther: Expr = { kind: "and", items: [compare(">", field(RANK), constant(limit)), hasValue] };
  const marked = select(
    [
      alias(OTHER, call("if", isOther, constant(1), constant(0))),
      ...texts.map((name) => alias(name, call("if", isOther, constant(null), field(name)))),
      field(BUCKETS),
      field(VALUES),
    ],
    { from: from(source) },
  );
  return select([field(OTHER), ...fields(texts), field(BUCKET), field(VALUE)], {
    from: from(marked),
    arrayJoin: { left: false, items: [alias(BUCKET, field(BUCKETS)), alias(VALUE, field(VALUES))] },
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
