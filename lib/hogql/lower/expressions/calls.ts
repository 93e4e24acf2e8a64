import { unreachable } from "../../../core/unreachable.ts";
import { type Expression, made } from "../../analysis/expression.ts";
import { literal } from "../../analysis/run.ts";
import { defaultOf, type Type } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import { findFunction } from "../../functions/registry.ts";
import type { Aggregate, AggregateCall, CallScope, FunctionSpec, Scalar, WindowFunction } from "../../functions/spec.ts";
import { taken } from "../../functions/take.ts";
import { compared, type Mode } from "../../operators/compare.ts";
import { AT, type Call, type Expr, type FrameBound, type OrderItem, type Window, type WindowCall } from "../../syntax/ast.ts";
import type { Scope } from "../scope.ts";
import { arrayJoin } from "./array-join.ts";
import { condition, expr } from "./expr.ts";
import { refuseWindows } from "./windows.ts";

/** A function call: looked up by its name, its arguments counted and checked, then lowered by what its entry says. */
export const call = (scope: Scope, node: Call, mode: Mode): Expression => {
  const found = findFunction(node.name, node[AT]);
  const { spec } = found;
  switch (spec.kind) {
    case "unsupported":
      throw new QueryError("unsupported_function", `The function \`${node.name}\` is not supported. ${spec.instead}`, node[AT]);
    case "special":
      count(node.name, node.args.length, spec.arity, node);
      return spec.lower(node, callScope(scope, mode));
    case "scalar":
      if (node.params !== undefined || node.filter !== undefined) {
        throw new QueryError("invalid_input", `\`${node.name}\` is no aggregate: it takes no parameters and no FILTER.`, node[AT]);
      }
      return scalar(scope, spec, node.name, node);
    case "aggregate":
      return aggregate(scope, spec, node, { condition: found.condition, empty: found.empty, over: "" });
    case "window":
      throw new QueryError("illegal_aggregation", `\`${node.name}\` needs a window: write \`${node.name}(…) OVER (…)\`.`, node[AT]);
    default:
      return unreachable(spec);
  }
};

const scalar = (scope: Scope, spec: Scalar, name: string, node: Call): Expression => {
  count(name, node.args.length, arityOf(spec), node);
  return placed(node, () => namedOnce(scope, spec, argumentsOf(scope, spec, name, node.args)));
};

/** Characters of a call's text from which on its long arguments are computed under a name. */
const LONG_CALL = 4_000;
const LONG_ARGUMENT = 100;

/**
 * Most functions name an argument several times, which DuckDB computes once but keeps room for each time: calls in calls in calls
 * would need more of it than there is. In a long call every long argument therefore gets a name, as the one element of a list.
 */
const namedOnce = ({ run }: Scope, spec: Scalar, args: readonly Expression[]): Expression => {
  const plain = spec.lower(args, run);
  if (plain.sql.length < LONG_CALL || plain.hex !== undefined) return plain;
  const named = args.map((arg) => ({ arg, name: isNamed(arg, plain.sql) ? run.fresh("l") : undefined }));
  if (named.every(({ name }) => name === undefined)) return plain;
  const given = named.map(({ arg, name }) => (name === undefined ? arg : made(name, arg.type, [arg])));
  const body = spec.lower(given, run).sql;
  const sql = named.reduce((inner, { arg, name }) => (name === undefined ? inner : underName(arg.sql, name, inner)), body);
  const { facts, exact } = plain;
  return { ...made(sql, plain.type, args, plain.nullable), ...(facts && { facts }), ...(exact && { exact }) };
};

const underName = (value: string, name: string, body: string): string =>
  `list_extract(list_transform([${value}], lambda ${name}: ${body}), 1)`;

/** Whether the argument is long, stands there several times, and is nothing but its text. */
const isNamed = ({ sql, known, hex, items }: Expression, call: string): boolean =>
  known === undefined && hex === undefined && items === undefined && sql.length >= LONG_ARGUMENT && call.split(sql).length > 3;

/** Gives an error from inside a call the call's own place, when it has none. */
const placed = (node: Call | WindowCall, lower: () => Expression): Expression => {
  try {
    return lower();
  } catch (error) {
    if (error instanceof QueryError && error.position === undefined) throw new QueryError(error.code, error.message, node[AT]);
    throw error;
  }
};

type WithSignature = Exclude<FunctionSpec, { readonly kind: "special" | "unsupported" }>;

const arityOf = (spec: WithSignature): readonly [number, number] => [
  spec.takes.length - (spec.optional ?? 0),
  spec.rest ? Number.POSITIVE_INFINITY : spec.takes.length,
];

const count = (name: string, given: number, [least, most]: readonly [number, number], node: Call | WindowCall): void => {
  if (given >= least && given <= most) return;
  const wanted = least === most ? String(least) : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
  throw new QueryError(
    "number_of_arguments_doesnt_match",
    `\`${name}\` takes ${wanted} argument${wanted === "1" ? "" : "s"}, not ${given}.`,
    node[AT],
  );
};

