import { unreachable } from "../../../lib/core/unreachable.ts";
import type { ArithmeticOp, Cast, Compare, Expr, FrameBound, OrderItem, Window, WindowCall } from "../../../lib/hogql/ast.ts";
import { call } from "./call.ts";
import { compare, differs } from "./compare.ts";
import { type Kind, literal, name, type Piece, piece, text } from "./piece.ts";
import { placeholder } from "./placeholder.ts";
import { property } from "./property.ts";
import { fieldPiece, type Scope, Unprintable } from "./scope.ts";
import { query } from "./select.ts";

const ARITHMETIC: Readonly<Record<ArithmeticOp, string>> = { "+": "plus", "-": "minus", "*": "multiply", "/": "divide", "%": "modulo" };

/** An expression of the language as ClickHouse's SQL. */
export const expr = (scope: Scope, node: Expr): Piece => {
  const inner = (item: Expr): string => expr(scope, item).sql;
  const list = (items: readonly Expr[]): string => items.map(inner).join(", ");
  switch (node.kind) {
    case "constant":
      return literal(node.value);
    case "numeric-literal":
      return piece(node.text, "number");
    case "field":
      return fieldPiece(scope, node);
    case "call":
      return call(scope, node);
    case "window":
      return windowCall(scope, node);
    case "lambda": {
      const within = { ...scope, lambda: new Set([...scope.lambda, ...node.args]) };
      return piece(`(${node.args.map(name).join(", ")}) -> ${expr(within, node.body).sql}`);
    }
    case "array":
      return piece(`[${list(node.items)}]`);
    case "tuple":
      return piece(`tuple(${list(node.items)})`);
    case "and":
    case "or":
      return piece(node.items.length === 1 ? list(node.items) : `${node.kind}(${list(node.items)})`);
    case "not":
      return piece(`not(${inner(node.item)})`);
    case "dict":
      return piece(`map(${list(node.items.flat())})`);
    case "element":
      return element(scope, expr(scope, node.of), node.index);
    case "tuple-element": {
      const of = expr(scope, node.of);
      if (of.json !== undefined) return property({ ...of.json, path: [...of.json.path, node.index] }, scope.options);
      return piece(`tupleElement(${of.sql}, ${node.index})`);
    }
    case "compare":
      return compared(scope, node);
    case "arithmetic":
      return arithmetic(expr(scope, node.left), node.op, expr(scope, node.right));
    case "between": {
      const [item, low, high] = [expr(scope, node.item), expr(scope, node.low), expr(scope, node.high)];
      const both = `and(${compare(scope, ">=", item, low)}, ${compare(scope, "<=", item, high)})`;
      return piece(node.negated ? `not(${both})` : both);
    }
    case "distinct-from":
      return piece(differs(expr(scope, node.left), expr(scope, node.right), node.negated));
    case "cast":
      return cast(scope, node);
    case "alias":
      return { ...expr(scope, node.item), sql: `${inner(node.item)} AS ${name(node.name)}` };
    case "placeholder":
      return placeholder(scope, node);
    case "positional":
      return piece(String(node.index));
    case "select":
    case "set":
      return piece(`(${query(scope, node).sql})`);
    case "columns":
      throw new Unprintable("COLUMNS stands only in the list of a SELECT");
    default:
      return unreachable(node);
  }
};

const element = (scope: Scope, of: Piece, index: Expr): Piece => {
  const constant = index.kind === "constant" ? index.value : null;
  if (of.json !== undefined && (typeof constant === "string" || typeof constant === "number"))
    return property({ ...of.json, path: [...of.json.path, constant] }, scope.options);
  return piece(`arrayElement(${of.sql}, ${expr(scope, index).sql})`);
};

/** What a time and a number, or two numbers, make. */
const arithmetic = (left: Piece, op: ArithmeticOp, right: Piece): Piece => {
  const time = [left, right].find((side) => side.kind === "time" || side.kind === "date");
  const kind: Kind = time === undefined ? "number" : left.kind === right.kind ? "number" : time.kind;
  return piece(`${ARITHMETIC[op]}(${left.sql}, ${right.sql})`, kind);
};

const compared = (scope: Scope, node: Compare): Piece => {
  const left = expr(scope, node.left);
  const { right } = node;
  if (node.op === "in" || node.op === "not in") return piece(compare(scope, node.op, left, piece(listed(scope, right))));
  return piece(compare(scope, node.op, left, expr(scope, right)));
};

