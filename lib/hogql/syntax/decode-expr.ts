import type { ArithmeticOp, Call, Cast, CompareOp, Expr } from "../ast.ts";
import { QueryError } from "../errors.ts";
import { UNITS } from "../types.ts";
import { orderItems, query, window } from "./decode.ts";
import { at, type DecodeInput, deeper, type Json, list, placeInText, present, readName, record, refuse, string } from "./decode-json.ts";
import { EXTRACT_CALL, EXTRACTED_UNITS } from "./guard-text.ts";

export const expr = (value: unknown, outer: DecodeInput): Expr => {
  const node = record(value);
  const reading = deeper(outer, placeInText(node));
  const decodeNode = NODES.get(String(node.node));
  if (decodeNode === undefined) return refuse(`${String(node.node)} in an expression`, node);
  const decoded = decodeNode(node, reading);
  return { ...decoded, ...at(node) };
};

const COMPARISONS: ReadonlyMap<string, CompareOp> = new Map(
  (["==", "!=", "<", "<=", ">", ">=", "like", "not like", "ilike", "not ilike", "in", "not in", "=~", "!~", "=~*", "!~*"] as const).map(
    (op) => [op, op],
  ),
);
const ARITHMETIC: ReadonlyMap<string, ArithmeticOp> = new Map((["+", "-", "*", "/", "%"] as const).map((op) => [op, op]));

const call = (node: Json, reading: DecodeInput): Call => {
  if (node.name === EXTRACT_CALL) return extraction(node, reading);
  const params = maybeExprs(node.params, reading);
  const filter = maybe(node.filter_expr, reading);
  const orderBy = orderItems(node.order_by, reading);
  const [name, args] = [string(node.name), exprs(node.args, reading)];
  return {
    kind: "call",
    name,
    args: TAKES_UNIT.test(name) ? unitFirst(args) : args,
    ...(params === null ? {} : { params }),
    ...(node.distinct === true ? { distinct: true } : {}),
    ...(filter === null ? {} : { filter }),
    ...(orderBy.length === 0 ? {} : { orderBy }),
  };
};

/** Functions whose unit is a word without quotes in ClickHouse's manual. */
const TAKES_UNIT = /^(date|timestamp)_?(add|sub|diff)$/i;

/** `dateAdd(day, 1, x)` is `dateAdd('day', 1, x)`, whatever columns and aliases are called. */
const unitFirst = (args: readonly Expr[]): readonly Expr[] => {
  const [first, ...rest] = args;
  if (args.length < 3 || first?.kind !== "field" || first.chain.length > 1) return args;
  const unit = UNITS.find((known) => known === String(first.chain[0]).toLowerCase());
  return unit === undefined ? args : [{ kind: "constant", value: unit }, ...rest];
};

/** `EXTRACT(YEAR FROM x)` is `toYear(x)`. */
const extraction = (node: Json, reading: DecodeInput): Call => {
  const [unit, value] = exprs(node.args, reading);
  const name = unit?.kind === "field" ? EXTRACTED_UNITS.get(String(unit.chain[0]).toUpperCase()) : undefined;
  if (name === undefined || value === undefined) return refuse("This EXTRACT", node);
  return { kind: "call", name, args: [value] };
};

/** `a[from:to]`, both included, from 1. */
const slice = (node: Json, reading: DecodeInput): Expr => {
  const from = maybe(node.start_expr, reading) ?? { kind: "constant", value: 1 };
  const to = maybe(node.end_expr, reading);
  const args = [expr(node.array, reading), from];
  if (to === null) return { kind: "call", name: "arraySlice", args };
  const length: Expr = {
    kind: "arithmetic",
    op: "+",
    left: { kind: "arithmetic", op: "-", left: to, right: from },
    right: { kind: "constant", value: 1 },
  };
  return { kind: "call", name: "arraySlice", args: [...args, length] };
};

const cast = (node: Json, reading: DecodeInput): Cast => ({
  kind: "cast",
  item: expr(node.expr, reading),
  to: string(node.type_name),
  args: [],
  soft: node.node === "TryCast",
});

const sequence =
  (kind: "array" | "tuple" | "and" | "or") =>
  (node: Json, reading: DecodeInput): Expr => ({ kind, items: exprs(node.exprs, reading) });

