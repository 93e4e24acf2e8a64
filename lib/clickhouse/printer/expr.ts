import { unreachable } from "../../core/unreachable.ts";
import type { ArithmeticOp, Cast, Compare, Expr, FrameBound, OrderItem, Window, WindowCall } from "../../hogql/ast.ts";
import { expressionLabel } from "../../hogql/text.ts";
import { isStar, propertyChain } from "../../hogql/walk.ts";
import { call } from "./call.ts";
import { compare, differs, type Mode } from "./compare.ts";
import { castTo } from "./conversions.ts";
import { asTime } from "./fit.ts";
import { type Kind, literal, type Piece, piece } from "./piece.ts";
import { placeholder } from "./placeholder.ts";
import { property } from "./property.ts";
import { fieldPiece, type NamedQuery, type Scope } from "./scope.ts";
import { wholeQuery } from "./select.ts";
import type { Statement } from "./statement.ts";
import { Unprintable } from "./unprintable.ts";

const ARITHMETIC: Readonly<Record<ArithmeticOp, string>> = {
  "+": "plus",
  "-": "minus",
  "*": "multiply",
  "/": "divide",
  "%": "moduloOrNull",
};

/** Longest SQL of one expression, in characters: what stands in it twice would otherwise double again and again. */
const MAX_LENGTH = 1_000_000;

/** An expression of the language as ClickHouse's SQL. */
export const expr = (scope: Scope, node: Expr, mode: Mode = "value"): Piece => {
  const printed = unlimited(scope, node, mode);
  if (printed.sql.length > MAX_LENGTH) throw new Unprintable("an expression that is too long");
  return printed;
};

const unlimited = (scope: Scope, node: Expr, mode: Mode): Piece => {
  const { statement } = scope;
  const inner = (item: Expr): string => expr(scope, item).sql;
  const list = (items: readonly Expr[]): string => items.map(inner).join(", ");
  switch (node.kind) {
    case "constant":
      return literal(statement, node.value);
    case "numeric-literal":
      return number(node.text);
    case "field":
      return fieldPiece(scope, node, (named) => namedValue(scope, named));
    case "call":
      return call(scope, node);
    case "window":
      return windowCall(scope, node);
    case "lambda": {
      const within = { ...scope, lambda: new Set([...scope.lambda, ...node.args]) };
      return piece(`(${node.args.map(statement.name).join(", ")}) -> ${expr(within, node.body).sql}`);
    }
    case "array":
      return texts(scope, node.items) ?? piece(`[${list(node.items)}]`);
    case "tuple":
      return piece(`tuple(${list(node.items)})`);
    case "and":
    case "or": {
      const items = node.items.map((item) => expr(scope, item, mode).sql);
      return piece(items.length === 1 ? items.join() : `${node.kind}(${items.join(", ")})`);
    }
    case "not":
      return piece(`not(${inner(node.item)})`);
    case "dict":
      return piece(`map(${list(node.items.flat())})`);
    case "element":
    case "tuple-element":
      return element(scope, node);
    case "compare":
      return compared(scope, node, mode);
    case "arithmetic":
      return arithmetic(statement, expr(scope, node.left), node.op, expr(scope, node.right));
    case "between": {
      const [item, low, high] = [expr(scope, node.item), expr(scope, node.low), expr(scope, node.high)];
      const own = node.negated ? "value" : mode;
      const both = `and(${compare(scope.statement, ">=", item, low, own)}, ${compare(scope.statement, "<=", item, high, own)})`;
      return piece(node.negated ? `not(${both})` : both);
    }
    case "distinct-from":
      return piece(differs(expr(scope, node.left), expr(scope, node.right), node.negated));
    case "cast":
      return cast(scope, node);
    case "alias": {
      const alias = scope.aliases.get(node.name);
      if (alias?.item !== node.item) return expr(scope, node.item);
      const printed = alias.piece();
      return { ...printed, sql: `(${printed.sql} AS ${statement.name(node.name)})` };
    }
    case "placeholder":
      return placeholder(scope, node);
    case "positional":
      return atPosition(scope, node.index);
    case "select":
    case "set":
      return piece(`(${wholeQuery(statement, scope.ctes, node).sql()})`);
    case "columns":
      throw new Unprintable("COLUMNS stands only in the list of a SELECT");
    default:
      return unreachable(node);
  }
};

/** An expression as a condition, in which a NULL is as good as false. */
export const condition = (scope: Scope, node: Expr): string => expr(scope, node, "condition").sql;

/** The item of the SELECT at a position, from 1. */
export const atPosition = (scope: Scope, index: number): Piece => {
  if (scope.columns.slice(0, index).some(isStar)) throw new Unprintable("a position behind a *");
  const item = scope.columns[index - 1];
  if (item === undefined) throw new Unprintable(`there is no column ${index}`);
  if (item.kind !== "alias") return expr(scope, item);
  return expr(scope, { kind: "field", chain: [item.name] });
};

