import type { Sql } from "../sql/fragment.ts";
import type { Type } from "../types.ts";
import type { EventBounds } from "./scans.ts";

/** A value known before the query runs. Dates are days, timestamps microseconds, both since 1970 and as bigint. */
export type ConstantValue = string | number | bigint | boolean | null;

/** An expression of the language, lowered: its SQL as a tree, and what we know of its value. */
export interface Expression {
  readonly tree: Sql;
  readonly type: Type;
  readonly nullable: boolean;
  /** Absent when the value depends on rows. */
  readonly known?: ConstantValue;
  /** A column that is read outside of any aggregate, by the name its author used; absent when there is none. */
  readonly ungroupedColumn?: string;
  /** The text that a float was read from: whole numbers may have more digits there. */
  readonly written?: Sql;
  /** The digits of a literal that is no value known here, being longer than the language's integers. */
  readonly digits?: string;
  /** Holds an aggregate, or a window function. */
  readonly aggregate?: true;
  readonly window?: true;
  /** The value is the event's timestamp, name or distinct_id of a scan; see `Origin`. */
  readonly origin?: Origin;
  /** Facts about the rows of scans wherever this condition is true. */
  readonly facts?: readonly Fact[];
  /** The facts say all of this condition: it is true of exactly the rows they hold of. */
  readonly exact?: true;
  /** Whether a column has one of a few values: see `askedOfScan`. */
  readonly isFew?: true;
  /** The conditions that this one joins by AND. */
  readonly conjuncts?: readonly Expression[];
  /** Set on the elements of a tuple or array written out, so that IN can look at each. */
  readonly items?: readonly Expression[];
}

/** For `timestamp`, the value lies at most `below` microseconds below the row's time, and never above it. */
export interface Origin {
  readonly bounds: EventBounds;
  readonly column: "timestamp" | "event" | "distinct_id";
  readonly below: bigint;
}

/** Microseconds: `from` inclusive, `to` exclusive. */
export interface Fact {
  readonly bounds: EventBounds;
  readonly from?: bigint;
  readonly to?: bigint;
  readonly events?: readonly string[];
  readonly distinctIds?: readonly string[];
}

/** Flags of an expression that was made from others. */
export const flags = (parts: readonly Expression[]): Pick<Expression, "ungroupedColumn" | "aggregate" | "window"> => {
  const ungroupedColumn = parts.find((part) => part.ungroupedColumn !== undefined)?.ungroupedColumn;
  return {
    ...(ungroupedColumn === undefined ? {} : { ungroupedColumn }),
    ...(parts.some((part) => part.aggregate) ? { aggregate: true } : {}),
    ...(parts.some((part) => part.window) ? { window: true } : {}),
  };
};

/** The trees of expressions, in their order. */
export const sqlTrees = (parts: readonly Expression[]): readonly Sql[] => parts.map(({ tree }) => tree);

/** An expression made from others: NULL when any of them is, unless said otherwise. */
export const derive = (
  tree: Sql,
  type: Type,
  parts: readonly Expression[],
  nullable = parts.some((part) => part.nullable),
): Expression => ({
  tree,
  type,
  nullable,
  ...flags(parts),
});
