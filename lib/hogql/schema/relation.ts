import type { EventColumn } from "../../event/event.ts";
import type { Expression } from "../analysis/expression.ts";
import type { PartialEventScan } from "../analysis/scans.ts";
import type { JsonStep } from "../json-path.ts";
import type { Sql } from "../sql/fragment.ts";

/** The rest of a chain after a name, such as `person.properties.email`. */
export type Member =
  | { readonly kind: "value"; readonly expression: Expression }
  | { readonly kind: "properties"; whole(): Expression; property(path: readonly JsonStep[]): Expression }
  | { readonly kind: "relation"; readonly relation: Relation };

/** A table, subquery or CTE as it stands in FROM. */
export interface Relation {
  /** The author's name for it; null when it has none. */
  readonly name: string | null;
  readonly described: string;
  member(name: string): Member | undefined;
  /** Columns of `SELECT *`. */
  readonly star: readonly string[];
  /** All names of members, for suggestions. */
  names(): Iterable<string>;
  /** Set on a table of events: its scan. */
  readonly scanned?: PartialEventScan;
  /** Whether it joins others by itself; like `from`, asked for once everything that names columns is lowered. */
  joins(): boolean;
  /** The SQL after FROM or JOIN. */
  from(): Sql;
}

/** The table an event is joined from, and a place to put the join. */
export interface JoinBase {
  readonly draft: PartialEventScan;
  readonly column: (physical: EventColumn) => Sql;
  /** The join, asked for once everything that names columns is lowered. */
  readonly join: (join: () => Sql) => void;
}