const number = (text: string): Piece => {
  if (!/^-?(\d+(\.\d*)?(e[+-]?\d+)?|inf|nan|infinity)$/i.test(text)) throw new Unprintable("a number of another form");
  return piece(text, "number");
};

/** A value that WITH has named, as it reads here: in terms of what was named before it, and of the columns here. */
const namedValue = (scope: Scope, { cte, before }: NamedQuery): Piece => expr({ ...scope, ctes: before, lambda: new Set() }, cte.query);

/** From this many texts on, a list of them is one parameter. */
const MANY = 1;

const texts = ({ statement }: Scope, items: readonly Expr[]): Piece | undefined => {
  const known = items.flatMap((item) => (item.kind === "constant" && typeof item.value === "string" ? [item.value] : []));
  return known.length === items.length && known.length >= MANY ? { sql: statement.texts(known), kind: "other", texts: known } : undefined;
};

const element = (scope: Scope, node: Extract<Expr, { kind: "element" | "tuple-element" }>): Piece => {
  const chain = propertyChain(node);
  if (chain !== null) return expr(scope, { kind: "field", chain });
  const of = expr(scope, node.of);
  if (node.kind === "tuple-element") return piece(`tupleElement(${of.sql}, ${node.index})`);
  const key = node.index.kind === "constant" ? node.index.value : null;
  if (of.json !== undefined && typeof key === "string") return property(scope.statement, { ...of.json, path: [...of.json.path, key] });
  return piece(`arrayElement(${of.sql}, ${expr(scope, node.index).sql})`);
};

/** What a time and a number, or two numbers, make. */
const arithmetic = (statement: Statement, a: Piece, op: ArithmeticOp, b: Piece): Piece => {
  const left = a.kind === "text" && b.kind === "interval" ? asTime(statement, a) : a;
  const right = b.kind === "text" && a.kind === "interval" ? asTime(statement, b) : b;
  const time = [left, right].find((side) => side.kind === "time" || side.kind === "date");
  const kind: Kind = time === undefined ? "number" : left.kind === right.kind ? "number" : time.kind;
  // Seconds with a fraction are a decimal there, which divides with as few digits as it has.
  if (left.kind === "time" && right.kind === "time") return piece(`toFloat64(${ARITHMETIC[op]}(${left.sql}, ${right.sql}))`, kind);
  return piece(`${ARITHMETIC[op]}(${left.sql}, ${right.sql})`, kind);
};

const compared = (scope: Scope, node: Compare, mode: Mode): Piece => {
  const left = expr(scope, node.left);
  const { right } = node;
  if (node.op === "in" || node.op === "not in") return piece(compare(scope.statement, node.op, left, listed(scope, right), mode));
  return piece(compare(scope.statement, node.op, left, expr(scope, right), mode));
};

/** The right side of IN: a list, a query, or the name of one. */
const listed = (scope: Scope, node: Expr): Piece => {
  const named = node.kind === "field" && node.chain.length === 1 ? scope.ctes.get(String(node.chain[0])) : undefined;
  if (named?.cte.scalar === false) {
    const { name, printed } = named.table();
    for (const column of printed.columns) column.use();
    return piece(`(SELECT ${printed.columns.map(({ as }) => as).join(", ")} FROM ${name})`);
  }
  if (named !== undefined) return listed({ ...scope, ctes: named.before }, named.cte.query);
  if (node.kind === "tuple") return texts(scope, node.items) ?? piece(`(${node.items.map((item) => expr(scope, item).sql).join(", ")})`);
  const value = expr(scope, node);
  if (value.known === undefined) return value;
  return { ...value, sql: `(${value.sql})`, ...(typeof value.known === "string" ? { texts: [value.known] } : {}) };
};

const cast = (scope: Scope, node: Cast): Piece => {
  const type = node.args.length === 0 ? node.to : `${node.to}(${node.args.map(typeParameter).join(", ")})`;
  return castTo(scope.statement, expr(scope, node.item), type, node.soft ? "accurate" : "strict");
};

/** A parameter of a type: a number, a zone in quotes, or a type in turn, which the parser takes for a name or call. */
const typeParameter = (node: Expr): string =>
  node.kind === "call" ? `${node.name}(${node.args.map(typeParameter).join(", ")})` : expressionLabel(node);

const windowCall = (scope: Scope, node: WindowCall): Piece => {
  const { name: called, args, params, over } = node;
  if (called === "lag" || called === "lead") return neighbour(scope, node);
  const behind = ` OVER ${typeof over === "string" ? scope.statement.name(over) : `(${window(scope, over)})`}`;
  return call(scope, { kind: "call", name: called, args, ...(params === undefined ? {} : { params }) }, behind);
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
