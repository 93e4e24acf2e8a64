import { unreachable } from "../../../core/unreachable.ts";
import type { Ast, Expr, OrderItem, Select } from "../../../hogql/ast.ts";
import { alias, arithmetic, call, compare, constant, every, field, from, select, some } from "../../../hogql/build.ts";
import type { Dimension } from "../../breakdowns/breakdowns.ts";
import type { PlanCell } from "../../plan.ts";
import { BUCKET, COUNT, fields, grouped, keyNames, named, VALUE } from "./columns.ts";

/** How values past the limit become one: their sum, the mean of the numbers that they are made of, or the least or greatest. */
export type Others = "sum" | "mean" | "min" | "max";

export interface Folding {
  /** Most values that keep a row of their own. */
  readonly limit: number;
  /** How often a value in a bucket adds to the total of its breakdown value; null: once. */
  readonly weight: ((bucket: Expr) => Expr) | null;
  readonly others: Others;
}

/** Numbers by bucket of one breakdown value. Buckets that are missing are 0. */
export interface BreakdownNumbers {
  /** All values past the limit together. */
  readonly isOther: boolean;
  /** By breakdown; null where events have no value. Empty without breakdowns. */
  readonly values: readonly (string | null)[];
  readonly buckets: readonly number[];
  readonly numbers: readonly number[];
}

const OTHER = "__other";
const LEADS = "__leads";
const NUMBERS = "__numbers";
const ALL = "__all";
const LEADERS = "__leaders";
const BUCKETS = "__bs";
const VALUES = "__ns";
const SUM = "__sum";

/**
 * One row per breakdown value of what `numbers` has per keys and bucket: the values with the greatest totals, at most `limit`,
 * those without any value in a row of their own, and one row of all others. Without breakdowns it is one row.
 */
export const foldQuery = (numbers: Select, dimensions: readonly Dimension[], folding: Folding): Ast => {
  if (dimensions.length === 0) return select(lists(VALUE), { from: from(numbers), limit: constant(1) });
  const names = [OTHER, ...texts("__w", dimensions.length)];
  const marked = limitValues(withTexts(numbers, dimensions, folding), dimensions.length, folding);
  const summed = grouped(marked, [...names, BUCKET], [alias(SUM, together(folding.others))]);
  return grouped(summed, names, lists(SUM), { limit: constant(folding.limit + ROWS_BESIDES) });
};

/** Others, and events without any value. */
const ROWS_BESIDES = 2;

/** The buckets, and beside them what stands in each. */
const lists = (value: string): readonly Expr[] => [
  alias(BUCKETS, call("groupArray", field(BUCKET))),
  alias(VALUES, call("groupArray", field(value))),
];

/** Names of the breakdowns' texts, as found and as kept. */
const texts = (prefix: "__v" | "__w", count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

/** Columns of the numbers besides their keys. */
const numberColumns = (others: Others): readonly string[] => (others === "sum" ? [BUCKET, VALUE] : [BUCKET, VALUE, COUNT]);

/** The numbers with the breakdowns' texts in the place of their keys. */
const withTexts = (numbers: Select, dimensions: readonly Dimension[], { others }: Folding): Select => {
  const keys = fields(keyNames(dimensions.reduce((sum, dimension) => sum + dimension.keys.length, 0)));
  let taken = 0;
  const values = dimensions.map((dimension) => {
    taken += dimension.keys.length;
    return dimension.text(keys.slice(taken - dimension.keys.length, taken));
  });
  return select([...named(texts("__v", dimensions.length), values), ...fields(numberColumns(others))], { from: from(numbers) });
};

/** The greatest totals first, equal ones by value; then what lacks some of several values. What lacks them all takes no place. */
const leadingValues = (count: number, { limit, weight }: Folding): Select => {
  const values = fields(texts("__v", count));
  const order = (expr: Expr, descending: boolean): OrderItem => ({ expr, descending, nulls: "last" });
  const lacking = call("if", some(values.map((value) => call("isNull", value))), constant(1), constant(0));
  const share = weight === null ? field(VALUE) : arithmetic("*", field(VALUE), weight(field(BUCKET)));
  return select([...values, alias(LEADS, constant(1))], {
    from: from(NUMBERS),
    where: some(values.map((value) => call("isNotNull", value))),
    groupBy: values,
    orderBy: [order(lacking, false), order(call("sum", share), true), ...values.map((value) => order(value, false))],
    limit: constant(limit),
  });
};

/** The numbers, in which values past the limit have become others. They are computed once for both of their uses. */
const limitValues = (numbers: Select, count: number, folding: Folding): Select => {
  const names = texts("__v", count);
  const values = names.map((name) => field(ALL, name));
  const trails = compare("==", call("ifNull", field(LEADERS, LEADS), constant(0)), constant(0));
  const isOther = every([trails, some(values.map((value) => call("isNotNull", value)))]);
  const kept = values.map((value) => call("if", isOther, constant(null), value));
  // No value is an empty text, so that it can stand for none.
  const orEmpty = (value: Expr): Expr => call("ifNull", value, constant(""));
  const same = every(names.map((name) => compare("==", orEmpty(field(ALL, name)), orEmpty(field(LEADERS, name)))));
  return select(
    [
      alias(OTHER, call("if", isOther, constant(1), constant(0))),
      ...named(texts("__w", count), kept),
      ...numberColumns(folding.others).map((name) => alias(name, field(ALL, name))),
    ],
    {
      ctes: [{ name: NUMBERS, query: numbers, scalar: false, columns: null, once: true }],
      from: from(NUMBERS, ALL),
      joins: [{ ...from(leadingValues(count, folding), LEADERS), join: "LEFT JOIN", on: same, using: null }],
    },
  );
};

/** The number of one breakdown value, or of all others. */
const together = (others: Others): Expr => {
  const [number, count] = [field(VALUE), field(COUNT)];
  switch (others) {
    case "sum":
      return call("sum", number);
    case "mean": {
      const mean = arithmetic("/", call("sum", arithmetic("*", number, count)), call("sum", count));
      const ofOthers = call("if", compare("==", call("sum", count), constant(0)), constant(0), mean);
      return call("if", compare("==", field(OTHER), constant(0)), call("any", number), ofOthers);
    }
    case "min":
    case "max":
      return call(`${others}If`, number, compare(">", count, constant(0)));
    default:
      return unreachable(others);
  }
};

/** Reads the rows of a query that `foldQuery` made. */
export const readFolded = (rows: readonly (readonly PlanCell[])[], dimensions: number): readonly BreakdownNumbers[] =>
  rows.map((row) => {
    const [other, values] = dimensions === 0 ? [0, []] : [row[0], row.slice(1, 1 + dimensions)];
    const [buckets, numbers] = row.slice(dimensions === 0 ? 0 : 1 + dimensions);
    return {
      isOther: Number(other) === 1,
      values: values.map((value) => (value === null ? null : String(value))),
      buckets: cellList(buckets).map(Number),
      numbers: cellList(numbers).map(Number),
    };
  });

const cellList = (cell: PlanCell | undefined): readonly PlanCell[] => (Array.isArray(cell) ? cell : []);
