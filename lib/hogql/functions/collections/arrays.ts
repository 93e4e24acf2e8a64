import { defaultSql, physical } from "../../analysis/duckdb-types.ts";
import { derive, type Expression, flags, sqlTrees } from "../../analysis/expression.ts";
import { AT, type Call, type Expr } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { array, concatenated, element } from "../../operators/collections.ts";
import { inCommonNumber, requireCommonType } from "../../operators/compare.ts";
import { type Argument, argument, lambda, NOTHING, NULL_SQL, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import {
  arrayHint,
  arrayType,
  BOOLEAN,
  commonType,
  FLOAT,
  INT64,
  isNumeric,
  isOpen,
  STRING,
  type Type,
  tupleType,
  typeName,
  UINT32,
  UINT64,
  UNKNOWN,
} from "../../types.ts";
import { type CallScope, type FunctionSpec, type Scalar, type Special, scalar } from "../spec.ts";
import type { Take } from "../take.ts";

const elementType = (value: Expression | undefined): Type => (value?.type.kind === "array" ? value.type.of : UNKNOWN);

const sameAs = (args: readonly Expression[]): Type => args[0]?.type ?? arrayType(UNKNOWN);

const of = (
  name: string,
  takes: readonly Take[],
  type: Type | ((args: readonly Expression[]) => Type),
  tree: (...args: readonly Sql[]) => Sql,
  ...aliases: readonly string[]
): Scalar => scalar({ name, aliases, takes, type, sql: tree });

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

/** An array whose elements can be reckoned with. */
const ofNumbers = (value: Expression, name: string): Expression => {
  const type = elementType(value);
  if (isNumeric(type) || isOpen(type)) return value;
  throw new QueryError("illegal_type_of_argument", `\`${name}\` needs an array of numbers, not ${typeName(value.type)}.`);
};

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

/** Whether the item, which may be NULL, is an element. */
const holds = (list: Sql, item: Sql): Sql => sql`(list_position(${list}, ${item}) IS NOT NULL)`;

/** A list, what may be one of its elements, and the type that these have in common. */
interface ListAndItem {
  readonly list: Sql;
  readonly item: Sql;
  readonly type: Type;
}

const listAndItem = (name: string, list: Expression, item: Expression): ListAndItem => {
  const type = commonType(elementType(list), item.type);
  if (type === null) {
    throw new QueryError(
      "illegal_type_of_argument",
      `Argument 2 of \`${name}\` is ${typeName(item.type, item.nullable)}, which no element of ${typeName(list.type)} can be; convert one side with toString or toFloat.`,
    );
  }
  const [lists = NULL_SQL, items = NULL_SQL] = sqlTrees([...inCommonNumber([list], arrayType(type)), ...inCommonNumber([item], type)]);
  return { list: lists, item: items, type };
};

/** A function of an array and what may be one of its elements. */
const ofItem = (name: string, lower: (both: ListAndItem, args: readonly [Expression, Expression]) => Expression): Scalar => ({
  kind: "scalar",
  name,
  takes: ["array", "any"],
  lower: ([list, item], context) => {
    const args = [list ?? context.known(null, UNKNOWN), item ?? context.known(null, UNKNOWN)] as const;
    return lower(listAndItem(name, ...args), args);
  },
});

/** The array with one element more. */
const longer = (name: string, tree: (list: Sql, item: Sql) => Sql): Scalar =>
  ofItem(name, ({ list, item, type }, args) => {
    const mayHold = args[1].nullable || (args[0].type.kind === "array" && args[0].type.nullable === true);
    return derive(tree(list, item), arrayType(type, mayHold), args);
  });

/** A condition of two arrays; `mayHold` says whether the second one may hold a NULL. */
const ofTwo = (name: string, tree: (list: Sql, items: Sql, mayHold: boolean) => Sql): Scalar => ({
  kind: "scalar",
  name,
  takes: ["array", "array"],
  lower: (args) => {
    const [list = NULL_SQL, items = NULL_SQL] = sqlTrees(inCommonNumber(args, requireCommonType(args, name)));
    const type = args[1]?.type;
    return derive(tree(list, items, type?.kind !== "array" || type.nullable), BOOLEAN, args);
  },
});

/** DuckDB's own comparison of lists passes over NULLs, so that these are looked at beside it where there may be some. */
const hasItems = (name: string, tree: (list: Sql, items: Sql) => Sql, nulls: (inList: Sql, inItems: Sql) => Sql): Scalar =>
  ofTwo(name, (list, items, mayHold) => {
    const beside = mayHold ? sql` ${nulls(holds(list, NULL_SQL), holds(items, NULL_SQL))}` : NOTHING;
    return sql`(${tree(list, items)}${beside})`;
  });

/** One array of the innermost elements. */
const flattened = (list: Expression): Expression => {
  const inner = elementType(list);
  return inner.kind === "array" ? flattened(derive(sql`flatten(${list.tree})`, inner, [list])) : list;
};

/** More than any list holds, and little enough to be added to. */
const MOST_ITEMS = numeral(1_000_000_000);

/** Elements in the order of their first appearance. */
const distinct = (list: Sql): Sql => sql`list_filter(${list}, lambda v, i: list_position(${list}, v) = i)`;

const numbered = (tree: Sql): Sql => sql`list_transform(${tree}, lambda v, i: i)`;

export const ARRAYS: readonly FunctionSpec[] = [
  { kind: "scalar", name: "array", takes: ["any"], optional: 1, rest: true, lower: (args) => array(args) },
  scalar({
    name: "range",
    takes: ["integer", "integer", "integer"],
    optional: 2,
    type: arrayType(UINT64),
    sql: (...args) => sql`CASE WHEN ${bounded(args)} THEN range(${separated(args)}) ELSE error('range is too long') END`,
  }),
  ofItem("has", ({ list, item }, args) => derive(holds(list, item), BOOLEAN, args, false)),
  hasItems(
    "hasAll",
    (list, items) => sql`list_has_all(${list}, ${items})`,
    (list, items) => sql`AND (NOT ${items} OR ${list})`,
  ),
  hasItems(
    "hasAny",
    (list, items) => sql`list_has_any(${list}, ${items})`,
    (list, items) => sql`OR (${list} AND ${items})`,
  ),
  ofTwo(
    "hasSubstr",
    (list, items) =>
      sql`coalesce(list_bool_or(list_transform(range(1, len(${list}) - len(${items}) + 2), lambda i: list_slice(${list}, i, i + len(${items}) - 1) = ${items})), false)`,
  ),
  ofItem("indexOf", ({ list, item }, args) => derive(sql`coalesce(list_position(${list}, ${item}), 0)`, UINT64, args)),
  ofItem("countEqual", ({ list, item }, args) =>
    derive(sql`len(list_filter(${list}, lambda v: v IS NOT DISTINCT FROM ${item}))`, UINT64, args),
  ),
  {
    kind: "scalar",
    name: "arrayElement",
    takes: ["any", "any"],
    lower: ([list, index], context) => element(list ?? context.known(null, UNKNOWN), index ?? context.known(null, INT64)),
  },
  {
    kind: "scalar",
    name: "arrayConcat",
    takes: ["array"],
    rest: true,
    lower: (args) => concatenated(args, "arrayConcat"),
  },
  longer("arrayPushBack", (list, item) => sql`list_append(${list}, ${item})`),
  longer("arrayPushFront", (list, item) => sql`list_prepend(${item}, ${list})`),
  of("arrayPopBack", ["array"], sameAs, (list) => sql`list_slice(${list}, 1, len(${list}) - 1)`),
  of("arrayPopFront", ["array"], sameAs, (list) => sql`list_slice(${list}, 2, len(${list}))`),
  scalar({
    name: "arraySlice",
    takes: ["array", "integer", "integer"],
    optional: 1,
    type: sameAs,
    sql: (list, start, size) => {
      const from = sql`(CASE WHEN ${start} < 0 THEN len(${list}) + ${start} + 1 ELSE ${start} END)`;
      const first = sql`CASE WHEN ${start} IS NOT NULL THEN greatest(${from}, 1) END`;
      // Without a size, and with one that is NULL, all that follows; a negative one leaves as many out at the end.
      const last =
        size === undefined
          ? sql`len(${list})`
          : sql`CASE WHEN ${size} < 0 THEN len(${list}) + ${size} ELSE ${from} - 1 + least(${size}, ${MOST_ITEMS}) END`;
      return sql`list_slice(${list}, ${first}, CASE WHEN ${start} = 0 THEN 0 ELSE greatest(${last}, 0) END)`;
    },
  }),
  of("arrayReverse", ["array"], sameAs, (list) => sql`list_reverse(${list})`),
  sorted("arraySort"),
  sorted("arrayReverseSort"),
  of("arrayDistinct", ["array"], sameAs, (list) => sql`list_filter(${distinct(list)}, lambda v: v IS NOT NULL)`),
  scalar({
    name: "arrayUniq",
    takes: ["array"],
    rest: true,
    type: UINT64,
    sql: (...lists) => {
      const [only = NULL_SQL] = lists;
      if (lists.length > 1) return sql`list_unique(list_zip(${separated(lists)}))`;
      return sql`(list_unique(${only}) + CAST(${holds(only, NULL_SQL)} AS BIGINT))`;
    },
  }),
  of("arrayCompact", ["array"], sameAs, (list) => sql`list_filter(${list}, lambda v, i: i = 1 OR v IS DISTINCT FROM (${list})[i - 1])`),
  {
    kind: "scalar",
    name: "arrayIntersect",
    takes: ["array"],
    rest: true,
    lower: (args) => {
      const type = requireCommonType(args, "arrayIntersect");
      const [first = NULL_SQL, ...others] = sqlTrees(inCommonNumber(args, type));
      return derive(
        distinct(others.reduce((kept, other) => sql`list_filter(${kept}, lambda v: ${holds(other, sql`v`)})`, first)),
        type,
        args,
      );
    },
  },
  {
    kind: "scalar",
    name: "arrayFlatten",
    aliases: ["flatten"],
    takes: ["array"],
    lower: ([list], context) => flattened(list ?? context.known(null, arrayType(UNKNOWN))),
  },
  {
    kind: "scalar",
    name: "arrayZip",
    takes: ["array"],
    rest: true,
    lower: (args) => {
      const type = tupleType(args.map((arg) => ({ type: elementType(arg), nullable: arg.type.kind !== "array" || arg.type.nullable })));
      const fields = separated(args.map((_, index) => sql`'${numeral(index + 1)}': struct_extract(z, ${numeral(index + 1)})`));
      return derive(sql`list_transform(list_zip(${separated(sqlTrees(args))}), lambda z: {${fields}})`, arrayType(type), args);
    },
  },
  of("arrayEnumerate", ["array"], arrayType(UINT32), (list) => numbered(list)),
  of(
    "arrayDifference",
    ["array"],
    ([list]) => arrayType(elementType(list && ofNumbers(list, "arrayDifference"))),
    (list) => sql`list_transform(${list}, lambda v, i: CASE WHEN i = 1 THEN 0 ELSE v - (${list})[i - 1] END)`,
  ),
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
  {
    kind: "special",
    name: "arrayJoin",
    arity: [1, 1],
    lower: (call, scope) => scope.arrayJoin(scope.expr(call.args[0] ?? call)),
  },
  of("emptyArrayString", [], arrayType(STRING), () => sql`([]::VARCHAR[])`),
  of("emptyArrayUInt64", [], arrayType(UINT64), () => sql`([]::BIGINT[])`, "emptyArrayInt64"),
];

/** Longest array that `range` makes. */
const MAX_RANGE = numeral(1_000_000);

const bounded = (args: readonly Sql[]): Sql => {
  const [first = NULL_SQL, second, step = sql`1`] = args;
  if (second === undefined) return sql`${first} <= ${MAX_RANGE}`;
  return sql`abs(${second} - ${first}) // greatest(abs(${step}), 1) <= ${MAX_RANGE}`;
};
