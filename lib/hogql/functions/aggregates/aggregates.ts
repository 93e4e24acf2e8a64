import type { Expression } from "../../analysis/expression.ts";
import { arrayOf, defaultOf, FLOAT, INT64, isNumeric, STRING, type Type, UINT64 } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import type { Aggregate, AggregateCall, FunctionSpec } from "../spec.ts";
import type { Take } from "../take.ts";

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

const result = (sql: string, type: Type, nullable: boolean): Expression => ({ sql, type, nullable });

const distinct = (call: AggregateCall): string => (call.distinct ? "DISTINCT " : "");

/** One value of all arguments, to be counted: NULL when the only one is. */
const together = ({ args }: AggregateCall): string =>
  args.length === 1 ? (args[0]?.sql ?? "1") : `row(${args.map(({ sql }) => sql).join(", ")})`;

/** Rows of several arguments count only where none of them is NULL. */
const countDistinct = (call: AggregateCall): Expression => {
  const present = call.args.length > 1 ? call.args.filter(({ nullable }) => nullable).map(({ sql }) => `${sql} IS NOT NULL`) : [];
  return result(call.over(`count(DISTINCT ${together(call)})`, present.length === 0 ? undefined : present.join(" AND ")), UINT64, false);
};

const count = (call: AggregateCall): Expression => {
  if (call.args.length === 0) return result(call.over("count(*)"), UINT64, false);
  if (call.distinct) return countDistinct(call);
  const value = first(call);
  return result(call.over(value.nullable ? `count(${value.sql})` : "count(*)"), UINT64, false);
};

/**
 * Of no rows: 0, as the contract has it, also where ClickHouse would say NULL because the values could be. Of rows whose values are
 * all NULL: NULL.
 */
const sum = (call: AggregateCall): Expression => {
  const value = first(call);
  const type: Type = value.type.kind === "integer" ? (value.type.name.startsWith("U") ? UINT64 : INT64) : value.type;
  const body = call.over(`sum(${distinct(call)}${value.sql})`);
  const fitted = type.kind === "integer" ? `CAST(${body} AS BIGINT)` : body;
  if (!value.nullable) return result(`coalesce(${fitted}, 0)`, type, false);
  return result(`CASE WHEN ${call.over("count(*)")} = 0 THEN 0 ELSE ${fitted} END`, type, true);
};

const avg = (call: AggregateCall): Expression => result(call.over(`avg(${distinct(call)}${first(call).sql})`), FLOAT, true);

/** Of no rows: the type's default where the values cannot be NULL, else NULL. */
const orDefault = (sql: string, value: Expression): Expression => {
  const fallback = defaultOf(value.type);
  return value.nullable || fallback === "NULL" ? result(sql, value.type, true) : result(`coalesce(${sql}, ${fallback})`, value.type, false);
};

const simple =
  (body: (value: string) => string) =>
  (call: AggregateCall): Expression =>
    orDefault(call.over(body(`${distinct(call)}${first(call).sql}`)), first(call));

const by =
  (name: string) =>
  (call: AggregateCall): Expression =>
    orDefault(call.over(`${name}(${first(call).sql}, ${second(call).sql})`), first(call));

/** Arrays skip NULLs, and of no rows they are empty. */
const list = (call: AggregateCall, unique: boolean): Expression => {
  const value = first(call);
  const type = arrayOf(value.type);
  const body = call.over(
    `list(${unique ? "DISTINCT " : distinct(call)}${value.sql}${call.order})`,
    value.nullable ? `${value.sql} IS NOT NULL` : undefined,
  );
  const [size] = call.params;
  const all = `coalesce(${body}, [])`;
  return result(typeof size === "bigint" ? `list_slice(${all}, 1, ${call.run.bind(size)}::BIGINT)` : all, type, false);
};

