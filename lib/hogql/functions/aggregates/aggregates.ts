import { defaultSql } from "../../analysis/duckdb-types.ts";
import { type Expression, sqlTrees } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { mayBeNan, nanAsNull } from "../../operators/nan.ts";
import { NOTHING, NULL_SQL, parameter, type Sql, separated, sql } from "../../sql/fragment.ts";
import { arrayType, FLOAT, INT64, isNumeric, STRING, type Type, UINT64 } from "../../types.ts";
import type { Aggregate, AggregateCall, FunctionSpec } from "../spec.ts";
import type { Take } from "../take.ts";
import { bindOnce } from "./array-combinators.ts";

interface Shape {
  readonly aliases?: readonly string[];
  readonly anyCase?: true;
  readonly takes: readonly Take[];
  readonly optional?: number;
  readonly rest?: true;
  readonly params?: readonly [number, number];
}

const aggregate = (name: string, shape: Shape, lower: (call: AggregateCall) => Expression): Aggregate => ({
  kind: "aggregate",
  name,
  ...shape,
  lower,
});

const first = (call: AggregateCall): Expression => {
  const [value] = call.args;
  if (value === undefined) throw new QueryError("number_of_arguments_doesnt_match", "The aggregate needs an argument.");
  return value;
};
const second = (call: AggregateCall): Expression => call.args[1] ?? first(call);

const result = (tree: Sql, type: Type, nullable: boolean): Expression => ({ tree, type, nullable });

const distinct = (call: AggregateCall): Sql => (call.distinct ? sql`DISTINCT ` : NOTHING);

/** One value of all arguments, to be counted: NULL when the only one is. */
const together = ({ args }: AggregateCall): Sql => (args.length === 1 ? (args[0]?.tree ?? sql`1`) : sql`row(${separated(sqlTrees(args))})`);

/** Rows of several arguments count only where none of them is NULL. */
const countDistinct = (call: AggregateCall): Expression => {
  const present = call.args.length > 1 ? call.args.filter(({ nullable }) => nullable).map(({ tree }) => sql`${tree} IS NOT NULL`) : [];
  return result(
    call.over(sql`count(DISTINCT ${together(call)})`, present.length === 0 ? undefined : separated(present, sql` AND `)),
    UINT64,
    false,
  );
};

const count = (call: AggregateCall): Expression => {
  if (call.args.length === 0) return result(call.over(sql`count(*)`), UINT64, false);
  if (call.distinct) return countDistinct(call);
  const value = first(call);
  return result(call.over(value.nullable ? sql`count(${value.tree})` : sql`count(*)`), UINT64, false);
};

/**
 * Of no rows: 0, as the contract has it, also where ClickHouse would say NULL because the values could be. Of rows whose values are
 * all NULL: NULL.
 */
const sum = (call: AggregateCall): Expression => {
  const value = first(call);
  const type: Type = value.type.kind === "integer" ? (value.type.name.startsWith("U") ? UINT64 : INT64) : value.type;
  const body = call.over(sql`sum(${distinct(call)}${value.tree})`);
  const fitted = type.kind === "integer" ? sql`CAST(${body} AS BIGINT)` : body;
  if (!value.nullable) return result(sql`coalesce(${fitted}, 0)`, type, false);
  return result(sql`CASE WHEN ${call.over(sql`count(*)`)} = 0 THEN 0 ELSE ${fitted} END`, type, true);
};

const avg = (call: AggregateCall): Expression => result(call.over(sql`avg(${distinct(call)}${first(call).tree})`), FLOAT, true);

/** Of no rows: the type's default where the values cannot be NULL, else NULL. */
const orDefault = (tree: Sql, value: Expression): Expression => {
  const fallback = defaultSql(value.type);
  return value.nullable || fallback === null
    ? result(tree, value.type, true)
    : result(sql`coalesce(${tree}, ${fallback})`, value.type, false);
};

const simple =
  (body: (value: Sql) => Sql) =>
  (call: AggregateCall): Expression =>
    orDefault(call.over(body(sql`${distinct(call)}${first(call).tree}`)), first(call));