/** One entry per node of the parser's expressions that we accept. */
const NODES: ReadonlyMap<string, (node: Json, reading: DecodeInput) => Expr> = new Map<string, (node: Json, reading: DecodeInput) => Expr>([
  [
    "Constant",
    (node) => {
      if (node.value_type === "number") return { kind: "numeric-literal", text: string(node.value) };
      const value = node.value;
      if (typeof value === "bigint") return { kind: "numeric-literal", text: String(value) };
      if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number")
        return { kind: "constant", value };
      return refuse("This constant", node);
    },
  ],
  ["Field", (node) => ({ kind: "field", chain: list(node.chain).map((part) => (typeof part === "number" ? part : String(part))) })],
  ["Call", call],
  [
    "ExprCall",
    (node, reading) => {
      const inner = record(node.expr);
      if (inner.node !== "TypeCast" && inner.node !== "TryCast") return refuse("A call of an expression", node);
      return { ...cast(inner, reading), args: exprs(node.args, reading) };
    },
  ],
  [
    "WindowFunction",
    (node, reading) => ({
      kind: "window",
      name: string(node.name),
      ...(list(node.args).length > 0
        ? { params: exprs(node.exprs, reading), args: exprs(node.args, reading) }
        : { args: exprs(node.exprs, reading) }),
      over: present(node.over_expr) ? window(record(node.over_expr), reading) : string(node.over_identifier),
    }),
  ],
  ["Lambda", (node, reading) => ({ kind: "lambda", args: list(node.args).map(string), body: expr(node.expr, reading) })],
  ["Array", sequence("array")],
  ["ArraySlice", slice],
  ["Tuple", sequence("tuple")],
  ["And", sequence("and")],
  ["Or", sequence("or")],
  ["Not", (node, reading) => ({ kind: "not", item: expr(node.expr, reading) })],
  [
    "Dict",
    (node, reading) => ({
      kind: "dict",
      items: list(node.items).map((pair): readonly [Expr, Expr] => {
        const [key, value] = list(pair);
        return [expr(key, reading), expr(value, reading)] as const;
      }),
    }),
  ],
  ["ArrayAccess", (node, reading) => ({ kind: "element", of: expr(node.array, reading), index: expr(node.property, reading) })],
  [
    "TupleAccess",
    (node, reading) => {
      if (typeof node.index !== "number") return refuse("A tuple element without a number", node);
      return { kind: "tuple-element", of: expr(node.tuple, reading), index: node.index };
    },
  ],
  [
    "CompareOperation",
    (node, reading) => {
      if (node.op === "in cohort" || node.op === "not in cohort") {
        throw new QueryError(
          "unsupported",
          "Cohorts are not supported: list the persons, or filter by their properties.",
          placeInText(node),
        );
      }
      const op = COMPARISONS.get(String(node.op));
      if (op === undefined) return refuse(`The operator ${String(node.op)}`, node);
      return { kind: "compare", op, left: expr(node.left, reading), right: expr(node.right, reading) };
    },
  ],
  [
    "ArithmeticOperation",
    (node, reading) => {
      const op = ARITHMETIC.get(String(node.op));
      if (op === undefined) return refuse(`The operator ${String(node.op)}`, node);
      return { kind: "arithmetic", op, left: expr(node.left, reading), right: expr(node.right, reading) };
    },
  ],
  [
    "BetweenExpr",
    (node, reading) => ({
      kind: "between",
      item: expr(node.expr, reading),
      low: expr(node.low, reading),
      high: expr(node.high, reading),
      negated: node.negated === true,
    }),
  ],
  [
    "IsDistinctFrom",
    (node, reading) => ({
      kind: "distinct-from",
      left: expr(node.left, reading),
      right: expr(node.right, reading),
      negated: node.negated === true,
    }),
  ],
  ["TypeCast", cast],
  ["TryCast", cast],
  ["Alias", (node, reading) => ({ kind: "alias", name: string(node.alias), item: expr(node.expr, reading) })],
  [
    "Placeholder",
    (node) => {
      const inner = record(node.expr);
      if (inner.node !== "Field") return refuse("A placeholder that is no name", node);
      return { kind: "placeholder", chain: list(inner.chain).map(String) };
    },
  ],
  [
    "ColumnsExpr",
    (node) => {
      if (present(node.columns) || present(node.replace)) return refuse("COLUMNS with a list or REPLACE", node);
      return { kind: "columns", exclude: list(node.exclude).map(String), regex: readName(node.regex) };
    },
  ],
  [
    "PositionalRef",
    (node) => (typeof node.index === "number" ? { kind: "positional", index: node.index } : refuse("A reference by position", node)),
  ],
  ["SelectQuery", (node, reading) => query(node, reading)],
  ["SelectSetQuery", (node, reading) => query(node, reading)],
]);

export const maybe = (value: unknown, reading: DecodeInput): Expr | null =>
  value === null || value === undefined ? null : expr(value, reading);
export const exprs = (value: unknown, reading: DecodeInput): Expr[] => list(value).map((item) => expr(item, reading));
export const maybeExprs = (value: unknown, reading: DecodeInput): Expr[] | null => (Array.isArray(value) ? exprs(value, reading) : null);