const quantileAt = (call: AggregateCall, level: number): string => {
  const value = first(call);
  const exact = value.type.kind === "date" || value.type.kind === "datetime";
  const number = exact ? value.sql : `CAST(${value.sql} AS DOUBLE)`;
  return call.over(`${exact ? "quantile_disc" : "quantile_cont"}(${number}, ${call.run.bind(level)}::DOUBLE)`);
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
  result(`[${call.params.map((param) => quantileAt(call, level(param))).join(", ")}]`, arrayOf(quantileType(first(call)), true), false);

/** The value at place floor(level * count) of the sorted values, as ClickHouse takes it. */
const quantileExact = (call: AggregateCall): Expression => {
  const value = first(call);
  const sorted = `list_sort(${call.over(`list(${value.sql})`, value.nullable ? `${value.sql} IS NOT NULL` : undefined)})`;
  const at = call.run.bind(level(call.params[0] ?? 0.5));
  return orDefault(`list_extract(${sorted}, least(len(${sorted}), CAST(floor(${at}::DOUBLE * len(${sorted})) AS BIGINT) + 1))`, value);
};

/** The most frequent values, the most frequent first. */
const topK = (call: AggregateCall): Expression => {
  const value = first(call);
  const counted = `map_entries(${call.over(`histogram(${value.sql})`, value.nullable ? `${value.sql} IS NOT NULL` : undefined)})`;
  const sorted = `list_reverse_sort(list_transform(${counted}, lambda e: {'n': e.value, 'k': e.key}))`;
  const size = call.params[0] ?? 10n;
  return result(
    `coalesce(list_slice(list_transform(${sorted}, lambda e: e.k), 1, ${call.run.bind(size)}::BIGINT), [])`,
    arrayOf(value.type),
    false,
  );
};

const statistic =
  (name: string) =>
  (call: AggregateCall): Expression =>
    result(call.over(`${name}(${call.args.map(({ sql }) => `CAST(${sql} AS DOUBLE)`).join(", ")})`), FLOAT, true);

const bits =
  (name: string, empty: string) =>
  (call: AggregateCall): Expression =>
    result(`coalesce(${call.over(`${name}(${first(call).sql})`)}, ${empty})`, INT64, false);

const average = (call: AggregateCall): Expression => {
  const [value, weight] = [first(call), second(call)];
  const products = call.over(`sum(CAST(${value.sql} AS DOUBLE) * ${weight.sql})`);
  const weights = call.over(`sum(${weight.sql})`, value.nullable ? `${value.sql} IS NOT NULL` : undefined);
  return result(`(${products} / ${weights})`, FLOAT, true);
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
    simple((value) => `min(${value})`),
  ),
  aggregate(
    "max",
    { ...ANY, anyCase: true },
    simple((value) => `max(${value})`),
  ),
  aggregate(
    "any",
    { ...ANY, aliases: ["anyHeavy", "any_value", "first_value_of"] },
    simple((value) => `any_value(${value})`),
  ),
  aggregate("argMin", PAIR, by("arg_min")),
  aggregate("argMax", PAIR, by("arg_max")),
  aggregate("groupArray", { ...ANY, aliases: ["array_agg"], params: [0, 1] }, (call) => list(call, false)),
  aggregate("groupUniqArray", { ...ANY, params: [0, 1] }, (call) => list(call, true)),
  aggregate("groupArraySample", { ...ANY, params: [1, 2] }, (call) => list(call, false)),
  aggregate("groupUniqArrayArray", { takes: ["array"] }, (call) => {
    const value = first(call);
    return result(`coalesce(list_distinct(flatten(${call.over(`list(${value.sql})`)})), [])`, value.type, false);
  }),
  aggregate("groupArrayArray", { takes: ["array"] }, (call) => {
    const value = first(call);
    return result(`coalesce(flatten(${call.over(`list(${value.sql})`)}), [])`, value.type, false);
  }),
  aggregate("topK", { ...ANY, params: [0, 1] }, topK),
  aggregate("median", ANY, (call) => result(quantileAt(call, 0.5), quantileType(first(call)), true)),
  aggregate("quantile", { ...ANY, params: [0, 1], aliases: ["quantileTDigest", "quantileTiming"] }, quantile),
  aggregate("quantiles", { ...ANY, params: [1, 100] }, quantiles),
  aggregate("quantileExact", { ...ANY, params: [0, 1] }, quantileExact),
  aggregate("medianExact", ANY, quantileExact),
  aggregate("stddevPop", { ...NUMBER, aliases: ["STDDEV_POP"] }, statistic("stddev_pop")),
  aggregate("stddevSamp", { ...NUMBER, aliases: ["STDDEV_SAMP", "stddev"] }, statistic("stddev_samp")),
  aggregate("varPop", { ...NUMBER, aliases: ["VAR_POP"] }, statistic("var_pop")),
  aggregate("varSamp", { ...NUMBER, aliases: ["VAR_SAMP"] }, statistic("var_samp")),
  aggregate("covarPop", { takes: ["number", "number"] }, statistic("covar_pop")),
  aggregate("covarSamp", { takes: ["number", "number"] }, statistic("covar_samp")),
  aggregate("corr", { takes: ["number", "number"] }, statistic("corr")),
  aggregate("avgWeighted", { takes: ["number", "number"] }, average),
  aggregate("string_agg", { takes: ["text", "constant text"], optional: 1, aliases: ["groupConcat"] }, (call) => {
    const separator = call.args[1]?.sql ?? "''";
    return orDefault(call.over(`string_agg(${distinct(call)}${first(call).sql}, ${separator}${call.order})`), {
      ...first(call),
      type: STRING,
    });
  }),
  aggregate("every", ANY, (call) =>
    result(`coalesce(${call.over(`bool_and(CAST(${first(call).sql} AS BOOLEAN))`)}, true)`, { kind: "boolean" }, false),
  ),
  aggregate("groupBitAnd", { takes: ["integer"] }, bits("bit_and", "-1")),
  aggregate("groupBitOr", { takes: ["integer"] }, bits("bit_or", "0")),
  aggregate("groupBitXor", { takes: ["integer"] }, bits("bit_xor", "0")),
];
