import type { Placeholder } from "../../../lib/hogql/ast.ts";
import { expr } from "./expr.ts";
import { literal, type Piece, piece } from "./piece.ts";
import { type Scope, Unprintable } from "./scope.ts";

/** A placeholder's value as a constant of the type that JSON gives it. */
export const placeholder = (scope: Scope, node: Placeholder): Piece => {
  const { options } = scope;
  const [first = "", ...rest] = node.chain;
  if (first === "filters") return filters(scope, rest);
  const values = first === "variables" ? options.variables : (options.values ?? {});
  const key = first === "variables" ? rest.join(".") : first;
  if (!Object.hasOwn(values, key)) throw new Unprintable(`{${node.chain.join(".")}} has no value`);
  return json(values[key]);
};

const filters = (scope: Scope, [, end]: readonly string[]): Piece => {
  const given = scope.options.filters;
  if (end === undefined) return given === undefined ? literal(true) : expr(scope, given.condition);
  const bound = end === "from" ? given?.from : given?.to;
  return bound ? expr(scope, bound) : literal(null);
};

const json = (value: unknown): Piece => {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") return literal(value);
  if (Array.isArray(value)) return piece(`[${value.map((item) => json(item).sql).join(", ")}]`);
  return literal(JSON.stringify(value));
};