/** The greatest or least of the values that are numbers; NaN where none is. */
const extreme =
  (body: (value: Sql) => Sql) =>
  (call: AggregateCall): Expression =>
    orDefault(
      pastNan(first(call), ({ tree }) => call.over(body(sql`${distinct(call)}${tree}`))),
      first(call),
    );

const by =
  (name: Sql) =>
  (call: AggregateCall): Expression =>
    orDefault(
      pastNan(second(call), ({ tree }) => call.over(sql`${name}(${first(call).tree}, ${tree})`)),
      first(call),
    );

/** What is found among the values that are no NaN, and only where there are none among all. */
const pastNan = (value: Expression, find: (value: Expression) => Sql): Sql =>
  mayBeNan(value) ? sql`coalesce(${find(nanAsNull(value))}, ${find(value)})` : find(value);

/** Arrays skip NULLs, and of no rows they are empty. */
const list = (call: AggregateCall, unique: boolean): Expression => {
  const value = first(call);
  const type = arrayType(value.type);
  const body = call.over(
    sql`list(${unique ? sql`DISTINCT ` : distinct(call)}${value.tree}${call.order})`,
    value.nullable ? sql`${value.tree} IS NOT NULL` : undefined,
  );
  const [size] = call.params;
  const all = sql`coalesce(${body}, [])`;
  return result(typeof size === "bigint" ? sql`list_slice(${all}, 1, ${parameter(size)}::BIGINT)` : all, type, false);
};

const quantileAt = (call: AggregateCall, level: number): Sql => {
  const value = first(call);
  const exact = value.type.kind === "date" || value.type.kind === "datetime";
  const number = exact ? value.tree : sql`CAST(${nanAsNull(value).tree} AS DOUBLE)`;
  return call.over(sql`${exact ? sql`quantile_disc` : sql`quantile_cont`}(${number}, ${parameter(level)}::DOUBLE)`);
};

const level = (value: unknown): number => {
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number !== "number" || !(number >= 0 && number <= 1))
    throw new QueryError("invalid_input", "The level of a quantile must be between 0 and 1.");
  return number;
};

const quantileType = (value: Expression): Type => (isNumeric(value.type) ? FLOAT : value.type);

const quantile = (call: AggregateCall): Expression =>
  result(quantileAt(call, level(call.params[0] ?? 0.5)), quantileType(first(call)), true);

const quantiles = (call: AggregateCall): Expression =>
  result(
    sql`[${separated(call.params.map((param) => quantileAt(call, level(param))))}]`,
    arrayType(quantileType(first(call)), true),
    false,
  );

/** The value at place floor(level * count) of the sorted values, as ClickHouse takes it. */
const quantileExact = (call: AggregateCall): Expression => {
  const value = first(call);
  const sorted = sql`list_sort(${call.over(sql`list(${value.tree})`, value.nullable ? sql`${value.tree} IS NOT NULL` : undefined)})`;
  const at = parameter(level(call.params[0] ?? 0.5));
  return orDefault(sql`list_extract(${sorted}, least(len(${sorted}), CAST(floor(${at}::DOUBLE * len(${sorted})) AS BIGINT) + 1))`, value);
};

/** The most frequent values, the most frequent first. */
const topK = (call: AggregateCall): Expression => {
  const value = first(call);
  const counted = sql`map_entries(${call.over(sql`histogram(${value.tree})`, value.nullable ? sql`${value.tree} IS NOT NULL` : undefined)})`;
  const sorted = sql`list_reverse_sort(list_transform(${counted}, lambda e: {'n': e.value, 'k': e.key}))`;
  const size = call.params[0] ?? 10n;
  return result(
    sql`coalesce(list_slice(list_transform(${sorted}, lambda e: e.k), 1, ${parameter(size)}::BIGINT), [])`,
    arrayType(value.type),
    false,
  );
};

