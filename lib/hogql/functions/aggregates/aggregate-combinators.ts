import { derive, type Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { argument, lambda, NOTHING, NULL_SQL, sql } from "../../sql/fragment.ts";
import { arrayType, FLOAT, isOpen, STRING, type Type, typeName, UNKNOWN } from "../../types.ts";
import type { Aggregate, AggregateCall, FunctionSpec, Special } from "../spec.ts";
import { arrayCombinator, perKey } from "./array-combinators.ts";

/** All values of the call's rows as one list, without NULLs. */
export const collectArray = (call: AggregateCall, value: Expression): Expression => {
  const body = call.over(
    sql`list(${call.distinct ? sql`DISTINCT ` : NOTHING}${value.tree}${call.order})`,
    value.nullable ? sql`${value.tree} IS NOT NULL` : undefined,
  );
  return { tree: sql`coalesce(${body}, [])`, type: arrayType(value.type), nullable: false };
};

/** An aggregate whose name ends in `Array`, `ForEach`, `Map` or `Distinct`; undefined when the rest names none that can. */
export const combinatorAggregate = (name: string): Aggregate | undefined => {
  const fold = /(Array|ForEach|Map|Distinct)$/.test(name) ? arrayCombinator(name) : undefined;
  if (fold === undefined) return undefined;
  return {
    kind: "aggregate",
    name,
    takes: [name.endsWith("Map") ? "map" : name.endsWith("Distinct") ? "any" : "array"],
    params: fold.params,
    lower: (call) => {
      const [value] = call.args;
      if (value === undefined) throw new QueryError("number_of_arguments_doesnt_match", `\`${name}\` takes an argument.`);
      return bare(fold.lower(collectArray(call, value), call.context, call.params));
    },
  };
};

/** An aggregate's result says nothing of the columns in it. */
const bare = ({ tree, type, nullable }: Expression): Expression => ({ tree, type, nullable });

/** `sumMap(map)`, or `sumMap(keys, values)`, which gives the pair of keys and values; a sum of 0 leaves out its key there. */
const overKeys = (base: "sum" | "min" | "max"): Aggregate => ({
  kind: "aggregate",
  name: `${base}Map`,
  takes: ["any", "array"],
  optional: 1,
  lower: (call) => {
    const [keys, values] = call.args;
    const inner = arrayCombinator(base);
    const whole = combinatorAggregate(`${base}Map`);
    if (keys === undefined || inner === undefined || whole === undefined)
      throw new QueryError("number_of_arguments_doesnt_match", `\`${base}Map\` takes a map, or keys and values.`);
    if (values === undefined) {
      if (keys.type.kind === "map") return whole.lower(call);
      throw new QueryError("illegal_type_of_argument", `\`${base}Map\` needs a map, or an array of keys and one of values.`);
    }
    const types = { key: elementType(keys, base), value: elementType(values, base) };
    const zipped = sql`list_transform(list_zip(${keys.tree}, ${values.tree}), lambda r: {'key': struct_extract(r, 1), 'value': struct_extract(r, 2)})`;
    const nullable = keys.nullable || values.nullable;
    const rows = collectArray(call, { tree: zipped, type: UNKNOWN, nullable });
    const grouped = perKey(inner, sql`flatten(${rows.tree})`, types, call.context);
    const kept = base === "sum" ? sql`list_filter(${grouped.tree}, lambda r: r.value <> 0)` : grouped.tree;
    const list = argument();
    const pair = sql`{'1': list_transform(${list}, lambda r: r.key), '2': list_transform(${list}, lambda r: r.value)}`;
    const type: Type = { kind: "tuple", of: [arrayType(grouped.key), arrayType(grouped.value)] };
    return { tree: sql`list_extract(list_transform([${kept}], ${lambda([list], pair)}), 1)`, type, nullable: false };
  },
});

const elementType = ({ type, nullable }: Expression, base: string): Type => {
  if (type.kind === "array") return type.of;
  if (isOpen(type)) return UNKNOWN;
  throw new QueryError("illegal_type_of_argument", `\`${base}Map\` needs arrays, not ${typeName(type, nullable)}.`);
};

/** `arrayReduce('sum', array)`; the aggregate's parameters stand in its name: `quantile(0.9)`. */
const arrayReduce: Special = {
  kind: "special",
  name: "arrayReduce",
  arity: [2, 2],
  lower: ({ args: [how, node] }, scope) => {
    const name = how === undefined ? null : scope.expr(how).known;
    const [, base = "", written] = /^(\w+)(?:\(([^()]*)\))?$/.exec(String(name)) ?? [];
    const fold = typeof name === "string" ? arrayCombinator(base) : undefined;
    if (fold === undefined || node === undefined) {
      const examples = "'sum', 'avg', 'min', 'max', 'count', 'uniq', 'median' or 'quantile(0.9)'";
      throw new QueryError("unsupported", `\`arrayReduce\` needs the name of an aggregate of one argument, such as ${examples}.`);
    }
    const params = written === undefined || written.trim() === "" ? [] : written.split(",").map(Number);
    if (params.length < fold.params[0] || params.length > fold.params[1] || params.some(Number.isNaN))
      throw new QueryError("number_of_arguments_doesnt_match", `\`${base}\` does not take these parameters.`);
    const list = scope.expr(node);
    if (list.type.kind !== "array" && !isOpen(list.type))
      throw new QueryError("illegal_type_of_argument", `\`arrayReduce\` needs an array, not ${typeName(list.type, list.nullable)}.`);
    const result = fold.lower(list, scope.context, params);
    return list.nullable ? derive(sql`CASE WHEN ${list.tree} IS NOT NULL THEN ${result.tree} END`, result.type, [list], true) : result;
  },
};

const slopeAndOffset: Aggregate = {
  kind: "aggregate",
  name: "simpleLinearRegression",
  takes: ["number", "number"],
  lower: (call) => {
    const [x = NULL_SQL, y = NULL_SQL] = call.args.map(({ tree }) => sql`CAST(${tree} AS DOUBLE)`);
    const tree = sql`{'1': ${call.over(sql`regr_slope(${y}, ${x})`)}, '2': ${call.over(sql`regr_intercept(${y}, ${x})`)}}`;
    return { tree, type: { kind: "tuple", of: [FLOAT, FLOAT] }, nullable: false };
  },
};

const jsonOfAll: Aggregate = {
  kind: "aggregate",
  name: "json_agg",
  takes: ["any"],
  lower: (call) => {
    const [value] = call.args;
    if (value === undefined) throw new QueryError("number_of_arguments_doesnt_match", "`json_agg` takes an argument.");
    return { tree: sql`CAST(to_json(${collectArray(call, value).tree}) AS VARCHAR)`, type: STRING, nullable: false };
  },
};

/** Aggregates that are worked out from a list of all their values. */
export const AGGREGATE_COMBINATORS: readonly FunctionSpec[] = [
  overKeys("sum"),
  overKeys("min"),
  overKeys("max"),
  arrayReduce,
  slopeAndOffset,
  jsonOfAll,
];
