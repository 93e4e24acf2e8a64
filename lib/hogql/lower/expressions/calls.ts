import { didYouMean } from "../../../core/suggest.ts";
import { unreachable } from "../../../core/unreachable.ts";
import { literal } from "../../analysis/constants.ts";
import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression, flags } from "../../analysis/expression.ts";
import { AT, type Call, type Cast, type Expr } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { castValue } from "../../functions/casts/cast.ts";
import { findType, TYPE_NAMES } from "../../functions/casts/type-names.ts";
import { findFunction } from "../../functions/registry.ts";
import type { CallScope, Scalar } from "../../functions/spec.ts";
import { digestDigits } from "../../functions/texts/hashes.ts";
import { compareValues, type Mode } from "../../operators/compare.ts";
import { type Argument, argument, column, lambda, type Sql, separated, sql } from "../../sql/fragment.ts";
import { overOwnRow } from "../../sql/own-row.ts";
import { expressionLabel } from "../../text.ts";
import { arrayHint, isOpen, typeName, UNKNOWN } from "../../types.ts";
import type { Scope } from "../scope.ts";
import { aggregate } from "./aggregates.ts";
import { arity, atCall, count, lowerArguments } from "./arguments.ts";
import { condition, expr } from "./expr.ts";

/** A function call: looked up by its name, its arguments counted and checked, then lowered by what its entry says. */
export const call = (scope: Scope, node: Call, mode: Mode): Expression => {
  const found = findFunction(node.name, node[AT]);
  const { spec } = found;
  switch (spec.kind) {
    case "unsupported":
      throw new QueryError("unsupported_function", `Unsupported function \`${node.name}\`. ${spec.instead}`, node[AT]);
    case "special":
      count(node.name, node.args.length, spec.arity, node);
      return spec.lower(node, callScope(scope, mode));
    case "scalar":
      if (node.params !== undefined || node.filter !== undefined) {
        throw new QueryError("invalid_input", `\`${node.name}\` is no aggregate: it takes no parameters and no FILTER.`, node[AT]);
      }
      return scalar(scope, spec, node.name, node);
    case "aggregate":
      return aggregate(scope, spec, node, { condition: found.condition, empty: found.empty, over: null });
    case "window":
      throw new QueryError("illegal_aggregation", `\`${node.name}\` needs a window: write \`${node.name}(…) OVER (…)\`.`, node[AT]);
    default:
      return unreachable(spec);
  }
};

const scalar = (scope: Scope, spec: Scalar, name: string, node: Call): Expression => {
  count(name, node.args.length, arity(spec), node);
  return atCall(node, () => nameLongArguments(scope.context, spec, lowerArguments(scope, spec, name, node.args)));
};

const callScope = (scope: Scope, mode: Mode): CallScope => ({
  context: scope.context,
  mode,
  expr: (node, asked) => expr(scope, node, asked),
  condition: (node) => condition(scope, node),
  equal: (left, right) => compareValues(scope.context, "==", left, right, "filter"),
  lambda: (names, args, body) => {
    scope.lambdas.push(new Map(names.map((name, index) => [name, args[index] ?? literal(null)])));
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

/** Characters of a call's SQL from which on its long arguments are computed under a name. */
const LONG_CALL = 4_000;
const LONG_ARGUMENT = 100;

/**
 * Most functions name an argument several times, which DuckDB computes once but keeps room for each time: calls in calls in calls
 * would need more of it than there is. In a long call every long argument therefore gets a name, as the one element of a list.
 */
const nameLongArguments = (context: LoweringContext, spec: Scalar, args: readonly Expression[]): Expression => {
  const plain = spec.lower(args, context);
  if (plain.tree.size < LONG_CALL || digestDigits(plain.tree) !== undefined) return plain;
  const named = args.map((arg) => ({ arg, name: isNamed(arg, plain.tree) ? argument() : undefined }));
  if (named.every(({ name }) => name === undefined)) return plain;
  const given = named.map(({ arg, name }) => (name === undefined ? arg : derive(name, arg.type, [arg])));
  const body = spec.lower(given, context).tree;
  const tree = named.reduce((inner, { arg, name }) => (name === undefined ? inner : underName(arg.tree, name, inner)), body);
  const { facts, exact } = plain;
  return { ...derive(tree, plain.type, args, plain.nullable), ...(facts && { facts }), ...(exact && { exact }) };
};

const underName = (value: Sql, name: Argument, body: Sql): Sql => sql`list_extract(list_transform([${value}], ${lambda([name], body)}), 1)`;

/** Whether the argument is long, stands there several times, and is nothing but its SQL. */
const isNamed = ({ tree, known, items }: Expression, call: Sql): boolean =>
  known === undefined &&
  items === undefined &&
  digestDigits(tree) === undefined &&
  tree.size >= LONG_ARGUMENT &&
  occursOften(call, tree, LEAST_OFTEN);

const LEAST_OFTEN = 3;

/** Whether a node stands at least so many times in another one. What is left for later is not looked into. */
export const occursOften = (within: Sql, wanted: Sql, times: number): boolean => {
  let found = 0;
  const left: Sql[] = [within];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node === wanted) found += 1;
    if (found >= times) return true;
    if (node === wanted || node.size < wanted.size) continue;
    if (node.kind === "template" || node.kind === "list") left.push(...node.parts);
    if (node.kind === "lambda") left.push(node.body);
  }
  return false;
};

/** `arrayJoin(a)`: a row for each element. The same array named twice is one join, so that both move together. */
export const arrayJoin = (scope: Scope, array: Expression): Expression => {
  const { type } = array;
  if (type.kind !== "array" && !isOpen(type)) {
    throw new QueryError("illegal_type_of_argument", `arrayJoin needs an array, not ${typeName(type, array.nullable)}${arrayHint(type)}.`);
  }
  const known = scope.arrayJoins.get(array.tree);
  if (known !== undefined) return known.value;
  const table = scope.context.alias("u");
  const value: Expression = {
    tree: column(table, "v"),
    type: type.kind === "array" ? type.of : UNKNOWN,
    nullable: type.kind !== "array" || type.nullable,
    ...flags([array]),
    ungroupedColumn: array.ungroupedColumn ?? "arrayJoin",
  };
  const { trees, from } = overOwnRow(scope.context.alias("r"), [sql`unnest(${array.tree}) AS v`]);
  scope.arrayJoins.add(array.tree, { value, join: sql` CROSS JOIN LATERAL (SELECT ${separated(trees)}${from}) AS ${table}` });
  return value;
};

/** `x::Type`, with the type's parameters, and `CAST(x AS Type)`. */
export const cast = (scope: Scope, node: Cast): Expression => {
  const name = node.args.length === 0 ? node.to : `${node.to}(${node.args.map(parameter).join(", ")})`;
  const wanted = findType(name);
  if (wanted === undefined) throw new QueryError("unsupported", `Cannot cast to \`${name}\`.${didYouMean(node.to, TYPE_NAMES)}`, node[AT]);
  return castValue(scope.context, expr(scope, node.item), wanted, { soft: node.soft, ...(node.soft ? { accurate: true } : {}) });
};

/** A parameter of a type as it is written: a number, a zone in quotes, or a type in turn, which the parser takes for a name or call. */
const parameter = (node: Expr): string => {
  if (node.kind === "call") return `${node.name}(${node.args.map(parameter).join(", ")})`;
  return expressionLabel(node);
};
