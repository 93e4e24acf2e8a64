import type { Expr, Select } from "../../ast.ts";

/** Every alias given anywhere in a SELECT, but not inside its subqueries; the first of a name wins. */
export const aliasesOf = (node: Select): ReadonlyMap<string, Expr> => {
  const found = new Map<string, Expr>();
  const clauses = [node.prewhere, node.where, node.having, node.qualify];
  const grouped = node.groupBy === null || node.groupBy === "all" ? [] : node.groupBy;
  for (const part of [...node.columns, ...clauses, ...grouped, ...node.orderBy.map((item) => item.expr)])
    if (part !== null) collect(part, found);
  return found;
};

const collect = (node: Expr, found: Map<string, Expr>): void => {
  switch (node.kind) {
    case "alias":
      if (!found.has(node.name)) found.set(node.name, node.item);
      collect(node.item, found);
      return;
    case "call":
      for (const arg of node.args) collect(arg, found);
      return;
    case "array":
    case "tuple":
    case "and":
    case "or":
      for (const item of node.items) collect(item, found);
      return;
    case "not":
    case "cast":
    case "between":
      collect(node.item, found);
      return;
    case "compare":
    case "arithmetic":
      collect(node.left, found);
      collect(node.right, found);
      return;
    default:
      return;
  }
};
