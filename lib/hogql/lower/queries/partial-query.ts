import type { Expression } from "../../analysis/expression.ts";
import type { PartialEventScan } from "../../analysis/scans.ts";
import type { Member } from "../../schema/relation.ts";
import { type Sql, separated, sql } from "../../sql/fragment.ts";

/** A column of a query: its name, and what stands behind it inside of that query. */
export interface PartialQueryColumn {
  readonly name: string;
  member(): Member;
}

/** A query, lowered except for its list of columns: those may still be asked for by the query around it. */
export interface PartialQuery {
  readonly columns: readonly PartialQueryColumn[];
  /** Every column is in the list, in order; none can be added. */
  readonly closed: boolean;
  /** The scan of events whose rows, as they are or fewer of them, are the query's, in the order of their times. */
  readonly inTimeOf?: PartialEventScan | undefined;
  /** Rows that fail a condition on this column may be left out at the scans below. */
  passes(expression: Expression): boolean;
  /** Puts an expression in the list; the name it has there. */
  output(expression: Expression): string;
  print(rows?: RowWindow): PrintedParts;
}

/** A printed query in two parts: what stands behind WITH, and the query itself. */
export interface PrintedParts {
  /** `name AS MATERIALIZED (…)`, of the queries that are computed once. */
  readonly shared: readonly Sql[];
  readonly body: Sql;
}

/** The part of a query's rows that is wanted: what stands after LIMIT and OFFSET. */
export interface RowWindow {
  readonly limit: Sql;
  readonly offset: Sql | null;
}

/** A query with its WITH, as it stands inside of others. */
export const withShared = ({ shared, body }: PrintedParts): Sql => (shared.length === 0 ? body : sql`WITH ${separated(shared)} ${body}`);
