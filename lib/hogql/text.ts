import { unreachable } from "../core/unreachable.ts";
import type { Expr } from "./ast.ts";

/** An expression as its author might have written it: the name of a column without an alias. */
export const textOf = (node: Expr): string => {
  switch (node.kind) {
    case "constant":
      return typeof node.value === "string" ? `'${node.value.replaceAll(/['\\]/g, "\\$&")}'` : String(node.value);
    case "numeric-literal":
      return node.text;
    case "field":
      return node.chain.map((part) => (typeof part === "string" ? quoted(part) : part)).join(".");
    case "call": {
      const params = node.params === undefined ? "" : `(${list(node.params)})`;
      return `${node.name}${params}(${node.distinct ? "DISTINCT " : ""}${list(node.args)})`;
    }
    case "window":
      return `${node.name}(${list(node.args)}) OVER ${typeof node.over === "string" ? node.over : "(…)"}`;
    case "lambda":
      return `${node.args.length === 1 ? node.args[0] : `(${node.args.join(", ")})`} -> ${textOf(node.body)}`;
    case "array":
      return `[${list(node.items)}]`;
    case "tuple":
      return `tuple(${list(node.items)})`;
    case "and":
    case "or":
      return `${node.kind}(${list(node.items)})`;
    case "not":
      return `not(${textOf(node.item)})`;
    case "dict":
      return `{${node.items.map(([key, value]) => `${textOf(key)}: ${textOf(value)}`).join(", ")}}`;
    case "element":
      return `${textOf(node.of)}[${textOf(node.index)}]`;
    case "tuple-element":
      return `${textOf(node.of)}.${node.index}`;
    case "compare":
      return `${COMPARISON_NAMES[node.op]}(${textOf(node.left)}, ${textOf(node.right)})`;
    case "arithmetic":
      return `${ARITHMETIC_NAMES[node.op]}(${textOf(node.left)}, ${textOf(node.right)})`;
    case "between":
      return `${textOf(node.item)} ${node.negated ? "NOT " : ""}BETWEEN ${textOf(node.low)} AND ${textOf(node.high)}`;
    case "distinct-from":
      return `${textOf(node.left)} IS ${node.negated ? "NOT " : ""}DISTINCT FROM ${textOf(node.right)}`;
    case "cast":
      return `cast(${textOf(node.item)}, '${node.to}')`;
    case "alias":
      return node.name;
    case "placeholder":
      return `{${node.chain.join(".")}}`;
    case "columns":
      return "*";
    case "positional":
      return `#${node.index}`;
    case "select":
    case "set":
      return "subquery";
    default:
      return unreachable(node);
  }
};

/** What a column of a SELECT is called. */
export const nameOfColumn = (node: Expr): string => {
  if (node.kind === "alias") return node.name;
  if (node.kind === "field") return String(node.chain.at(-1));
  if (node.kind === "element" && node.index.kind === "constant" && typeof node.index.value === "string") return node.index.value;
  return textOf(node);
};

const list = (items: readonly Expr[]): string => items.map(textOf).join(", ");

const quoted = (name: string): string => (/^[A-Za-z_$][\w$]*$|^\*$/.test(name) ? name : `\`${name.replaceAll("`", "\\`")}\``);

const COMPARISON_NAMES = {
  "==": "equals",
  "!=": "notEquals",
  "<": "less",
  "<=": "lessOrEquals",
  ">": "greater",
  ">=": "greaterOrEquals",
  like: "like",
  "not like": "notLike",
  ilike: "ilike",
  "not ilike": "notILike",
  in: "in",
  "not in": "notIn",
  "=~": "match",
  "!~": "not match",
  "=~*": "match",
  "!~*": "not match",
} as const;

const ARITHMETIC_NAMES = { "+": "plus", "-": "minus", "*": "multiply", "/": "divide", "%": "modulo" } as const;
