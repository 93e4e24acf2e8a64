import type { ExactNumber } from "../core/exact-json.ts";
import type { Ast, Expr } from "../hogql/ast.ts";

/** What an insight is planned for. */
export interface InsightContext {
  /** Milliseconds since 1970: what relative dates count from. */
  readonly now: number;
  /** IANA name: days and hours of the result are those of this zone. */
  readonly timezone: string;
  /** First day of a week: 0 is Sunday, 1 is Monday. */
  readonly weekStart: 0 | 1;
  /** Most values of a breakdown that have rows of their own; the rest go to one row of others. */
  readonly breakdownLimit: number;
  /** Values by breakdown property that events are narrowed to; an empty text is an event without the property. */
  readonly breakdownValues: Readonly<Record<string, string>>;
  /** The tree of an expression that stands in the insight as text; it was parsed when the insight was saved. */
  readonly expression: (text: string) => Expr;
}

/** A value of a query's row, as the engine returns it. */
export type PlanCell = string | number | ExactNumber | boolean | null | readonly PlanCell[] | { readonly [name: string]: PlanCell };

/** An insight as queries, which run over one state of the lake, and what makes its rows of theirs. */
export interface InsightPlan {
  readonly queries: readonly Ast[];
  /** The insight's rows in the contract's order, with sentinels as stored, from the rows of each query in order. */
  readonly rows: (results: readonly (readonly (readonly PlanCell[])[])[]) => readonly InsightRow[];
}

/** One row of an insight's `results`. */
export type InsightRow = Readonly<Record<string, unknown>>;

/** Stand for an event without the property, and for all values past the limit, until a reply is written. */
export const NULL_VALUE = "$$_posthog_breakdown_null_$$";
export const OTHER_VALUE = "$$_posthog_breakdown_other_$$";
