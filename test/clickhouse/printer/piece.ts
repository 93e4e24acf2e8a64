import type { Literal } from "../../../lib/hogql/ast.ts";
import type { PropertyOwner } from "../../../lib/hogql/options.ts";

/** What is known of an expression's type without asking ClickHouse: enough to choose among the forms of a conversion. */
export type Kind = "text" | "number" | "time" | "date" | "null" | "other";

/** An expression in ClickHouse's SQL. */
export interface Piece {
  readonly sql: string;
  readonly kind: Kind;
  readonly known?: Literal;
  /** It is JSON text: what stands behind it reads a property. */
  readonly json?: Json;
}

/** Where a property lies: the column with the JSON text, whose it is, and the keys so far. */
export interface Json {
  readonly column: string;
  readonly owner: PropertyOwner | null;
  readonly path: readonly (string | number)[];
}

export const piece = (sql: string, kind: Kind = "other"): Piece => ({ sql, kind });

export const text = (value: string): string =>
  `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}'`;

export const name = (value: string): string => `\`${value.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;

export const literal = (value: Literal): Piece => {
  if (value === null) return { sql: "NULL", kind: "null", known: null };
  if (typeof value === "string") return { sql: text(value), kind: "text", known: value };
  return { sql: String(value), kind: typeof value === "number" ? "number" : "other", known: value };
};
