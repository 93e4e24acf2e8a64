import { AT, type Cast } from "../ast.ts";
import { QueryError } from "../errors.ts";
import type { Expression } from "../expression.ts";
import { convert, type Target } from "../functions/convert.ts";
import { didYouMean } from "../suggest.ts";
import { expr } from "./expr.ts";
import type { Scope } from "./scope.ts";

const TARGETS: ReadonlyMap<string, Target> = new Map<string, Target>([
  ...["int", "integer", "bigint", "int8", "int16", "int32", "int64"].map((name) => [name, "integer"] as const),
  ...["uint8", "uint16", "uint32", "uint64"].map((name) => [name, "unsigned"] as const),
  ...["float", "double", "float32", "float64", "real"].map((name) => [name, "float"] as const),
  ...["string", "text", "varchar"].map((name) => [name, "text"] as const),
  ["bool", "boolean"],
  ["boolean", "boolean"],
  ["date", "date"],
  ["datetime", "datetime"],
  ["datetime64", "datetime64"],
  ["timestamp", "datetime64"],
  ["uuid", "uuid"],
  ["decimal", "decimal"],
  ["numeric", "decimal"],
]);

export const cast = (scope: Scope, node: Cast): Expression => {
  const target = TARGETS.get(node.to.toLowerCase());
  if (target === undefined) {
    throw new QueryError("unsupported", `Cannot cast to \`${node.to}\`.${didYouMean(node.to, TARGETS.keys())}`, node[AT]);
  }
  const scale = node.args[1] === undefined ? 0n : expr(scope, node.args[1]).known;
  return convert(scope.run, expr(scope, node.item), target, { soft: node.soft, scale: Number(scale ?? 0) });
};
