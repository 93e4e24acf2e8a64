import type { Expression } from "../../analysis/expression.ts";
import type { Member } from "../../schema/relation.ts";

/** A column of a query: its name, and what stands behind it inside of that query. */
export interface DraftColumn {
  readonly name: string;
  member(): Member;
}

/** A query, lowered except for its list of columns: those may still be asked for by the query around it. */
export interface Draft {
  readonly columns: readonly DraftColumn[];
  /** Every column is in the list, in order; none can be added. */
  readonly closed: boolean;
  /** Rows that fail a condition on this column may be left out at the scans below. */
  passes(expression: Expression): boolean;
  /** Puts an expression in the list; the name it has there. */
  output(expression: Expression): string;
  print(rows?: RowWindow): string;
}

/** The part of a query's rows that is wanted: text after LIMIT and OFFSET. */
export interface RowWindow {
  readonly limit: string;
  readonly offset: string | null;
}
