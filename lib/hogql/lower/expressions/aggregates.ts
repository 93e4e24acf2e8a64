import { defaultSql } from "../../analysis/duckdb-types.ts";
import { type ConstantValue, derive, type Expression, sqlTrees } from "../../analysis/expression.ts";
import { AT, type Call, type Window, type WindowCall } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { findFunction } from "../../functions/registry.ts";
import type { Aggregate, AggregateCall } from "../../functions/spec.ts";
import { NOTHING, NULL_SQL, type Sql, separated, sql } from "../../sql/fragment.ts";
import type { Scope } from "../scope.ts";
import { argumentsAtCall, arity, atCall, count } from "./arguments.ts";
import { condition, expr } from "./expr.ts";
import { orderSql, refuseWindows, windowSql } from "./windows.ts";

interface AggregateForm {
  /** The name ends in `If`: the last argument is a condition. */
  readonly condition: boolean;
  /** The value over no rows at all, by the name's end: `OrNull`, `OrDefault`. */
  readonly empty: "null" | "default" | null;
  /** ` OVER (…)`; null without a window. */
  readonly over: Sql | null;
  readonly window?: AggregateCall["window"];
}

/** An aggregate's call, or one over a window. */
export const aggregate = (scope: Scope, spec: Aggregate, node: Call | WindowCall, form: AggregateForm): Expression => {
  if (scope.noAggregates !== null && form.over === null) {
    throw new QueryError("illegal_aggregation", `The aggregate \`${node.name}\` cannot stand in ${scope.noAggregates}.`, node[AT]);
  }
  const written = countsRows(node) ? [] : node.args;
  const values = form.condition ? written.slice(0, -1) : written;
  if (form.condition && written.length === 0) count(node.name, 0, [1, 1], node);
  const [least, most] = arity(spec);
  const extra = form.condition ? 1 : 0;
  count(node.name, written.length, [least + extra, most + extra], node);
  const inner: Scope = form.over === null ? { ...scope, noAggregates: "the argument of another aggregate", groupKeys: null } : scope;
  const args = argumentsAtCall(inner, spec, node, values);
  const last = written.at(-1);
  const filters = [
    ...(form.condition && last !== undefined ? [condition(inner, last)] : []),
    ...(node.kind === "call" && node.filter !== undefined ? [condition(inner, node.filter)] : []),
  ];
  refuseWindows([...args, ...filters], `the argument of \`${node.name}\``, node[AT]);
  const params = constantParams(inner, spec, node);
  const over = (body: Sql, where?: Sql): Sql => {
    const conditions = [...sqlTrees(filters), ...(where === undefined ? [] : [where])];
    return sql`${body}${conditions.length === 0 ? NOTHING : sql` FILTER (WHERE ${separated(conditions, sql` AND `)})`}${form.over ?? NOTHING}`;
  };
  const overAll = (body: Sql): Sql => sql`${body}${form.over ?? NOTHING}`;
  const lowered = atCall(node, () =>
    spec.lower({
      context: scope.context,
      args,
      params,
      distinct: node.kind === "call" && node.distinct === true,
      order: node.kind === "call" && node.orderBy !== undefined ? sql` ${orderSql(inner, node.orderBy)}` : NOTHING,
      over,
      ...(filters.length === 0 ? {} : { some: { where: separated(sqlTrees(filters), sql` AND `), overAll } }),
      ...(form.window === undefined ? {} : { window: form.window }),
    }),
  );
  const shaped = form.empty === null ? lowered : whenEmpty(lowered, form.empty, over);
  if (form.over === null) {
    scope.aggregates.found = true;
    return { ...bare(shaped), aggregate: true };
  }
  return withUngrouped({ ...bare(shaped), window: true }, [...args, ...filters]);
};

/** The first pair of parentheses: constants, as many as the aggregate takes. */
const constantParams = (scope: Scope, spec: Aggregate, node: Call | WindowCall): readonly ConstantValue[] => {
  const params = (node.params ?? []).map((param) => expr(scope, param).known);
  const known = params.filter((param) => param !== undefined);
  const [fewest, most] = spec.params ?? [0, 0];
  if (params.length >= fewest && params.length <= most && known.length === params.length) return known;
  throw new QueryError(
    "number_of_arguments_doesnt_match",
    `\`${node.name}\` takes ${fewest === most ? fewest : `${fewest} to ${most}`} constant parameter(s) in its first parentheses.`,
    node[AT],
  );
};

/** `count(*)` is `count()`. */
const countsRows = (node: Call | WindowCall): boolean => {
  const [only] = node.args;
  return node.args.length === 1 && only?.kind === "field" && only.chain.length === 1 && only.chain[0] === "*";
};

/** An aggregate is one value per group, so the columns inside it are not ungrouped. */
const bare = ({ tree, type, nullable }: Expression): Expression => ({ tree, type, nullable });

const whenEmpty = (value: Expression, empty: "null" | "default", over: (body: Sql) => Sql): Expression =>
  empty === "null"
    ? derive(sql`(CASE WHEN ${over(sql`count(*)`)} > 0 THEN ${value.tree} END)`, value.type, [value], true)
    : derive(sql`coalesce(${value.tree}, ${defaultSql(value.type) ?? NULL_SQL})`, value.type, [value], false);

/** `f(…) OVER (…)`. */
export const windowCall = (scope: Scope, node: WindowCall): Expression => {
  const found = findFunction(node.name, node[AT]);
  const { spec } = found;
  const window = typeof node.over === "string" ? windowNamed(scope, node.over) : node.over;
  if (window === undefined) throw new QueryError("unknown_field", `There is no window named \`${String(node.over)}\`.`, node[AT]);
  const { tree, parts } = windowSql(scope, window, spec.name);
  refuseWindows(parts, "another window", node[AT]);
  const shape = { frame: window.frame, ordered: window.orderBy.length > 0 };
  if (spec.kind === "aggregate") {
    const value = aggregate(scope, spec, node, { condition: found.condition, empty: found.empty, over: sql` OVER ${tree}`, window: shape });
    return withUngrouped(value, parts);
  }
  if (spec.kind !== "window") throw new QueryError("illegal_aggregation", `\`${node.name}\` is no window function.`, node[AT]);
  count(node.name, node.args.length, arity(spec), node);
  const args = argumentsAtCall(scope, spec, node, node.args);
  refuseWindows(args, `the argument of \`${node.name}\``, node[AT]);
  const lowered = atCall(node, () =>
    spec.lower({
      context: scope.context,
      args,
      params: [],
      distinct: false,
      order: NOTHING,
      window: shape,
      over: (body) => sql`${body} OVER ${tree}`,
    }),
  );
  return withUngrouped({ ...bare(lowered), window: true }, [...args, ...parts]);
};

const windowNamed = ({ windows }: Scope, name: string): Window | undefined => (Object.hasOwn(windows, name) ? windows[name] : undefined);

const withUngrouped = (value: Expression, parts: readonly Expression[]): Expression => {
  const ungroupedColumn = parts.find((part) => part.ungroupedColumn !== undefined)?.ungroupedColumn;
  return ungroupedColumn === undefined ? value : { ...value, ungroupedColumn };
};
