import { physical } from "../../analysis/duckdb-types.ts";
import type { Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { numeral, parameter, type Sql, sql } from "../../sql/fragment.ts";
import { arrayType, FLOAT, INT64, isNumeric, type Type, UINT64 } from "../../types.ts";
import type { Aggregate, AggregateCall, FunctionSpec } from "../spec.ts";
import { fitArgument } from "../take.ts";
import { collectArray } from "./aggregate-combinators.ts";
import { bindOnce } from "./array-combinators.ts";

const soleArgument = ({ args: [value] }: AggregateCall, name: string): Expression => {
  if (value === undefined) throw new QueryError("number_of_arguments_doesnt_match", `\`${name}\` takes an argument.`);
  return value;
};

/** Doublings of a running sum, and so the longest list that has one: 2 to this power. */
const DOUBLINGS = 20;

/** Each element with the one `by` places before it, which is 0 for the first ones: `r[1]` and `r[2]`. */
const besideEarlier = (list: Sql, by: Sql, type: Type): Sql =>
  sql`list_zip(${list}, list_concat(list_resize([]::${physical(type)}[], least(${by}, len(${list})), 0), ${list}), true)`;

/**
 * Sums of all elements up to each. A lambda that reaches out to the list would cost the square of its length, so that every
 * element takes in its neighbours instead: the one before, then the sums of two, of four, and so on.
 */
const runningSums = (values: Sql, type: Type): Sql => {
  let sums = sql`CASE WHEN len(${values}) <= ${numeral(2 ** DOUBLINGS)} THEN ${values} ELSE error('a list of a moving sum is too long') END`;
  for (let doubling = 0; doubling < DOUBLINGS; doubling++) {
    sums = bindOnce(sums, (list) => {
      const by = numeral(2 ** doubling);
      const added = sql`list_transform(${besideEarlier(list, by, type)}, lambda r: r[1] + r[2])`;
      return doubling === 0 ? added : sql`CASE WHEN len(${list}) > ${by} THEN ${added} ELSE ${list} END`;
    });
  }
  return sums;
};

const windowSize = ([size]: AggregateCall["params"], name: string): bigint | undefined => {
  if (size === undefined || (typeof size === "bigint" && size > 0n)) return size;
  throw new QueryError("invalid_input", `The window of \`${name}\` must be a whole number above 0.`);
};

/** Sums over the last values, as many as the window has, one for each value; over all values so far without a window. */
const movingSums = (call: AggregateCall, name: string, type: Type): Sql => {
  const { tree } = collectArray(call, soleArgument(call, name));
  const sums = runningSums(sql`CAST(${tree} AS ${physical(type)}[])`, type);
  const size = windowSize(call.params, name);
  if (size === undefined) return sums;
  return bindOnce(
    sums,
    (list) => sql`list_transform(${besideEarlier(list, sql`${parameter(size)}::BIGINT`, type)}, lambda r: r[1] - r[2])`,
  );
};

const moving = (name: string, lower: (call: AggregateCall) => Expression): Aggregate => ({
  kind: "aggregate",
  name,
  takes: ["number"],
  params: [0, 1],
  lower,
});

const movingSum = moving("groupArrayMovingSum", (call) => {
  const { type } = soleArgument(call, "groupArrayMovingSum");
  const widest = type.kind === "integer" ? (type.name.startsWith("U") ? UINT64 : INT64) : type;
  return { tree: movingSums(call, "groupArrayMovingSum", widest), type: arrayType(widest), nullable: false };
});

/** The first values are divided by the window's size as well, and without a window by the number of all values. */
const movingAvg = moving("groupArrayMovingAvg", (call) => {
  const [size] = call.params;
  const tree = bindOnce(movingSums(call, "groupArrayMovingAvg", FLOAT), (list) => {
    if (typeof size === "bigint") return sql`list_transform(${list}, lambda v: v / ${parameter(size)}::BIGINT)`;
    return sql`list_transform(list_zip(${list}, list_resize([]::BIGINT[], len(${list}), len(${list}))), lambda r: r[1] / r[2])`;
  });
  return { tree, type: arrayType(FLOAT), nullable: false };
});

/** The sum of the rises from each value to the next; falls count for nothing. */
const risen = (list: Sql, type: Type): Expression => {
  const rises = bindOnce(
    list,
    (values) =>
      sql`list_transform(list_zip(${values}, list_slice(${values}, 2, len(${values})), true), lambda r: greatest(r[2] - r[1], 0))`,
  );
  return { tree: sql`CAST(coalesce(list_sum(${rises}), 0) AS ${physical(type)})`, type, nullable: false };
};

const deltaSum: Aggregate = {
  kind: "aggregate",
  name: "deltaSum",
  takes: ["number"],
  lower: (call) => {
    const value = soleArgument(call, "deltaSum");
    return risen(collectArray(call, value).tree, value.type);
  },
};

/** In the order of the times: rows of the lake come in none of their own. */
const deltaSumTimestamp: Aggregate = {
  kind: "aggregate",
  name: "deltaSumTimestamp",
  takes: ["number", "any"],
  lower: (call) => {
    const value = soleArgument(call, "deltaSumTimestamp");
    const [, given = value] = call.args;
    const time = isNumeric(given.type) ? given : fitArgument(call.context, "time", given, "deltaSumTimestamp", 1);
    const row: Expression = {
      tree: sql`CASE WHEN ${time.tree} IS NOT NULL AND ${value.tree} IS NOT NULL THEN {'t': ${time.tree}, 'v': ${value.tree}} END`,
      type: { kind: "unknown" },
      nullable: value.nullable || time.nullable,
    };
    return risen(sql`list_transform(list_sort(${collectArray(call, row).tree}), lambda r: r.v)`, value.type);
  },
};

/** Aggregates that look at values in their order. */
export const RUNNING: readonly FunctionSpec[] = [movingSum, movingAvg, deltaSum, deltaSumTimestamp];
