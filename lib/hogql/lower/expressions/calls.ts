import { unreachable } from "../../../core/unreachable.ts";
import { literal } from "../../analysis/constants.ts";
import type { Expression } from "../../analysis/expression.ts";
import { AT, type Call } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { findFunction } from "../../functions/registry.ts";
import type { CallScope, Scalar } from "../../functions/spec.ts";
import { compared, type Mode } from "../../operators/compare.ts";
import type { Scope } from "../scope.ts";
import { aggregate } from "./aggregates.ts";
import { argumentsOf, arityOf, count, placed } from "./arguments.ts";
import { arrayJoin } from "./array-join.ts";
import { condition, expr } from "./expr.ts";
import { namedOnce } from "./named-once.ts";

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
      return aggregate(scope, spec, node, { condition: found.condition, empty: found.empty, over: null });
    case "window":
      throw new QueryError("illegal_aggregation", `\`${node.name}\` needs a window: write \`${node.name}(…) OVER (…)\`.`, node[AT]);
    default:
      return unreachable(spec);
  }
};

const scalar = (scope: Scope, spec: Scalar, name: string, node: Call): Expression => {
  count(name, node.args.length, arityOf(spec), node);
  return placed(node, () => namedOnce(scope.context, spec, argumentsOf(scope, spec, name, node.args)));
};

const callScope = (scope: Scope, mode: Mode): CallScope => ({
  context: scope.context,
  mode,
  expr: (node, asked) => expr(scope, node, asked),
  condition: (node) => condition(scope, node),
  equal: (left, right) => compared(scope.context, "==", left, right, "filter"),
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
