import { unreachable } from "../core/unreachable.ts";
import type { Expr, OrderItem, Select, Window } from "./ast.ts";

/** The node with each of its parts changed. A query within an expression is a leaf: its parts are not those of the expression. */
export const mapChildren = (node: Expr, change: (part: Expr) => Expr): Expr => {
  const all = (parts: readonly Expr[]): readonly Expr[] => parts.map(change);
  switch (node.kind) {
    case "constant":
    case "numeric-literal":
    case "field":
    case "placeholder":
    case "columns":
    case "positional":
    case "select":
    case "set":
      return node;
    case "call":
      return {
        ...node,
        args: all(node.args),
        ...(node.params === undefined ? {} : { params: all(node.params) }),
        ...(node.filter === undefined ? {} : { filter: change(node.filter) }),
        ...(node.orderBy === undefined ? {} : { orderBy: mapOrder(node.orderBy, change) }),
      };
    case "window":
      return {
        ...node,
        args: all(node.args),
        ...(node.params === undefined ? {} : { params: all(node.params) }),
        over: typeof node.over === "string" ? node.over : mapWindow(node.over, change),
      };
    case "lambda":
      return { ...node, body: change(node.body) };
    case "array":
    case "tuple":
    case "and":
    case "or":
      return { ...node, items: all(node.items) };
    case "dict":
      return { ...node, items: node.items.map(([key, value]) => [change(key), change(value)] as const) };
    case "element":
      return { ...node, of: change(node.of), index: change(node.index) };
    case "tuple-element":
      return { ...node, of: change(node.of) };
    case "compare":
    case "arithmetic":
    case "distinct-from":
      return { ...node, left: change(node.left), right: change(node.right) };
    case "between":
      return { ...node, item: change(node.item), low: change(node.low), high: change(node.high) };
    case "cast":
      return { ...node, item: change(node.item), args: all(node.args) };
    case "not":
    case "alias":
      return { ...node, item: change(node.item) };
    default:
      return unreachable(node);
  }
};

export const mapOrder = (items: readonly OrderItem[], change: (part: Expr) => Expr): readonly OrderItem[] =>
  items.map((item) => ({ ...item, expr: change(item.expr) }));

const mapWindow = (window: Window, change: (part: Expr) => Expr): Window => ({
  ...window,
  partitionBy: window.partitionBy.map(change),
  orderBy: mapOrder(window.orderBy, change),
});

/** The parts of a node; none of a query within it. */
export const childNodes = (node: Expr): readonly Expr[] => {
  const parts: Expr[] = [];
  mapChildren(node, (part) => {
    parts.push(part);
    return part;
  });
  return parts;
};

/** Whether a node or anything in it is such a one; queries within it are asked, and not what is in them. */
export const someNode = (node: Expr, is: (node: Expr) => boolean): boolean =>
  is(node) || childNodes(node).some((part) => someNode(part, is));

/** Whether two trees are the same but for where they stand in the text. */
export const sameTree = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Every alias given anywhere in a SELECT, but not inside its subqueries; the first of a name wins. */
export const selectAliases = (node: Select): ReadonlyMap<string, Expr> => {
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

/** A whole number in GROUP BY, ORDER BY or LIMIT BY means the column at that place. */
export const isPosition = (node: Expr): node is Extract<Expr, { kind: "constant" }> =>
  node.kind === "constant" && typeof node.value === "number" && Number.isInteger(node.value);

/** A `*` or COLUMNS, which stands for columns that only the tables tell. */
export const isStar = (node: Expr): boolean => node.kind === "columns" || (node.kind === "field" && node.chain.at(-1) === "*");

/** `properties['a'][1]` and `properties.a.1` as the chain they mean; null for anything else. */
export const propertyChain = (node: Expr): readonly (string | number)[] | null => {
  if (node.kind === "field") return node.chain.includes("properties") ? node.chain : null;
  if (node.kind === "tuple-element") {
    const before = propertyChain(node.of);
    return before === null ? null : [...before, node.index];
  }
  if (node.kind !== "element" || node.index.kind !== "constant") return null;
  const { value } = node.index;
  const before = propertyChain(node.of);
  return before === null || (typeof value !== "string" && typeof value !== "number") ? null : [...before, value];
};