const argumentsOf = (scope: Scope, spec: WithSignature, name: string, args: readonly Expr[]): readonly Expression[] =>
  args.map((arg, index) => taken(scope.run, spec.takes[Math.min(index, spec.takes.length - 1)] ?? "any", expr(scope, arg), name, index));

interface AggregateForm {
  /** The name ends in `If`: the last argument is a condition. */
  readonly condition: boolean;
  /** What the name says of no rows at all: `OrNull`, `OrDefault`. */
  readonly empty: "null" | "default" | null;
  /** ` OVER (…)`, or nothing. */
  readonly over: string;
  readonly window?: AggregateCall["window"];
}

const aggregate = (scope: Scope, spec: Aggregate, node: Call | WindowCall, form: AggregateForm): Expression => {
  if (scope.noAggregates !== null && form.over === "") {
    throw new QueryError("illegal_aggregation", `The aggregate \`${node.name}\` cannot stand in ${scope.noAggregates}.`, node[AT]);
  }
  const written = countsRows(node) ? [] : node.args;
  const values = form.condition ? written.slice(0, -1) : written;
  if (form.condition && written.length === 0) count(node.name, 0, [1, 1], node);
  const [least, most] = arityOf(spec);
  const extra = form.condition ? 1 : 0;
  count(node.name, written.length, [least + extra, most + extra], node);
  const inner: Scope = form.over === "" ? { ...scope, noAggregates: "the argument of another aggregate", groupKeys: null } : scope;
  const args = placedArguments(inner, spec, node, values);
  const last = written.at(-1);
  const filters = [
    ...(form.condition && last !== undefined ? [condition(inner, last)] : []),
    ...(node.kind === "call" && node.filter !== undefined ? [condition(inner, node.filter)] : []),
  ];
  refuseWindows([...args, ...filters], `the argument of \`${node.name}\``, node[AT]);
  const params = (node.params ?? []).map((param) => expr(inner, param).known);
  const [fewest, mostParams] = spec.params ?? [0, 0];
  if (params.length < fewest || params.length > mostParams || params.some((param) => param === undefined)) {
    throw new QueryError(
      "number_of_arguments_doesnt_match",
      `\`${node.name}\` takes ${fewest === mostParams ? fewest : `${fewest} to ${mostParams}`} constant parameter(s) in its first parentheses.`,
      node[AT],
    );
  }
  const over = (body: string, where?: string): string => {
    const conditions = [...filters.map(({ sql }) => sql), ...(where === undefined ? [] : [where])];
    return `${body}${conditions.length === 0 ? "" : ` FILTER (WHERE ${conditions.join(" AND ")})`}${form.over}`;
  };
  const where = filters.map(({ sql }) => sql).join(" AND ");
  const lowered = placed(node, () =>
    spec.lower({
      run: scope.run,
      args,
      params: params.map((param) => param ?? null),
      distinct: node.kind === "call" && node.distinct === true,
      order: node.kind === "call" && node.orderBy !== undefined ? orderSql(inner, node.orderBy) : "",
      over,
      ...(where === "" ? {} : { some: { where, overAll: (body: string) => `${body}${form.over}` } }),
      ...(form.window === undefined ? {} : { window: form.window }),
    }),
  );
  const shaped = form.empty === null ? lowered : whenEmpty(lowered, form.empty, over);
  const windowed = [...args, ...filters].find((part) => part.loose !== undefined);
  if (form.over === "") return { ...bare(shaped), aggregate: true };
  return { ...bare(shaped), window: true, ...(windowed?.loose === undefined ? {} : { loose: windowed.loose }) };
};

const placedArguments = (
  scope: Scope,
  spec: Aggregate | WindowFunction,
  node: Call | WindowCall,
  args: readonly Expr[],
): readonly Expression[] => {
  try {
    return argumentsOf(scope, spec, node.name, args);
  } catch (error) {
    if (error instanceof QueryError && error.position === undefined) throw new QueryError(error.code, error.message, node[AT]);
    throw error;
  }
};

/** `count(*)` is `count()`. */
const countsRows = (node: Call | WindowCall): boolean => {
  const [only] = node.args;
  return node.args.length === 1 && only?.kind === "field" && only.chain.length === 1 && only.chain[0] === "*";
};

/** An aggregate is one value per group, so the columns inside it are not loose. */
const bare = ({ sql, type, nullable }: Expression): Expression => ({ sql, type, nullable });

const whenEmpty = (value: Expression, empty: "null" | "default", over: (body: string) => string): Expression =>
  empty === "null"
    ? made(`(CASE WHEN ${over("count(*)")} > 0 THEN ${value.sql} END)`, value.type, [value], true)
    : made(`coalesce(${value.sql}, ${defaultOf(value.type)})`, value.type, [value], false);

