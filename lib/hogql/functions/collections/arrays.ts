import { type Expression, flags, made } from "../../analysis/expression.ts";
import {
  arrayOf,
  BOOLEAN,
  defaultOf,
  FLOAT,
  INT64,
  nameOf,
  physical,
  STRING,
  type Type,
  UINT32,
  UINT64,
  UNKNOWN,
} from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import { array } from "../../lower/expressions/expr.ts";
import { commonType } from "../../operators/compare.ts";
import { element } from "../../operators/element.ts";
import type { Call, Expr } from "../../syntax/ast.ts";
import { AT } from "../../syntax/ast.ts";
import { type CallScope, type FunctionSpec, type Scalar, type Special, scalar } from "../spec.ts";
import type { Take } from "../take.ts";

const elementType = (value: Expression | undefined): Type => (value?.type.kind === "array" ? value.type.of : UNKNOWN);

const sameAs = (args: readonly Expression[]): Type => args[0]?.type ?? arrayOf(UNKNOWN);
const itemOf = (args: readonly Expression[]): Type => elementType(args[0]);

const of = (
  name: string,
  takes: readonly Take[],
  type: Type | ((args: readonly Expression[]) => Type),
  sql: (...args: readonly string[]) => string,
  ...aliases: readonly string[]
): Scalar => scalar({ name, aliases, takes, type, sql: (args) => sql(...args) });

/** A lambda lowered over arrays: one argument per array, or one for a tuple of them. */
interface Mapped {
  readonly arrays: readonly Expression[];
  /** The one list that DuckDB walks. */
  readonly list: string;
  readonly variable: string;
  readonly body: Expression;
}

const mapped = (call: Call, scope: CallScope): Mapped => {
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
  const variable = scope.run.fresh("l");
  const only = arrays.length === 1 ? arrays[0] : undefined;
  const args = arrays.map(
    (value, index): Expression => ({
      sql: only === undefined ? `struct_extract(${variable}, ${index + 1})` : variable,
      type: elementType(value),
      nullable: value.type.kind !== "array" || value.type.nullable,
    }),
  );
  const body = scope.lambda(first.args, args, first.body);
  return { arrays, list: only === undefined ? `list_zip(${arrays.map(({ sql }) => sql).join(", ")})` : only.sql, variable, body };
};

const arrayArgument = (scope: CallScope, node: Expr, call: Call): Expression => {
  const value = scope.expr(node);
  if (value.type.kind === "array" || value.type.kind === "unknown") return value;
  throw new QueryError("illegal_type_of_argument", `\`${call.name}\` needs an array, not ${nameOf(value.type, value.nullable)}.`, call[AT]);
};

const truth = ({ body }: Mapped): string =>
  body.type.kind === "boolean" ? `coalesce(${body.sql}, false)` : `coalesce(${body.sql} <> 0, false)`;

const kept = (mapping: Mapped): string => {
  const [only] = mapping.arrays;
  const filtered = `list_filter(${mapping.list}, lambda ${mapping.variable}: ${truth(mapping)})`;
  return mapping.arrays.length === 1 || only === undefined ? filtered : `list_transform(${filtered}, lambda t: struct_extract(t, 1))`;
};

const higher = (name: string, lower: (mapping: Mapped) => Expression): Special => ({
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
    const list = `list_transform(${mapping.list}, lambda ${mapping.variable}: ${mapping.body.sql})`;
    return plain({ ...made(list, arrayOf(mapping.body.type, mapping.body.nullable), mapping.arrays, false) });
  },
});

const sorted = (name: string, function_: string): Special => ({
  kind: "special",
  name,
  arity: [1, Number.POSITIVE_INFINITY],
  lower: (call, scope) => {
    const [first] = call.args;
    if (first?.kind !== "lambda") {
      const value = arrayArgument(scope, first ?? call, call);
      return made(`${function_}(${value.sql})`, value.type, [value]);
    }
    const mapping = mapped(call, scope);
    const [value] = mapping.arrays;
    const type = value?.type ?? arrayOf(UNKNOWN);
    const own = mapping.arrays.length === 1 ? mapping.variable : `struct_extract(${mapping.variable}, 1)`;
    const keyed = `list_transform(${mapping.list}, lambda ${mapping.variable}, i: {'k': ${mapping.body.sql}, 'i': ${name === "arraySort" ? "i" : "-i"}, 'v': ${own}})`;
    return {
      ...made(`list_transform(${function_}(${keyed}), lambda t: t.v)`, type, mapping.arrays),
      ...flags([...mapping.arrays, mapping.body]),
    };
  },
});

