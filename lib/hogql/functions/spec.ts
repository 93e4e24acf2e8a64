import type { LoweringContext } from "../analysis/context.ts";
import { type ConstantValue, derive, type Expression, sqlTrees } from "../analysis/expression.ts";
import type { Call, Expr, Window } from "../ast.ts";
import type { Mode } from "../operators/compare.ts";
import type { Sql } from "../sql/fragment.ts";
import type { Type } from "../types.ts";
import type { Take } from "./take.ts";

/** The names of a function, as users write them. */
interface FunctionName {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Found whatever the case of its letters, as in ClickHouse. */
  readonly anyCase?: true;
}

interface Signature {
  /** The kind of each argument; the last one repeats with `rest`. */
  readonly takes: readonly Take[];
  /** How many of the last arguments may be left out. */
  readonly optional?: number;
  readonly rest?: true;
}

/** A function of values: SQL made from that of its arguments. */
export interface Scalar extends FunctionName, Signature {
  readonly kind: "scalar";
  readonly lower: (args: readonly Expression[], context: LoweringContext) => Expression;
}

/** Values per row over a window only. */
export interface WindowFunction extends FunctionName, Signature {
  readonly kind: "window";
  readonly lower: (call: AggregateCall) => Expression;
}

export interface Aggregate extends FunctionName, Signature {
  readonly kind: "aggregate";
  /** How many parameters stand in the first pair of parentheses: least and most. */
  readonly params?: readonly [number, number];
  readonly lower: (call: AggregateCall) => Expression;
}

/** A call of an aggregate as its entry sees it. */
export interface AggregateCall {
  readonly context: LoweringContext;
  readonly args: readonly Expression[];
  readonly params: readonly ConstantValue[];
  readonly distinct: boolean;
  /** ` ORDER BY …` to put inside the call, or nothing. */
  readonly order: Sql;
  /** Set on a call with OVER: its frame, if the query names one, and whether its rows are in an order. */
  readonly window?: { readonly frame: Window["frame"]; readonly ordered: boolean };
  /** The call with FILTER and OVER as the query asks for them; `where` is a condition of its own on the rows. */
  readonly over: (body: Sql, where?: Sql) => Sql;
  /** Set where only some rows count: which, and the call over all rows, for what DuckDB gives no FILTER. */
  readonly some?: { readonly where: Sql; readonly overAll: (body: Sql) => Sql };
}

/** A function that looks at how its arguments are written: lambdas, conditions, subqueries. */
export interface Special extends FunctionName {
  readonly kind: "special";
  readonly arity: readonly [number, number];
  readonly lower: (call: Call, scope: CallScope) => Expression;
}

/** The place of a call as a special function sees it. */
export interface CallScope {
  readonly context: LoweringContext;
  /** How the call's own value is used. */
  readonly mode: Mode;
  expr(node: Expr, mode?: Mode): Expression;
  /** A condition in which NULL counts as false. */
  condition(node: Expr): Expression;
  /** The body of a lambda with its arguments bound to SQL. */
  lambda(names: readonly string[], args: readonly Expression[], body: Expr): Expression;
  /** A column that holds one element of the array per row; the row is repeated for each. */
  arrayJoin(array: Expression): Expression;
  /** A condition that two values are equal. */
  equal(left: Expression, right: Expression): Expression;
  subquery(node: Expr): { readonly tree: Sql; readonly columns: readonly { readonly expression: Expression }[] };
}

/** Exists upstream and cannot here; the sentence says what to write instead. */
export interface Unsupported extends FunctionName {
  readonly kind: "unsupported";
  readonly instead: string;
}

export type FunctionSpec = Scalar | Aggregate | WindowFunction | Special | Unsupported;

type Nulls = "strict" | "always" | "never";

interface Body extends FunctionName, Signature {
  readonly type: Type | ((args: readonly Expression[]) => Type);
  /** `strict` (the default): NULL when an argument is. */
  readonly nulls?: Nulls;
  /** As many arguments as `takes` says; those that are optional may be absent. */
  readonly sql: (...args: readonly Sql[]) => Sql;
}

/** A scalar function that is only a text with holes. */
export const scalar = ({ type, nulls = "strict", sql, ...rest }: Body): Scalar => ({
  kind: "scalar",
  ...rest,
  lower: (args) => {
    const result = typeof type === "function" ? type(args) : type;
    const nullable = nulls === "always" || (nulls === "strict" && args.some((arg) => arg.nullable));
    return derive(sql(...sqlTrees(args)), result, args, nullable);
  },
});
