import { createHash } from "node:crypto";
import type { HotType } from "./hot-properties.ts";

/** Persons and groups, whose properties earn columns beside those of events. */
export type StateOwner = "person" | "group";

/** A property that a project's queries name, as they read it: as text, or as a number. */
export interface EarnedProperty {
  /** Absent for a property of events. */
  readonly owner?: StateOwner;
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

/**
 * The column of an earned property in the files of its owner. Its name is ours: what a tenant wrote names nothing in a file.
 */
export const earnedColumn = ({ property, type }: EarnedProperty): EarnedColumn => {
  const digest = createHash("sha256").update(property).digest("hex").slice(0, DIGITS);
  return { property, type, column: `earned_${type}_${digest}` };
};

/** What access to a property yields of its value in a document, as the engine reads it: null for one that is missing, null or empty. */
export const earnedText = (value: unknown): string | null => {
  if (value === undefined || value === null || value === "") return null;
  return typeof value === "string" ? value : asEngineWrites(JSON.stringify(value));
};

/** JSON with exponents that have no plus and escapes in capitals, which the engine makes of what it takes out of a document. */
const asEngineWrites = (json: string): string =>
  json.includes("e+") || json.includes("\\u")
    ? json.replaceAll(STRING_OR_PLUS, (found) => (found === "e+" ? "e" : inCapitals(found)))
    : json;

const STRING_OR_PLUS = /"[^"\\]*(?:\\.[^"\\]*)*"|e\+/g;

const inCapitals = (string: string): string =>
  string.replaceAll(/\\(?:u00([01][0-9a-f])|.)/g, (found, digits: string | undefined) =>
    digits === undefined ? found : `\\u00${digits.toUpperCase()}`,
  );