const numberOf = (value: Expression): Type => {
  const of = elementType(value);
  return of.kind === "float" || of.kind === "decimal" ? FLOAT : of.kind === "integer" || of.kind === "boolean" ? INT64 : of;
};

const reduced = (name: string, body: (sql: string) => string, type: (value: Expression) => Type): Special =>
  optionalLambda(name, (value) => {
    const result = type(value);
    const fallback = defaultOf(result);
    const cast = elementType(value).kind === "boolean" ? `list_transform(${value.sql}, lambda b: CAST(b AS BIGINT))` : value.sql;
    const fitted = result.kind === "integer" ? `CAST(${body(cast)} AS BIGINT)` : body(cast);
    return made(fallback === "NULL" ? fitted : `coalesce(${fitted}, ${fallback})`, result, [value], false);
  });

const first = (name: string, sql: (list: string) => string): Special =>
  higher(name, (mapping) => {
    const type = elementType(mapping.arrays[0]);
    const found = sql(kept(mapping));
    const fallback = defaultOf(type);
    return made(fallback === "NULL" ? found : `coalesce(${found}, ${fallback})`, type, mapping.arrays, fallback === "NULL");
  });

const truths = (mapping: Mapped): string => `list_transform(${mapping.list}, lambda ${mapping.variable}: ${truth(mapping)})`;

const countKept = (mapping: Mapped): string => `len(list_filter(${mapping.list}, lambda ${mapping.variable}: ${truth(mapping)}))`;

/** Whether the item, which may be NULL, is an element. */
const holds = (list: string, item: string): string => `(list_position(${list}, ${item}) IS NOT NULL)`;

/** DuckDB's own comparison of lists passes over NULLs, so that these are looked at beside it where there may be some. */
const hasOf = (name: string, sql: (list: string, items: string) => string, nulls: (inList: string, inItems: string) => string): Scalar => ({
  kind: "scalar",
  name,
  takes: ["array", "array"],
  lower: (args, run) => {
    const [list, items] = [args[0] ?? run.known(null, UNKNOWN), args[1] ?? run.known(null, UNKNOWN)];
    const mayHold = items.type.kind !== "array" || items.type.nullable;
    const beside = mayHold ? ` ${nulls(holds(list.sql, "NULL"), holds(items.sql, "NULL"))}` : "";
    return made(`(${sql(list.sql, items.sql)}${beside})`, BOOLEAN, args);
  },
});

/** One array of the innermost elements. */
const flattened = (list: Expression): Expression => {
  const inner = elementType(list);
  return inner.kind === "array" ? flattened(made(`flatten(${list.sql})`, inner, [list])) : list;
};

/** Elements in the order of their first appearance. */
const distinct = (list: string): string => `list_filter(${list}, lambda v, i: list_position(${list}, v) = i)`;

const numbered = (sql: string): string => `list_transform(${sql}, lambda v, i: i)`;

