import type { StoredQuery } from "../../../lib/endpoints/definition.ts";
import type { Ast, Expr } from "../../../lib/hogql/ast.ts";
import type { CheckOptions } from "../../../lib/hogql/lower.ts";
import type { PropertyType } from "../../../lib/lake/property-types/property-kinds.ts";

/** A query that may be stored: its normalised form, its tree for the runs, and the columns it returns. */
export interface AcceptedQuery {
  readonly query: StoredQuery;
  readonly ast: Uint8Array;
  readonly columns: { readonly name: string; readonly type: string }[];
  /** Of the properties that it names. */
  readonly property_types: Record<string, PropertyType>;
}

/** What a query is checked against: its project's time zone, group types and property types, and the moment in milliseconds. */
export interface AcceptContext {
  readonly project: number;
  readonly now: number;
  readonly timezone: string;
  /** Makes of the project's types what may ask for those that the trees name. */
  readonly typed: <T>(
    trees: readonly (Ast | Expr | null)[],
    make: (types: Pick<CheckOptions, "timezone" | "groupTypes" | "propertyType" | "tables">) => T,
  ) => Promise<{ readonly made: T; readonly property_types: Record<string, PropertyType> }>;
}
