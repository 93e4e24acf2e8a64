import { createHash } from "node:crypto";
import { isExactNumber } from "../core/exact-json.ts";
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
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value);
  const json = JSON.stringify(value, (_, inner: unknown) => asEngineWrites(inner));
  return json.includes("\\u00") ? json.replaceAll(ESCAPE, inCapitals) : json;
};

/**
 * A value in a document as the engine writes it again: exponents have no plus, and a number that a double would round is a double unless it is
 * whole or larger than any.
 */
const asEngineWrites = (value: unknown): unknown => {
  if (typeof value === "number") return JSON.rawJSON(numberText(value));
  if (!isExactNumber(value)) return value;
  const number = Number(value.rawJSON);
  if (WHOLE.test(value.rawJSON) || !Number.isFinite(number)) return value;
  return JSON.rawJSON(numberText(number) + (Number.isInteger(number) && Math.abs(number) < FIRST_WITH_EXPONENT ? ".0" : ""));
};

const numberText = (number: number): string => (Object.is(number, -0) ? "-0" : String(number).replace("+", ""));

const WHOLE = /^-?\d+$/;

/** From here on a number is written with an exponent. */
const FIRST_WITH_EXPONENT = 1e21;

/** Escapes of JSON, of which those of control characters have digits. */
const ESCAPE = /\\(?:u00([01][0-9a-f])|.)/g;

const inCapitals = (escaped: string, digits: string | undefined): string =>
  digits === undefined ? escaped : `\\u00${digits.toUpperCase()}`;
