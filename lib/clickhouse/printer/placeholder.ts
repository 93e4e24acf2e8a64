import type { Placeholder } from "../../hogql/ast.ts";
import { expr } from "./expr.ts";
import { literal, type Piece, piece } from "./piece.ts";
import type { Scope } from "./scope.ts";
import type { Statement } from "./statement.ts";
import { Unprintable } from "./unprintable.ts";

/** A placeholder's value as a constant of the type that JSON gives it. */
export const placeholder = (scope: Scope, node: Placeholder): Piece => {
  const { options } = scope.statement;
  const [first = "", ...rest] = node.chain;
  if (first === "filters") return filters(scope, rest);
  const values = first === "variables" ? options.variables : (options.values ?? {});
  const key = first === "variables" ? rest.join(".") : first;
  if (!Object.hasOwn(values, key)) throw new Unprintable(`{${node.chain.join(".")}} has no value`);
  return json(scope.statement, values[key]);
};

const filters = (scope: Scope, [, end]: readonly string[]): Piece => {
  const { statement } = scope;
  const given = statement.options.filters;
  if (end === undefined) return given === undefined ? literal(statement, true) : expr(scope, given.condition);
  const bound = end === "from" ? given?.from : given?.to;
  return bound ? expr(scope, bound) : literal(statement, null);
};

const json = (statement: Statement, value: unknown): Piece => {
  if (value === undefined) return literal(statement, null);
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return literal(statement, value);
  if (isTexts(value)) return { sql: statement.texts(value), kind: "other", texts: value };
  if (Array.isArray(value)) return piece(`[${value.map((item) => json(statement, item).sql).join(", ")}]`);
  return literal(statement, JSON.stringify(value));
};

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
