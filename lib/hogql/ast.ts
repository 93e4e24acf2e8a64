import type { Position } from "./errors.ts";
import type { Unit } from "./types.ts";

/** Where a node stands in the text. Under a symbol, so that storing a tree as JSON leaves it out. */
export const AT: unique symbol = Symbol("position");

interface PositionedNode {
  readonly [AT]?: Position;
}

export type Literal = string | number | boolean | null;

export type CompareOp =
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "like"
  | "not like"
  | "ilike"
  | "not ilike"
  | "in"
  | "not in"
  | "=~"
  | "!~"
  | "=~*"
  | "!~*";
export type ArithmeticOp = "+" | "-" | "*" | "/" | "%";

export interface Constant extends PositionedNode {
  readonly kind: "constant";
  readonly value: Literal;
}
/** A number that JSON cannot hold: NaN, an infinity, or an integer beyond 2^53, as text. */
export interface NumericLiteral extends PositionedNode {
  readonly kind: "numeric-literal";
  readonly text: string;
}
export interface Field extends PositionedNode {
  readonly kind: "field";
  readonly chain: readonly (string | number)[];
}
export interface Call extends PositionedNode {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Expr[];
  /** The first pair of parentheses of a parametric call such as `quantile(0.9)(x)`. */
  readonly params?: readonly Expr[];
  readonly distinct?: true;
  readonly filter?: Expr;
  readonly orderBy?: readonly OrderItem[];
}
export interface WindowCall extends PositionedNode {
  readonly kind: "window";
  readonly name: string;
  readonly args: readonly Expr[];
  readonly params?: readonly Expr[];
  readonly over: Window | string;
}
export interface Lambda extends PositionedNode {
  readonly kind: "lambda";
  readonly args: readonly string[];
  readonly body: Expr;
}
export interface Sequence extends PositionedNode {
  readonly kind: "array" | "tuple" | "and" | "or";
  readonly items: readonly Expr[];
}
export interface Not extends PositionedNode {
  readonly kind: "not";
  readonly item: Expr;
}
export interface Dict extends PositionedNode {
  readonly kind: "dict";
  readonly items: readonly (readonly [Expr, Expr])[];
}
export interface Element extends PositionedNode {
  readonly kind: "element";
  readonly of: Expr;
  readonly index: Expr;
}
export interface TupleElement extends PositionedNode {
  readonly kind: "tuple-element";
  readonly of: Expr;
  readonly index: number;
}
export interface Compare extends PositionedNode {
  readonly kind: "compare";
  readonly op: CompareOp;
  readonly left: Expr;
  readonly right: Expr;
}
export interface Arithmetic extends PositionedNode {
  readonly kind: "arithmetic";
  readonly op: ArithmeticOp;
  readonly left: Expr;
  readonly right: Expr;
}
export interface Between extends PositionedNode {
  readonly kind: "between";
  readonly item: Expr;
  readonly low: Expr;
  readonly high: Expr;
  readonly negated: boolean;
}
export interface DistinctFrom extends PositionedNode {
  readonly kind: "distinct-from";
  readonly left: Expr;
  readonly right: Expr;
  readonly negated: boolean;
}
export interface Cast extends PositionedNode {
  readonly kind: "cast";
  readonly item: Expr;
  /** Lower case. */
  readonly to: string;
  readonly args: readonly Expr[];
  /** `TRY_CAST`: what does not fit becomes NULL. */
  readonly soft: boolean;
}
export interface Alias extends PositionedNode {
  readonly kind: "alias";
  readonly name: string;
  readonly item: Expr;
}
export interface Placeholder extends PositionedNode {
  readonly kind: "placeholder";
  readonly chain: readonly string[];
}
/** `* EXCLUDE (a)` and `COLUMNS('regex')`; a plain star is a field. */
export interface Columns extends PositionedNode {
  readonly kind: "columns";
  readonly exclude: readonly string[];
  readonly regex: string | null;
}
export interface Positional extends PositionedNode {
  readonly kind: "positional";
  readonly index: number;
}

