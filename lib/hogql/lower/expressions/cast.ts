import { didYouMean } from "../../../core/suggest.ts";
import type { Expression } from "../../analysis/expression.ts";
import { AT, type Cast, type Expr } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { castValue } from "../../functions/casts/cast.ts";
import { TYPE_NAMES, typeNamed } from "../../functions/casts/type-names.ts";
import { expressionLabel } from "../../text.ts";
import type { Scope } from "../scope.ts";
import { expr } from "./expr.ts";

/** `x::Type`, with the type's parameters, and `CAST(x AS Type)`. */
export const cast = (scope: Scope, node: Cast): Expression => {
  const name = node.args.length === 0 ? node.to : `${node.to}(${node.args.map(parameter).join(", ")})`;
  const wanted = typeNamed(name);
  if (wanted === undefined) throw new QueryError("unsupported", `Cannot cast to \`${name}\`.${didYouMean(node.to, TYPE_NAMES)}`, node[AT]);
  return castValue(scope.context, expr(scope, node.item), wanted, { soft: node.soft, ...(node.soft ? { accurate: true } : {}) });
};

/** A parameter of a type as it is written: a number, a zone in quotes, or a type in turn, which the parser takes for a name or call. */
const parameter = (node: Expr): string => {
  if (node.kind === "call") return `${node.name}(${node.args.map(parameter).join(", ")})`;
  return expressionLabel(node);
};