export const ARRAYS: readonly FunctionSpec[] = [
  { kind: "scalar", name: "array", takes: ["any"], optional: 1, rest: true, lower: (args) => array(args) },
  scalar({
    name: "range",
    takes: ["integer", "integer", "integer"],
    optional: 2,
    type: arrayOf(UINT64),
    sql: (args) => `CASE WHEN ${bounded(args)} THEN range(${args.join(", ")}) ELSE error('range is too long') END`,
  }),
  scalar({ name: "has", takes: ["array", "any"], type: BOOLEAN, nulls: "never", sql: ([list = "", item = ""]) => holds(list, item) }),
  hasOf(
    "hasAll",
    (list, items) => `list_has_all(${list}, ${items})`,
    (list, items) => `AND (NOT ${items} OR ${list})`,
  ),
  hasOf(
    "hasAny",
    (list, items) => `list_has_any(${list}, ${items})`,
    (list, items) => `OR (${list} AND ${items})`,
  ),
  of(
    "hasSubstr",
    ["array", "array"],
    BOOLEAN,
    (list, items) =>
      `coalesce(list_bool_or(list_transform(range(1, len(${list}) - len(${items}) + 2), lambda i: list_slice(${list}, i, i + len(${items}) - 1) = ${items})), false)`,
  ),
  of("indexOf", ["array", "any"], UINT64, (list, item) => `coalesce(list_position(${list}, ${item}), 0)`),
  of("countEqual", ["array", "any"], UINT64, (list, item) => `len(list_filter(${list}, lambda v: v IS NOT DISTINCT FROM ${item}))`),
  {
    kind: "scalar",
    name: "arrayElement",
    takes: ["any", "any"],
    lower: ([list, index], run) => element(list ?? run.known(null, UNKNOWN), index ?? run.known(null, INT64)),
  },
  {
    kind: "scalar",
    name: "arrayConcat",
    takes: ["array"],
    rest: true,
    lower: (args) => made(`(${args.map(({ sql }) => sql).join(" || ")})`, commonType(args, "arrayConcat"), args),
  },
  of("arrayPushBack", ["array", "any"], sameAs, (list, item) => `list_append(${list}, ${item})`),
  of("arrayPushFront", ["array", "any"], sameAs, (list, item) => `list_prepend(${item}, ${list})`),
  of("arrayPopBack", ["array"], sameAs, (list) => `list_slice(${list}, 1, len(${list}) - 1)`),
  of("arrayPopFront", ["array"], sameAs, (list) => `list_slice(${list}, 2, len(${list}))`),
  scalar({
    name: "arraySlice",
    takes: ["array", "integer", "integer"],
    optional: 1,
    type: sameAs,
    sql: ([list, start, size]) => {
      const from = `(CASE WHEN ${start} < 0 THEN len(${list}) + ${start} + 1 ELSE ${start} END)`;
      if (size === undefined) return `list_slice(${list}, ${from}, CASE WHEN ${start} = 0 THEN 0 ELSE len(${list}) END)`;
      return `list_slice(${list}, ${from}, CASE WHEN ${size} < 0 THEN len(${list}) + ${size} ELSE ${from} + ${size} - 1 END)`;
    },
  }),
  of("arrayReverse", ["array"], sameAs, (list) => `list_reverse(${list})`),
  sorted("arraySort", "list_sort"),
  sorted("arrayReverseSort", "list_reverse_sort"),
  of("arrayDistinct", ["array"], sameAs, (list = "") => `list_filter(${distinct(list)}, lambda v: v IS NOT NULL)`),
  scalar({
    name: "arrayUniq",
    takes: ["array"],
    rest: true,
    type: UINT64,
    sql: (lists) => {
      const [only = ""] = lists;
      if (lists.length > 1) return `list_unique(list_zip(${lists.join(", ")}))`;
      return `(list_unique(${only}) + CAST(${holds(only, "NULL")} AS BIGINT))`;
    },
  }),
  of("arrayCompact", ["array"], sameAs, (list) => `list_filter(${list}, lambda v, i: i = 1 OR v IS DISTINCT FROM ${list}[i - 1])`),
  scalar({
    name: "arrayIntersect",
    takes: ["array"],
    rest: true,
    type: sameAs,
    sql: ([first = "", ...others]) =>
      distinct(others.reduce((kept, other) => `list_filter(${kept}, lambda v: ${holds(other, "v")})`, first)),
  }),
  {
    kind: "scalar",
    name: "arrayFlatten",
    aliases: ["flatten"],
    takes: ["array"],
    lower: ([list], run) => flattened(list ?? run.known(null, arrayOf(UNKNOWN))),
  },
  {
    kind: "scalar",
    name: "arrayZip",
    takes: ["array"],
    rest: true,
    lower: (args) => {
      const type: Type = { kind: "tuple", of: args.map(elementType) };
      const fields = args.map((_, index) => `'${index + 1}': struct_extract(z, ${index + 1})`).join(", ");
      return made(`list_transform(list_zip(${args.map(({ sql }) => sql).join(", ")}), lambda z: {${fields}})`, arrayOf(type), args);
    },
  },
  of("arrayEnumerate", ["array"], arrayOf(UINT32), (list = "") => numbered(list)),
  of(
    "arrayDifference",
    ["array"],
    (args) => arrayOf(itemOf(args)),
    (list) => `list_transform(${list}, lambda v, i: CASE WHEN i = 1 THEN 0 ELSE v - ${list}[i - 1] END)`,
  ),
  optionalLambda("arrayCumSum", (value) =>
    made(
      `list_transform(${value.sql}, lambda v, i: CAST(list_sum(list_slice(${value.sql}, 1, i)) AS ${numberOf(value) === FLOAT ? "DOUBLE" : "BIGINT"}))`,
      arrayOf(numberOf(value)),
      [value],
    ),
  ),
  higher("arrayMap", (mapping) => {
    const { list, variable, body, arrays } = mapping;
    return made(
      `list_transform(${list}, lambda ${variable}: ${body.sql})`,
      arrayOf(body.type, body.nullable),
      arrays,
      arrays.some((value) => value.nullable),
    );
  }),
  higher("arrayFilter", (mapping) => made(kept(mapping), mapping.arrays[0]?.type ?? arrayOf(UNKNOWN), mapping.arrays)),
  higher("arrayExists", (mapping) => made(`(${countKept(mapping)} > 0)`, BOOLEAN, mapping.arrays, false)),
  higher("arrayAll", (mapping) => made(`(${countKept(mapping)} = len(${mapping.list}))`, BOOLEAN, mapping.arrays, false)),
  {
    kind: "special",
    name: "arrayCount",
    arity: [1, Number.POSITIVE_INFINITY],
    lower: (call, scope) => {
      if (call.args[0]?.kind === "lambda") {
        const mapping = mapped(call, scope);
        return made(countKept(mapping), UINT64, mapping.arrays, false);
      }
      const value = arrayArgument(scope, call.args[0] ?? call, call);
      const test = elementType(value).kind === "boolean" ? "v" : "v <> 0";
      return made(`len(list_filter(${value.sql}, lambda v: ${test}))`, UINT64, [value], false);
    },
  },
  first("arrayFirst", (list) => `list_extract(${list}, 1)`),
  first("arrayLast", (list) => `list_extract(${list}, -1)`),
  higher("arrayFirstIndex", (mapping) => made(`coalesce(list_position(${truths(mapping)}, true), 0)`, UINT64, mapping.arrays, false)),
  higher("arrayLastIndex", (mapping) => {
    const held = `list_transform(${truths(mapping)}, lambda t, i: CASE WHEN t THEN i ELSE 0 END)`;
    return made(`coalesce(list_max(${held}), 0)`, UINT64, mapping.arrays, false);
  }),
  reduced("arraySum", (list) => `list_sum(${list})`, numberOf),
  optionalLambda("arrayAvg", (value) => made(`list_avg(${value.sql})`, FLOAT, [value], true)),
  reduced("arrayMin", (list) => `list_min(${list})`, elementType),
  reduced("arrayMax", (list) => `list_max(${list})`, elementType),
  optionalLambda("arrayProduct", (value) => made(`coalesce(list_product(${value.sql}), 1)`, FLOAT, [value], false)),
  {
    kind: "special",
    name: "arrayFold",
    arity: [3, 3],
    lower: (call, scope) => {
      const [lambda, list, start] = call.args;
      if (lambda?.kind !== "lambda" || list === undefined || start === undefined || lambda.args.length !== 2) {
        throw new QueryError("illegal_type_of_argument", "`arrayFold` takes a lambda of two arguments, an array and a start.", call[AT]);
      }
      const [value, initial] = [arrayArgument(scope, list, call), scope.expr(start)];
      const [left, right] = [scope.run.fresh("l"), scope.run.fresh("l")];
      const item = { type: elementType(value), nullable: value.type.kind !== "array" || value.type.nullable };
      const args: readonly Expression[] = [
        { sql: `${left}.a`, type: initial.type, nullable: initial.nullable },
        { sql: `${right}.x`, ...item },
      ];
      const body = scope.lambda(lambda.args, args, lambda.body);
      // DuckDB folds values of one type only: each element brings an accumulator that nobody reads, and the start an element.
      const type = physical(initial.type);
      const elements = `list_transform(${value.sql}, lambda e: {'a': NULL::${type}, 'x': e})`;
      const first = `{'a': CAST(${initial.sql} AS ${type}), 'x': NULL::${physical(item.type)}}`;
      const step = `lambda ${left}, ${right}: {'a': CAST(${body.sql} AS ${type}), 'x': ${right}.x}`;
      return made(`list_reduce(list_prepend(${first}, ${elements}), ${step}).a`, initial.type, [value, initial, body]);
    },
  },
  {
    kind: "special",
    name: "arrayJoin",
    arity: [1, 1],
    lower: (call, scope) => scope.arrayJoin(scope.expr(call.args[0] ?? call)),
  },
  of("emptyArrayString", [], arrayOf(STRING), () => "([]::VARCHAR[])"),
  of("emptyArrayUInt64", [], arrayOf(UINT64), () => "([]::BIGINT[])", "emptyArrayInt64"),
];

/** Longest array that `range` makes. */
const MAX_RANGE = 1_000_000;

const bounded = (args: readonly string[]): string => {
  const [first, second, step] = args;
  if (second === undefined) return `${first} <= ${MAX_RANGE}`;
  return `abs(${second} - ${first}) // greatest(abs(${step ?? "1"}), 1) <= ${MAX_RANGE}`;
};
