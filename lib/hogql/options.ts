import type { EarnedProperty } from "../event/earned-properties.ts";
import type { Expr, Select } from "./ast.ts";
import type { RowList } from "./row-list.ts";
import type { Type } from "./types.ts";

export type PropertyType = "String" | "Numeric" | "Boolean" | "DateTime";
/** Whose property it is; groups by slot. */
export type PropertyOwner = "event" | "person" | "group_0" | "group_1" | "group_2" | "group_3" | "group_4";

/** The values of `{filters}`, `{filters.dateRange.from}` and `{filters.dateRange.to}`, over the table of the query they are in. */
export interface FilterExpressions {
  readonly condition: Expr;
  /** The same in a query over the table of sessions. */
  readonly ofSessions: Expr;
  /** NULL when there is no such bound. */
  readonly from: Expr | null;
  readonly to: Expr | null;
}

/** What merging and splitting issues did after events were stored, each list with the columns `source` and `target`. */
export interface MovedIssues {
  /** Fingerprints, and the issues that they lead to now. */
  readonly fingerprints: RowList;
  /** Issues that were merged, and those that they lead to now: for events whose fingerprints are not listed. */
  readonly issues: RowList;
}

/** A table that was written from a query, under the names of its columns, of which the file's c1, c2, … are the first, second, …. */
export interface StoredTable {
  readonly key: string;
  readonly bytes: number;
  readonly columns: readonly StoredColumn[];
  /** Its parts are put together before anything else is made of them. */
  readonly isWhole?: true;
  /** The query whose rows are the table's, where the file holds what they are made of. The name of the file is one of the tables, too. */
  readonly rows?: Select;
}

export interface StoredColumn {
  readonly name: string;
  readonly type: Type;
  readonly nullable: boolean;
  /** Its name where another query reads the table. */
  readonly shown?: string;
  /** It holds parts, which are put together by this for equal values of the columns that hold none. */
  readonly parts?: "sum" | "min" | "max";
}

/** The project, moment and values that a query is lowered for. */
export interface LowerOptions {
  readonly project: number;
  /** IANA name. */
  readonly timezone: string;
  /** Milliseconds since 1970: what `now()` is. */
  readonly now: number;
  /** By code_name: a value for every variable the query uses. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The stored query's `values`: what `{name}` stands for. */
  readonly values?: Readonly<Record<string, unknown>> | null;
  /** The value of `{filters}`: when absent, true. */
  readonly filters?: FilterExpressions;
  readonly propertyType?: (owner: PropertyOwner, name: string) => PropertyType | undefined;
  /** Whether files may have a column for a property; asked for each that the query reads and that files of every project have none for. */
  readonly hasEarned?: (property: EarnedProperty) => boolean;
  /** What became of the issues that stored events name. */
  readonly moved?: MovedIssues;
  /** The project's issues, with the columns of their table but for when each was last seen. */
  readonly issues?: RowList;
  /** Names of the group types, by slot. */
  readonly groupTypes?: readonly string[];
  /** Tables of the project that were written from queries, by name. */
  readonly tables?: ReadonlyMap<string, StoredTable>;
  readonly page: { readonly limit: number; readonly offset: number } | null;
  /** Most rows that a run may return, and how many it does when the text has no LIMIT. */
  readonly maxRows?: number;
  readonly defaultRows?: number;
  /** Where neither a page nor the text says how many rows: one row more than the default, which shows that there are more. */
  readonly seesMore?: true;
  /** The query is only checked: its variables have no values yet. */
  readonly checking?: true;
}

/** Most values of a list that is passed in, those of lists within it counted: each is a parameter. */
export const MAX_LIST = 10_000;

/** How many items the lists of a JSON value have, one within the other. */
export const countItems = (value: unknown): number =>
  Array.isArray(value) ? value.reduce<number>((sum, item) => sum + countItems(item), value.length) : 0;
