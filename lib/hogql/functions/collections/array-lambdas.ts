import { defaultSql, physical } from "../../analysis/duckdb-types.ts";
import { derive, type Expression, flags, sqlTrees } from "../../analysis/expression.ts";
import { AT, type Call, type Expr } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { type Argument, argument, lambda, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { arrayHint, arrayType, BOOLEAN, FLOAT, INT64, type Type, typeName, UINT64, UNKNOWN } from "../../types.ts";
import type { CallScope, FunctionSpec, Special } from "../spec.ts";
import { elementType, ofNumbers } from "./elements.ts";

/** A lambda lowered over arrays: one argument per array, or one for a tuple of them. */
interface LambdaCall {
  readonly arrays: readonly Expression[];
  /** The one list that DuckDB walks. */
  readonly list: Sql;
  readonly variable: Argument;
  readonly body: Expression;
}

const mapped = (call: Call, scope: CallScope): LambdaCall => {
  const [first, ...rest] = call.args;
  if (first?.kind !== "lambda")
    throw new QueryError(
      "illegal_type_of_argument",
      `The first argument of \`${call.name}\` must be a lambda, such as \`x -> x + 1\`.`,
      call[AT],
    );
  const arrays = rest.map((arg) => arrayArgument(scope, arg, call));
  if (first.args.length !== arrays.length) {
    throw new QueryError(
      "number_of_arguments_doesnt_match",
      `The lambda of \`${call.name}\` takes ${first.args.length} argument(s), but there are ${arrays.length} array(s).`,
      call[AT],
    );
  }
  const variable = argument();
  const only = arrays.length === 1 ? arrays[0] : undefined;
  const args = arrays.map(
    (value, index): Expression => ({
      tree: only === undefined ? sql`struct_extract(${variable}, ${numeral(index + 1)})` : variable,
      type: elementType(value),
      nullable: value.type.kind !== "array" || value.type.nullable,
    }),
  );
  const body = scope.lambda(first.args, args, first.body);
  return { arrays, list: only === undefined ? sql`list_zip(${separated(sqlTrees(arrays))})` : only.tree, variable, body };
};

const arrayArgument = (scope: CallScope, node: Expr, call: Call): Expression => {
  const value = scope.expr(node);
  if (value.type.kind === "array" || value.type.kind === "unknown") return value;
  throw new QueryError(
    "illegal_type_of_argument",
    `\`${call.name}\` needs an array, not ${typeName(value.type, value.nullable)}${arrayHint(value.type)}.`,
    call[AT],
  );
};

const truth = ({ body }: LambdaCall): Sql =>
  body.type.kind === "boolean" ? sql`coalesce(${body.tree}, false)` : sql`coalesce(${body.tree} <> 0, false)`;

const kept = (mapping: LambdaCall): Sql => {
  const [only] = mapping.arrays;
  const filtered = sql`list_filter(${mapping.list}, ${lambda([mapping.variable], truth(mapping))})`;
  return mapping.arrays.length === 1 || only === undefined ? filtered : sql`list_transform(${filtered}, lambda t: struct_extract(t, 1))`;
};

const higher = (name: string, lower: (mapping: LambdaCall) => Expression): Special => ({
  kind: "special",
  name,
  arity: [2, Number.POSITIVE_INFINITY],
  lower: (call, scope) => {
    const mapping = mapped(call, scope);
    const result = lower(mapping);
    return { ...result, ...flags([...mapping.arrays, mapping.body]) };
  },
});

/** With a lambda, over what it yields; without, over the elements. */
const optionalLambda = (name: string, plain: (value: Expression) => Expression): Special => ({
  kind: "special",
  name,
  arity: [1, Number.POSITIVE_INFINITY],
  lower: (call, scope) => {
    const [first] = call.args;
    if (first === undefined) throw new QueryError("number_of_arguments_doesnt_match", `\`${name}\` needs an array.`, call[AT]);
    if (first.kind !== "lambda") return plain(arrayArgument(scope, first, call));
    const mapping = mapped(call, scope);
    const list = sql`list_transform(${mapping.list}, ${lambda([mapping.variable], mapping.body.tree)})`;
    return plain({ ...derive(list, arrayType(mapping.body.type, mapping.body.nullable), mapping.arrays, false) });
  },
});

const sorted = (name: "arraySort" | "arrayReverseSort"): Special => ({
  kind: "special",
  name,
  arity: [1, Number.POSITIVE_INFINITY],
  lower: (call, scope) => {
    const [first] = call.args;
    const inOrder = (list: Sql): Sql => (name === "arraySort" ? sql`list_sort(${list})` : sql`list_reverse_sort(${list})`);
    if (first?.kind !== "lambda") {
      const value = arrayArgument(scope, first ?? call, call);
      return derive(inOrder(value.tree), value.type, [value]);
    }
    const mapping = mapped(call, scope);
    const [value] = mapping.arrays;
    const type = value?.type ?? arrayType(UNKNOWN);
    const own = mapping.arrays.length === 1 ? mapping.variable : sql`struct_extract(${mapping.variable}, 1)`;
    const place = argument();
    const entry = sql`{'k': ${mapping.body.tree}, 'i': ${name === "arraySort" ? place : sql`-${place}`}, 'v': ${own}}`;
    const keyed = sql`list_transform(${mapping.list}, ${lambda([mapping.variable, place], entry)})`;
    return {
      ...derive(sql`list_transform(${inOrder(keyed)}, lambda t: t.v)`, type, mapping.arrays),
      ...flags([...mapping.arrays, mapping.body]),
    };
  },
});

const numericItemType = (value: Expression): Type => {
  const of = elementType(value);
  return of.kind === "float" || of.kind === "decimal" ? FLOAT : of.kind === "integer" || of.kind === "boolean" ? INT64 : of;
};

const floatOfNumbers = (list: Expression, name: string): Type => {
  ofNumbers(list, name);
  return FLOAT;
};

const reduced = (name: string, body: (tree: Sql) => Sql, type: (value: Expression, name: string) => Type): Special =>
  optionalLambda(name, (value) => {
    const result = type(value, name);
    const fallback = defaultSql(result);
    const cast = elementType(value).kind === "boolean" ? sql`list_transform(${value.tree}, lambda b: CAST(b AS BIGINT))` : value.tree;
    const fitted = result.kind === "integer" ? sql`CAST(${body(cast)} AS BIGINT)` : body(cast);
    return derive(fallback === null ? fitted : sql`coalesce(${fitted}, ${fallback})`, result, [value], false);
  });

const first = (name: string, tree: (list: Sql) => Sql): Special =>
  higher(name, (mapping) => {
    const type = elementType(mapping.arrays[0]);
    const found = tree(kept(mapping));
    const fallback = defaultSql(type);
    return derive(fallback === null ? found : sql`coalesce(${found}, ${fallback})`, type, mapping.arrays, fallback === null);
  });

const truths = (mapping: LambdaCall): Sql => sql`list_transform(${mapping.list}, ${lambda([mapping.variable], truth(mapping))})`;

const countKept = (mapping: LambdaCall): Sql => sql`len(list_filter(${mapping.list}, ${lambda([mapping.variable], truth(mapping))}))`;

/** What walks an array with a lambda, or does without one. */
export const ARRAY_LAMBDAS: readonly FunctionSpec[] = [
  sorted("arraySort"),
  sorted("arrayReverseSort"),
  optionalLambda("arrayCumSum", (list) => {
    const value = ofNumbers(list, "arrayCumSum");
    return derive(
      sql`list_transform(${value.tree}, lambda v, i: CAST(list_sum(list_slice(${value.tree}, 1, i)) AS ${numericItemType(value) === FLOAT ? sql`DOUBLE` : sql`BIGINT`}))`,
      arrayType(numericItemType(value)),
      [value],
    );
  }),
  higher("arrayMap", (mapping) => {
    const { list, variable, body, arrays } = mapping;
    return derive(
      sql`list_transform(${list}, ${lambda([variable], body.tree)})`,
      arrayType(body.type, body.nullable),
      arrays,
      arrays.some((value) => value.nullable),
    );
  }),
  higher("arrayFilter", (mapping) => derive(kept(mapping), mapping.arrays[0]?.type ?? arrayType(UNKNOWN), mapping.arrays)),
  higher("arrayExists", (mapping) => derive(sql`(${countKept(mapping)} > 0)`, BOOLEAN, mapping.arrays, false)),
  higher("arrayAll", (mapping) => derive(sql`(${countKept(mapping)} = len(${mapping.list}))`, BOOLEAN, mapping.arrays, false)),
  {
    kind: "special",
    name: "arrayCount",
    arity: [1, Number.POSITIVE_INFINITY],
    lower: (call, scope) => {
      if (call.args[0]?.kind === "lambda") {
        const mapping = mapped(call, scope);
        return derive(countKept(mapping), UINT64, mapping.arrays, false);
      }
      const value = ofNumbers(arrayArgument(scope, call.args[0] ?? call, call), "arrayCount");
      const test = elementType(value).kind === "boolean" ? sql`v` : sql`v <> 0`;
      return derive(sql`len(list_filter(${value.tree}, lambda v: ${test}))`, UINT64, [value], false);
    },
  },
  first("arrayFirst", (list) => sql`list_extract(${list}, 1)`),
  first("arrayLast", (list) => sql`list_extract(${list}, -1)`),
  higher("arrayFirstIndex", (mapping) => derive(sql`coalesce(list_position(${truths(mapping)}, true), 0)`, UINT64, mapping.arrays, false)),
  higher("arrayLastIndex", (mapping) => {
    const held = sql`list_transform(${truths(mapping)}, lambda t, i: CASE WHEN t THEN i ELSE 0 END)`;
    return derive(sql`coalesce(list_max(${held}), 0)`, UINT64, mapping.arrays, false);
  }),
  reduced(
    "arraySum",
    (list) => sql`list_sum(${list})`,
    (list, name) => numericItemType(ofNumbers(list, name)),
  ),
  reduced("arrayAvg", (list) => sql`list_avg(${list})`, floatOfNumbers),
  reduced("arrayMin", (list) => sql`list_min(${list})`, elementType),
  reduced("arrayMax", (list) => sql`list_max(${list})`, elementType),
  reduced("arrayProduct", (list) => sql`list_product(${list})`, floatOfNumbers),
  {
    kind: "special",
    name: "arrayFold",
    arity: [3, 3],
    lower: (call, scope) => {
      const [step, list, start] = call.args;
      if (step?.kind !== "lambda" || list === undefined || start === undefined || step.args.length !== 2) {
        throw new QueryError("illegal_type_of_argument", "`arrayFold` takes a lambda of two arguments, an array and a start.", call[AT]);
      }
      const [value, initial] = [arrayArgument(scope, list, call), scope.expr(start)];
      const [left, right] = [argument(), argument()];
      const item = { type: elementType(value), nullable: value.type.kind !== "array" || value.type.nullable };
      const args: readonly Expression[] = [
        { tree: sql`${left}.a`, type: initial.type, nullable: initial.nullable },
        { tree: sql`${right}.x`, ...item },
      ];
      const body = scope.lambda(step.args, args, step.body);
      // DuckDB folds values of one type only: each element brings an accumulator that nobody reads, and the start an element.
      const type = physical(initial.type);
      const elements = sql`list_transform(${value.tree}, lambda e: {'a': NULL::${type}, 'x': e})`;
      const first = sql`{'a': CAST(${initial.tree} AS ${type}), 'x': NULL::${physical(item.type)}}`;
      const next = lambda([left, right], sql`{'a': CAST(${body.tree} AS ${type}), 'x': ${right}.x}`);
      return derive(sql`list_reduce(list_prepend(${first}, ${elements}), ${next}).a`, initial.type, [value, initial, body]);
    },
  },
];