/** The right side of IN: a list, a query, or the name of one. */
const listed = (scope: Scope, node: Expr): string => {
  if (node.kind === "field" && node.chain.length === 1 && scope.ctes.has(String(node.chain[0])))
    return `(SELECT * FROM ${name(String(node.chain[0]))})`;
  if (node.kind === "tuple") return `(${node.items.map((item) => expr(scope, item).sql).join(", ")})`;
  const { sql } = expr(scope, node);
  return node.kind === "constant" ? `(${sql})` : sql;
};

const CASTS: ReadonlyMap<string, readonly [type: string, kind: Kind]> = new Map<string, readonly [string, Kind]>([
  ...["int", "integer", "bigint", "int64"].map((from) => [from, ["Int64", "number"]] as const),
  ...["int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64"].map(
    (from) => [from, [from.replace(/^u?i/, (start) => start.toUpperCase()), "number"]] as const,
  ),
  ...["float", "double", "float64", "real", "float32"].map((from) => [from, ["Float64", "number"]] as const),
  ...["string", "text", "varchar"].map((from) => [from, ["String", "text"]] as const),
  ...["bool", "boolean"].map((from) => [from, ["Bool", "other"]] as const),
  ["date", ["Date", "date"]],
  ["datetime", ["DateTime", "time"]],
  ["datetime64", ["DateTime64(6)", "time"]],
  ["timestamp", ["DateTime64(6)", "time"]],
  ["uuid", ["UUID", "other"]],
]);

const cast = (scope: Scope, node: Cast): Piece => {
  const item = expr(scope, node.item);
  const decimal = /^(decimal|numeric)$/i.test(node.to);
  const digits = node.args.map((arg) => expr(scope, arg).sql);
  const [type, kind] = decimal
    ? ([`Decimal(${digits[0] ?? 38}, ${digits[1] ?? 0})`, "number"] as const)
    : (CASTS.get(node.to.toLowerCase()) ?? []);
  if (type === undefined || kind === undefined) throw new Unprintable(`there is no type ${node.to}`);
  return piece(`${node.soft ? "accurateCastOrNull" : "CAST"}(${item.sql}, ${text(type)})`, kind);
};

const windowCall = (scope: Scope, node: WindowCall): Piece => {
  const { name: called, args, params, over } = node;
  if (called === "lag" || called === "lead") return neighbour(scope, node);
  const { sql, kind } = call(scope, { kind: "call", name: called, args, ...(params === undefined ? {} : { params }) }, "window");
  return piece(`${sql} OVER ${typeof over === "string" ? name(over) : `(${window(scope, over)})`}`, kind);
};

/** `lag` and `lead` look at the whole partition, and give NULL where it ends. */
const neighbour = (scope: Scope, { name: called, args, over }: WindowCall): Piece => {
  const [value, ...rest] = args.map((arg) => expr(scope, arg));
  const listed = [`toNullable(${value?.sql})`, ...rest.map(({ sql }) => sql)].join(", ");
  const named = typeof over === "string" ? scope.windows[over] : over;
  if (named === undefined) throw new Unprintable("there is no such window");
  const frame = " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING";
  const spec = window(scope, { partitionBy: named.partitionBy, orderBy: named.orderBy });
  return piece(`${called}InFrame(${listed}) OVER (${spec}${frame})`, value?.kind ?? "other");
};

export const window = (scope: Scope, { partitionBy, orderBy, frame }: Window): string =>
  [
    ...(partitionBy.length === 0 ? [] : [`PARTITION BY ${partitionBy.map((item) => expr(scope, item).sql).join(", ")}`]),
    ...(orderBy.length === 0 ? [] : [`ORDER BY ${order(scope, orderBy)}`]),
    ...(frame === undefined ? [] : [frameSql(frame)]),
  ].join(" ");

const frameSql = ({ unit, start, end }: NonNullable<Window["frame"]>): string =>
  `${unit.toUpperCase()} ${end === null ? bound(start) : `BETWEEN ${bound(start)} AND ${bound(end)}`}`;

const SECONDS: ReadonlyMap<string, number> = new Map([
  ["second", 1],
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
  ["week", 604_800],
]);

/** ClickHouse counts a range of times in seconds. */
const bound = ({ kind, rows, unit }: FrameBound): string => {
  if (kind === "current") return "CURRENT ROW";
  const size = unit === undefined ? 1 : SECONDS.get(unit);
  if (size === undefined) throw new Unprintable(`a range in ${unit}s`);
  return `${rows === null ? "UNBOUNDED" : rows * size} ${kind.toUpperCase()}`;
};

export const order = (scope: Scope, items: readonly OrderItem[]): string =>
  items.map((item) => `${expr(scope, item.expr).sql} ${item.descending ? "DESC" : "ASC"} NULLS ${item.nulls.toUpperCase()}`).join(", ");