export type Expr =
  | Constant
  | NumericLiteral
  | Field
  | Call
  | WindowCall
  | Lambda
  | Sequence
  | Not
  | Dict
  | Element
  | TupleElement
  | Compare
  | Arithmetic
  | Between
  | DistinctFrom
  | Cast
  | Alias
  | Placeholder
  | Columns
  | Positional
  | Select
  | SetQuery;

export interface OrderItem {
  readonly expr: Expr;
  readonly descending: boolean;
  readonly nulls: "first" | "last";
}

export interface FrameBound {
  readonly kind: "current" | "preceding" | "following";
  /** null: unbounded. */
  readonly rows: number | null;
  /** Of a range in time, such as `INTERVAL 1 DAY PRECEDING`. */
  readonly unit?: Unit;
}

export interface Window {
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly OrderItem[];
  readonly frame?: { readonly unit: "rows" | "range"; readonly start: FrameBound; readonly end: FrameBound | null };
}

export interface Cte {
  readonly name: string;
  readonly query: Expr;
  /** `WITH 5 AS b` names a value, `WITH a AS (SELECT …)` a table. */
  readonly scalar: boolean;
  readonly columns: readonly string[] | null;
  /** It is computed once, however often it is named; without it, it is put in where it is named. Only code asks for it. */
  readonly once?: true;
}

export const JOINS = [
  "JOIN",
  "INNER JOIN",
  "LEFT JOIN",
  "LEFT OUTER JOIN",
  "RIGHT JOIN",
  "RIGHT OUTER JOIN",
  "FULL JOIN",
  "FULL OUTER JOIN",
  "CROSS JOIN",
  "ASOF JOIN",
  "ASOF INNER JOIN",
  "ASOF LEFT JOIN",
  "LEFT ASOF JOIN",
  "LEFT SEMI JOIN",
  "LEFT ANTI JOIN",
] as const;
export type JoinKind = (typeof JOINS)[number];

export interface TableSource extends PositionedNode {
  /** A table or CTE by name, with the arguments of a table function, or a query. */
  readonly table: { readonly kind: "name"; readonly chain: readonly string[]; readonly args: readonly Expr[] | null } | Select | SetQuery;
  readonly alias: string | null;
  readonly columnAliases: readonly string[] | null;
  /** SAMPLE as a fraction between 0 and 1. */
  readonly sample: number | null;
}

export interface Join extends TableSource {
  readonly join: JoinKind;
  readonly on: Expr | null;
  readonly using: readonly string[] | null;
}

export interface ArrayJoin {
  readonly left: boolean;
  readonly items: readonly Alias[];
}

export interface Select extends PositionedNode {
  readonly kind: "select";
  readonly ctes: readonly Cte[];
  readonly distinct: boolean;
  readonly columns: readonly Expr[];
  readonly from: TableSource | null;
  readonly joins: readonly Join[];
  readonly arrayJoin: ArrayJoin | null;
  readonly prewhere: Expr | null;
  readonly where: Expr | null;
  /** `all`: GROUP BY ALL. */
  readonly groupBy: readonly Expr[] | "all" | null;
  /** `GROUP BY ROLLUP(…)` and `CUBE(…)`: rows of totals beside those of the groups. */
  readonly subtotals?: "rollup" | "cube";
  readonly having: Expr | null;
  readonly qualify: Expr | null;
  readonly windows: Readonly<Record<string, Window>>;
  readonly orderBy: readonly OrderItem[];
  readonly limitBy: { readonly n: Expr; readonly offset: Expr | null; readonly by: readonly Expr[] } | null;
  readonly limit: Expr | null;
  readonly offset: Expr | null;
}

export const SET_OPERATORS = [
  "UNION ALL",
  "UNION DISTINCT",
  "INTERSECT",
  "INTERSECT DISTINCT",
  "INTERSECT ALL",
  "EXCEPT",
  "EXCEPT ALL",
] as const;
export type SetOperator = (typeof SET_OPERATORS)[number];

export interface SetQuery extends PositionedNode {
  readonly kind: "set";
  readonly first: Select | SetQuery;
  readonly rest: readonly { readonly operator: SetOperator; readonly query: Select | SetQuery }[];
  readonly limit: Expr | null;
  readonly offset: Expr | null;
}

/** A whole query, as it is stored with its version. */
export type Ast = Select | SetQuery;
