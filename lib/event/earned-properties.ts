import { createHash } from "node:crypto";
import type { HotType } from "./hot-properties.ts";

/** A property of events that a project's queries name, as they read it: as text, or as a number. */
export interface EarnedProperty {
  readonly property: string;
  readonly type: HotType;
}

/**
 * An earned property with its column, which a file has or has not. A text column holds what access to the property yields, and a number
 * column that text as a double: NULL where it is none.
 */
export interface EarnedColumn extends EarnedProperty {
  readonly column: string;
}

/** Hexadecimal digits of a property's digest in the name of its column: two of one project never share one. */
const DIGITS = 24;

/** The column of an earned property. Its name is ours: what a tenant wrote names nothing in a file. */
export const earnedColumn = ({ property, type }: EarnedProperty): EarnedColumn => {
  const digest = createHash("sha256").update(property).digest("hex").slice(0, DIGITS);
  return { property, type, column: `earned_${type}_${digest}` };
};
