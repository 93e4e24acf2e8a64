import type { Expression } from "../../analysis/expression.ts";
import { AT, type Call, type Expr, type WindowCall } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import type { FunctionSpec } from "../../functions/spec.ts";
import { fitArgument } from "../../functions/take.ts";
import type { Scope } from "../scope.ts";
import { expr } from "./expr.ts";

/** A function that says how many arguments it takes, and of what kinds. */
export type WithSignature = Exclude<FunctionSpec, { readonly kind: "special" | "unsupported" }>;

export const arity = (spec: WithSignature): readonly [number, number] => [
  spec.takes.length - (spec.optional ?? 0),
  spec.rest ? Number.POSITIVE_INFINITY : spec.takes.length,
];

/** Throws `QueryError` for too few or too many arguments. */
export const count = (name: string, given: number, [least, most]: readonly [number, number], node: Call | WindowCall): void => {
  if (given >= least && given <= most) return;
  const wanted = least === most ? String(least) : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
  throw new QueryError(
    "number_of_arguments_doesnt_match",
    `\`${name}\` takes ${wanted} argument${wanted === "1" ? "" : "s"}, not ${given}.`,
    node[AT],
  );
};

/** The arguments as the function takes them. */
export const lowerArguments = (scope: Scope, spec: WithSignature, name: string, args: readonly Expr[]): readonly Expression[] =>
  args.map((arg, index) =>
    fitArgument(scope.context, spec.takes[Math.min(index, spec.takes.length - 1)] ?? "any", expr(scope, arg), name, index),
  );

/** The same, with errors that have no place given that of the call. */
export const argumentsAtCall = (
  scope: Scope,
  spec: WithSignature,
  node: Call | WindowCall,
  args: readonly Expr[],
): readonly Expression[] => {
  return atCall(node, () => lowerArguments(scope, spec, node.name, args));
};

/** Gives an error from inside a call the call's own place, when it has none. */
export const atCall = <T>(node: Call | WindowCall, lower: () => T): T => {
  try {
    return lower();
  } catch (error) {
    if (error instanceof QueryError && error.position === undefined) throw new QueryError(error.code, error.message, node[AT]);
    throw error;
  }
};