const statistic =
  (name: Sql) =>
  (call: AggregateCall): Expression =>
    result(call.over(sql`${name}(${separated(call.args.map(({ tree }) => sql`CAST(${tree} AS DOUBLE)`))})`), FLOAT, true);

const bits =
  (name: Sql, empty: Sql) =>
  (call: AggregateCall): Expression =>
    result(sql`coalesce(${call.over(sql`${name}(${first(call).tree})`)}, ${empty})`, INT64, false);

const average = (call: AggregateCall): Expression => {
  const [value, weight] = [first(call), second(call)];
  const products = call.over(sql`sum(CAST(${value.tree} AS DOUBLE) * ${weight.tree})`);
  const weights = call.over(sql`sum(${weight.tree})`, value.nullable ? sql`${value.tree} IS NOT NULL` : undefined);
  return result(sql`(${products} / ${weights})`, FLOAT, true);
};

const NUMBER: Shape = { takes: ["number"] };
const ANY: Shape = { takes: ["any"] };
const PAIR: Shape = { takes: ["any", "any"] };

export const AGGREGATES: readonly FunctionSpec[] = [
  aggregate("count", { takes: ["any"], optional: 1, rest: true, anyCase: true }, count),
  aggregate(
    "countDistinct",
    { takes: ["any"], rest: true, aliases: ["uniq", "uniqExact", "uniqHLL12", "uniqTheta", "uniqCombined"] },
    countDistinct,
  ),
  aggregate("sum", { ...NUMBER, anyCase: true }, sum),
  aggregate("sumDistinct", NUMBER, (call) => sum({ ...call, distinct: true })),
  aggregate("avg", { ...NUMBER, anyCase: true }, avg),
  aggregate(
    "min",
    { ...ANY, anyCase: true },
    extreme((value) => sql`min(${value})`),
  ),
  aggregate(
    "max",
    { ...ANY, anyCase: true },
    extreme((value) => sql`max(${value})`),
  ),
  aggregate(
    "any",
    { ...ANY, aliases: ["anyHeavy", "any_value", "first_value_of"] },
    simple((value) => sql`any_value(${value})`),
  ),
  aggregate("argMin", PAIR, by(sql`arg_min`)),
  aggregate("argMax", PAIR, by(sql`arg_max`)),
  aggregate("groupArray", { ...ANY, aliases: ["array_agg"], params: [0, 1] }, (call) => list(call, false)),
  aggregate("groupUniqArray", { ...ANY, params: [0, 1] }, (call) => list(call, true)),
  aggregate("groupArraySample", { ...ANY, params: [1, 2] }, (call) => list(call, false)),
  aggregate("groupUniqArrayArray", { takes: ["array"] }, (call) => {
    const value = first(call);
    return result(sql`coalesce(list_distinct(flatten(${call.over(sql`list(${value.tree})`)})), [])`, value.type, false);
  }),
  aggregate("groupArrayArray", { takes: ["array"] }, (call) => {
    const value = first(call);
    return result(sql`coalesce(flatten(${call.over(sql`list(${value.tree})`)}), [])`, value.type, false);
  }),
  aggregate("topK", { ...ANY, params: [0, 1] }, topK),
  aggregate("median", ANY, (call) => result(quantileAt(call, 0.5), quantileType(first(call)), true)),
  aggregate("quantile", { ...ANY, params: [0, 1], aliases: ["quantileTDigest", "quantileTiming"] }, quantile),
  aggregate("quantiles", { ...ANY, params: [1, 100] }, quantiles),
  aggregate("quantileExact", { ...ANY, params: [0, 1] }, quantileExact),
  aggregate("medianExact", ANY, quantileExact),
  aggregate("stddevPop", { ...NUMBER, aliases: ["STDDEV_POP"] }, statistic(sql`stddev_pop`)),
  aggregate("stddevSamp", { ...NUMBER, aliases: ["STDDEV_SAMP", "stddev"] }, statistic(sql`stddev_samp`)),
  aggregate("varPop", { ...NUMBER, aliases: ["VAR_POP"] }, statistic(sql`var_pop`)),
  aggregate("varSamp", { ...NUMBER, aliases: ["VAR_SAMP"] }, statistic(sql`var_samp`)),
  aggregate("covarPop", { takes: ["number", "number"] }, statistic(sql`covar_pop`)),
  aggregate("covarSamp", { takes: ["number", "number"] }, statistic(sql`covar_samp`)),
  aggregate("corr", { takes: ["number", "number"] }, statistic(sql`corr`)),
  aggregate("avgWeighted", { takes: ["number", "number"] }, average),
  aggregate("string_agg", { takes: ["text", "constant text"], optional: 1, aliases: ["groupConcat"] }, (call) => {
    const separator = call.args[1]?.tree ?? sql`''`;
    return orDefault(call.over(sql`string_agg(${distinct(call)}${first(call).tree}, ${separator}${call.order})`), {
      ...first(call),
      type: STRING,
    });
  }),
  aggregate("every", ANY, (call) =>
    result(sql`coalesce(${call.over(sql`bool_and(CAST(${first(call).tree} AS BOOLEAN))`)}, true)`, { kind: "boolean" }, false),
  ),
  aggregate("groupBitAnd", { takes: ["integer"] }, bits(sql`bit_and`, sql`-1`)),
  aggregate("groupBitOr", { takes: ["integer"] }, bits(sql`bit_or`, sql`0`)),
  aggregate("groupBitXor", { takes: ["integer"] }, bits(sql`bit_xor`, sql`0`)),
];

