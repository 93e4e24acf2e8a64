import type { Expression } from "../analysis/expression.ts";
import { type Sql, sql } from "../sql/fragment.ts";

/**
 * Whether a value can be NaN, as `0 / 0` is. To DuckDB that is the greatest number and equal to itself; to the language it is neither
 * greater nor less than anything, and equal to nothing. A number as it was sent never is.
 */
export const mayBeNan = ({ type, known, written }: Expression): boolean =>
  type.kind === "float" && written === undefined && (known === undefined || Number.isNaN(known));

/** The condition, false where the value is NaN. */
export const unlessNan = (condition: Sql, value: Expression): Sql =>
  mayBeNan(value) ? sql`(${condition} AND NOT isnan(${value.tree}))` : condition;

/** The value, NULL where it is NaN: for what passes over both. */
export const nanAsNull = (value: Expression): Expression =>
  mayBeNan(value) ? { ...value, tree: sql`CASE WHEN NOT isnan(${value.tree}) THEN ${value.tree} END` } : value;
