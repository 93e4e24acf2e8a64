import type { Expression } from "../analysis/expression.ts";
import type { EventDraft } from "../analysis/scans.ts";
import type { JsonStep } from "../sql/json-path.ts";

/** What stands after a name in a chain such as `person.properties.email`. */
export type Member =
  | { readonly kind: "value"; readonly expression: Expression }
  | { readonly kind: "properties"; whole(): Expression; property(path: readonly JsonStep[]): Expression }
  | { readonly kind: "relation"; readonly relation: Relation };

/** A table, subquery or CTE as it stands in FROM. Naming a column makes the scan below read it. */
export interface Relation {
  /** What the author calls it; null when it has no name. */
  readonly name: string | null;
  readonly described: string;
  member(name: string): Member | undefined;
  /** Columns of `SELECT *`. */
  readonly star: readonly string[];
  /** All names of members, for suggestions. */
  names(): Iterable<string>;
  /** Set on a table of events: its scan, and its name in the text. */
  readonly scanned?: { readonly draft: EventDraft; readonly table: string };
  /** DuckDB text after FROM or JOIN; asked for once everything that names columns is lowered. */
  from(): string;
}