/** Sums of the powers of the values: `n` of them, `a` of the first power, `b` of the second, `c` of the third, `d` of the fourth. */
const powers = ({ args: [value], over }: AggregateCall): Sql => {
  const x = sql`CAST(${value?.tree ?? NULL_SQL} AS DOUBLE)`;
  const [b, c, d] = [sql`sum(${x} * ${x})`, sql`sum(${x} * ${x} * ${x})`, sql`sum(${x} * ${x} * ${x} * ${x})`];
  return sql`{'n': ${over(sql`count(${x})`)}, 'a': ${over(sql`sum(${x})`)}, 'b': ${over(b)}, 'c': ${over(c)}, 'd': ${over(d)}}`;
};

type Share = "population" | "sample";

const variance = (s: Sql, share: Share): Sql =>
  sql`((${s}.b - ${s}.a * ${s}.a / ${s}.n) / ${share === "population" ? sql`${s}.n` : sql`(${s}.n - 1)`})`;

const third = (s: Sql): Sql => sql`((${s}.c - (3 * ${s}.b - 2 * ${s}.a * ${s}.a / ${s}.n) * ${s}.a / ${s}.n) / ${s}.n)`;

const fourth = (s: Sql): Sql =>
  sql`((${s}.d - (4 * ${s}.c - (6 * ${s}.b - 3 * ${s}.a * ${s}.a / ${s}.n) * ${s}.a / ${s}.n) * ${s}.a / ${s}.n) / ${s}.n)`;

/** A moment about the average, in units of the variance's power; NULL where all values are equal, as of one or none. */
const standardised = (name: string, moment: (sums: Sql) => Sql, power: Sql, share: Share): Aggregate => ({
  kind: "aggregate",
  name,
  takes: ["number"],
  lower: (call) => {
    const tree = bindOnce(
      powers(call),
      (s) => sql`CASE WHEN ${s}.n > 1 AND ${variance(s, share)} > 0 THEN ${moment(s)} / pow(${variance(s, share)}, ${power}) END`,
    );
    return { tree, type: FLOAT, nullable: true };
  },
});

/** How values lie about their average. The moment is the population's in all of them; only the variance may be a sample's. */
export const MOMENTS: readonly FunctionSpec[] = [
  standardised("skewPop", third, sql`1.5`, "population"),
  standardised("skewSamp", third, sql`1.5`, "sample"),
  standardised("kurtPop", fourth, sql`2`, "population"),
  standardised("kurtSamp", fourth, sql`2`, "sample"),
];
