import type { HotType } from "../../event/hot-properties.ts";
import type { Literal } from "../../hogql/ast.ts";
import type { PropertyOwner } from "../../hogql/options.ts";
import type { Statement } from "./statement.ts";

/** What is known of an expression's type without asking ClickHouse: enough to choose among the forms of a conversion. */
export type Kind = "text" | "number" | "time" | "date" | "interval" | "uuid" | "null" | "other";

/** An expression in ClickHouse's SQL. */
export interface Piece {
  readonly sql: string;
  readonly kind: Kind;
  readonly known?: Literal;
  /** It is a list of these texts. */
  readonly texts?: readonly string[];
  /** It is JSON text: what stands behind it reads a property. */
  readonly json?: Json;
}

export type JsonPath = readonly (string | number)[];

/** Where properties lie: whose they are, and how one of them is read. */
export interface Json {
  /** Several owners in one table share a type when they agree on it. */
  readonly owners: readonly PropertyOwner[];
  readonly path: JsonPath;
  /** SQL of the JSON text. */
  readonly column: () => string;
  /** SQL of the same as ClickHouse reads it: see `readableJson`. */
  readonly document: () => string;
  /** The column of its own that a property has, if any. */
  readonly hot?: (property: string) => HotColumn | undefined;
  /** SQL of the column that a property has earned, if any. */
  readonly earned?: (property: string, type: HotType) => string | undefined;
  /** Only text columns are earned: numbers are read from their texts. */
  readonly earnsTextOnly?: true;
}

/** A text holds exactly what access to the property yields; a number is NULL where the value is none. */
export interface HotColumn {
  readonly type: "text" | "number";
  readonly sql: () => string;
}

export const piece = (sql: string, kind: Kind = "other"): Piece => ({ sql, kind });

export const literal = (statement: Pick<Statement, "text">, value: Literal): Piece => {
  if (value === null) return { sql: "NULL", kind: "null", known: null };
  if (typeof value === "string") return { sql: statement.text(value), kind: "text", known: value };
  return { sql: String(value), kind: typeof value === "number" ? "number" : "other", known: value };
};
