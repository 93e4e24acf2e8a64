import { unreachable } from "../../core/unreachable.ts";
import type { Ast, Expr, OrderItem, Select } from "../../hogql/ast.ts";
import { alias, call, compare, constant, every, field, from, select, some } from "../../hogql/build.ts";
import type { PlanCell } from "../plan.ts";
import type { Dimension } from "./breakdowns.ts";
import { arithmetic, BUCKET, COUNT, fields, grouped, keyNames, named, VALUE } from "./columns.ts";

/** What becomes of values past the limit: their sum, the mean of the numbers that they are made of, or the least or greatest. */
export type Others = "sum" | "mean" | "min" | "max";

export interface Folding {
  /** Most values that keep a row of their own. */
  readonly limit: number;
  /** How often a value in a bucket adds to the total of its breakdown value; null: once. */
  readonly weight: ((bucket: Expr) => Expr) | null;
  readonly others: Others;
}

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
const COUNTS = "__cs";
const PARTS = "__parts";

/**
 * One row per breakdown value of what `numbers` has per keys and bucket: the values with the greatest totals, at most `limit`,
 * those without any value in a row of their own, and one row of all others. Without breakdowns it is one row.
 */
export const folded = (numbers: Select, dimensions: readonly Dimension[], folding: Folding): Ast => {
  if (dimensions.length === 0) return select(lists(BUCKET, VALUE), { from: from(numbers), limit: constant(1) });
  const count = dimensions.length;
  const names = [OTHER, ...texts("__w", count)];
  const carried = carriedBy(folding.others);
  const listed = ranked(totals(numbers, dimensions, folding), count, carried);
  const summed = grouped(limited(listed, count, folding.limit, carried), [...names, PLACE], [alias(SUM, together(folding.others))]);
  return grouped(summed, names, lists(PLACE, SUM), { limit: constant(folding.limit + ROWS_BESIDES) });
};

/** A column that goes through the steps as a list: its name in the numbers, as a list, and in rows again. */
type Carried = readonly [name: string, list: string, row: string];

const carriedBy = (others: Others): readonly Carried[] => [
  [BUCKET, BUCKETS, PLACE],
  [VALUE, VALUES, NUMBER],
  ...(others === "sum" ? [] : [[COUNT, COUNTS, PARTS] as const]),
];

/** The number of one breakdown value, or of all others. */
const together = (others: Others): Expr => {
  const [number, parts] = [field(NUMBER), field(PARTS)];
  switch (others) {
    case "sum":
      return call("sum", number);
    case "mean": {
      const mean = arithmetic("/", call("sum", arithmetic("*", number, parts)), call("sum", parts));
      const ofOthers = call("if", compare("==", call("sum", parts), constant(0)), constant(0), mean);
      return call("if", compare("==", field(OTHER), constant(0)), call("any", number), ofOthers);
    }
    case "min":
    case "max":
      return call(`${others}If`, number, compare(">", parts, constant(0)));
    default:
      return unreachable(others);
  }
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
const totals = (numbers: Select, dimensions: readonly Dimension[], { weight, others }: Folding): Select => {
  const keys = fields(keyNames(dimensions.reduce((sum, dimension) => sum + dimension.keys.length, 0)));
  let taken = 0;
  const values = dimensions.map((dimension) => {
    taken += dimension.keys.length;
    return dimension.text(keys.slice(taken - dimension.keys.length, taken));
  });
  const share = weight === null ? field(VALUE) : arithmetic("*", field(VALUE), weight(field(BUCKET)));
  const all = carriedBy(others).map(([name, list]) => alias(list, call("groupArray", field(name))));
  return select([...named(texts("__v", dimensions.length), values), ...all, alias(TOTAL, call("sum", share))], {
    from: from(numbers),
    groupBy: keys,
  });
};

/** The greatest totals first, equal ones by value; then what lacks some of several values, and last what lacks them all. */
const ranked = (source: Select, count: number, carried: readonly Carried[]): Select => {
  const values = fields(texts("__v", count));
  const order = (expr: Expr, descending: boolean): OrderItem => ({ expr, descending, nulls: "last" });
  const nulls = values.map((value) => call("isNull", value));
  const lacking = call("multiIf", every(nulls), constant(2), some(nulls), constant(1), constant(0));
  const orderBy = [order(lacking, false), order(field(TOTAL), true), ...values.map((value) => order(value, false))];
  const rank: Expr = { kind: "window", name: "row_number", args: [], over: { partitionBy: [], orderBy } };
  return select([...values, ...carried.map(([, list]) => field(list)), alias(RANK, rank)], { from: from(source) });
};

/** One row per bucket again, in which values past the limit have become others. */
const limited = (source: Select, count: number, limit: number, carried: readonly Carried[]): Select => {
  const values = fields(texts("__v", count));
  const isOther: Expr = {
    kind: "and",
    items: [compare(">", field(RANK), constant(limit)), some(values.map((value) => call("isNotNull", value)))],
  };
  const kept = named(
    texts("__w", count),
    values.map((value) => call("if", isOther, constant(null), value)),
  );
  const listed = carried.map(([, list]) => field(list));
  const marked = select([alias(OTHER, call("if", isOther, constant(1), constant(0))), ...kept, ...listed], { from: from(source) });
  return select([field(OTHER), ...fields(texts("__w", count)), ...carried.map(([, , row]) => field(row))], {
    from: from(marked),
    arrayJoin: { left: false, items: carried.map(([, list, row]) => alias(row, field(list))) },
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