/** `f(…) OVER (…)`. */
export const windowCall = (scope: Scope, node: WindowCall): Expression => {
  const found = findFunction(node.name, node[AT]);
  const { spec } = found;
  const window = typeof node.over === "string" ? windowNamed(scope, node.over) : node.over;
  if (window === undefined) throw new QueryError("unknown_field", `There is no window named \`${String(node.over)}\`.`, node[AT]);
  const { sql, parts } = windowSql(scope, window, spec.name);
  refuseWindows(parts, "another window", node[AT]);
  const shape = { frame: window.frame, ordered: window.orderBy.length > 0 };
  if (spec.kind === "aggregate") {
    const value = aggregate(scope, spec, node, { condition: found.condition, empty: found.empty, over: ` OVER ${sql}`, window: shape });
    return withLoose(value, parts);
  }
  if (spec.kind !== "window") throw new QueryError("illegal_aggregation", `\`${node.name}\` is no window function.`, node[AT]);
  count(node.name, node.args.length, arityOf(spec), node);
  const args = placedArguments(scope, spec, node, node.args);
  refuseWindows(args, `the argument of \`${node.name}\``, node[AT]);
  const lowered = placed(node, () =>
    spec.lower({ run: scope.run, args, params: [], distinct: false, order: "", window: shape, over: (body) => `${body} OVER ${sql}` }),
  );
  return withLoose({ ...bare(lowered), window: true }, [...args, ...parts]);
};

const windowNamed = ({ windows }: Scope, name: string): Window | undefined => (Object.hasOwn(windows, name) ? windows[name] : undefined);

const withLoose = (value: Expression, parts: readonly Expression[]): Expression => {
  const loose = parts.find((part) => part.loose !== undefined)?.loose;
  return loose === undefined ? value : { ...value, loose };
};

const windowSql = (scope: Scope, window: Window, name: string): { readonly sql: string; readonly parts: readonly Expression[] } => {
  const partition = window.partitionBy.map((item) => expr(scope, item));
  const order = window.orderBy.map((item) => expr(scope, item.expr));
  const pieces = [
    ...(partition.length === 0 ? [] : [`PARTITION BY ${partition.map(({ sql }) => sql).join(", ")}`]),
    ...(order.length === 0 ? [] : [orderSql(scope, window.orderBy).trim()]),
    ...frameSql(window, name, order[0]?.type.kind),
  ];
  return { sql: `(${pieces.join(" ")})`, parts: [...partition, ...order] };
};

const frameSql = (window: Window, name: string, ordered: Type["kind"] | undefined): readonly string[] => {
  if (window.frame === undefined)
    return FRAMED.has(name) && window.orderBy.length === 0 ? ["ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"] : [];
  const { unit, start, end } = window.frame;
  const by = unit === "range" ? ordered : undefined;
  return [`${unit === "rows" ? "ROWS" : "RANGE"} BETWEEN ${boundSql(start, by)} AND ${end === null ? "CURRENT ROW" : boundSql(end, by)}`];
};

const FRAMED = new Set(["first_value", "last_value", "nth_value"]);

/** A range over stamps is in seconds, unless it names its unit. */
const boundSql = ({ kind, rows, unit }: FrameBound, ordered: Type["kind"] | undefined): string => {
  if (kind === "current") return "CURRENT ROW";
  const size = rows === null ? "UNBOUNDED" : String(Math.trunc(rows));
  const of = unit ?? (ordered === "datetime" ? "second" : undefined);
  return `${rows === null || of === undefined ? size : `INTERVAL ${size} ${of}`} ${kind === "preceding" ? "PRECEDING" : "FOLLOWING"}`;
};

/** ` ORDER BY …`, with NULLs last in both directions, as in ClickHouse. */
const orderSql = (scope: Scope, items: readonly OrderItem[]): string =>
  ` ORDER BY ${items.map((item) => orderItemSql(expr(scope, item.expr), item)).join(", ")}`;

/** UUIDs go by their second half first, as in ClickHouse. `listed` stands for the whole key where the list of columns has it. */
export const orderItemSql = ({ sql, type }: Expression, item: OrderItem, listed = sql): string => {
  const way = `${item.descending ? " DESC" : ""} NULLS ${item.nulls === "first" ? "FIRST" : "LAST"}`;
  return type.kind === "uuid" ? `substr(CAST(${sql} AS VARCHAR), 20)${way}, ${listed}${way}` : `${listed}${way}`;
};

const callScope = (scope: Scope, mode: Mode): CallScope => ({
  run: scope.run,
  mode,
  expr: (node, asked) => expr(scope, node, asked),
  condition: (node) => condition(scope, node),
  equal: (left, right) => compared(scope.run, "==", left, right, "filter"),
  lambda: (names, args, body) => {
    scope.lambdas.push(new Map(names.map((name, index) => [name, args[index] ?? literal(scope.run, null)])));
    try {
      return expr(scope, body);
    } finally {
      scope.lambdas.pop();
    }
  },
  arrayJoin: (array) => arrayJoin(scope, array),
  subquery: (node) => {
    if (node.kind !== "select" && node.kind !== "set") throw new QueryError("invalid_input", "A subquery is needed here.", node[AT]);
    return scope.subquery(node);
  },
});
