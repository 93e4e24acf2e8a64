import type { LoweringContext } from "../analysis/context.ts";
import type { Expression } from "../analysis/expression.ts";
import type { Cte, Expr, Select, SetQuery, Window } from "../ast.ts";
import type { Relation } from "../schema/relation.ts";
import type { Identifier, Sql } from "../sql/fragment.ts";
import type { SqlMap } from "../sql/same.ts";
import type { PartialQuery } from "./queries/partial-query.ts";

/** The CTEs that can be named at a place: each sees those before it, and those of the queries around it. */
export interface Ctes {
  readonly cte: Cte;
  readonly before: Ctes | null;
  /** Of one that is computed once: its name, and the query. */
  readonly shared?: { readonly name: Identifier; readonly partial: PartialQuery };
}

export const findCte = (ctes: Ctes | null, name: string): Ctes | null => {
  for (let frame = ctes; frame !== null; frame = frame.before) if (frame.cte.name === name) return frame;
  return null;
};

export const cteNames = (ctes: Ctes | null): string[] => (ctes === null ? [] : [ctes.cte.name, ...cteNames(ctes.before)]);

/** A subquery that stands as a value. */
export interface Subquery {
  readonly tree: Sql;
  readonly columns: readonly { readonly name: string; readonly expression: Expression }[];
}

/** Everything an expression of one SELECT can name, and where it may stand. Lives while that SELECT is lowered. */
export interface Scope {
  readonly context: LoweringContext;
  readonly relations: Relation[];
  readonly ctes: Ctes | null;
  /** Aliases of the whole SELECT, wherever they were given. */
  readonly aliases: ReadonlyMap<string, Expr>;
  /** Aliases being lowered: inside its own definition a name means the column. */
  readonly open: Set<string>;
  readonly lowered: Map<string, Expression>;
  /** How often a name meant the column because its alias was being lowered: then what was lowered holds only there. */
  readonly shadowed: { count: number };
  /** Values named by WITH, once lowered here. */
  readonly named: Map<Cte, Expression>;
  readonly lambdas: Map<string, Expression>[];
  readonly windows: Readonly<Record<string, Window>>;
  /** Columns in the order of the SELECT, for positions. */
  readonly columns: readonly Expr[];
  /** Lateral joins that arrayJoin makes, by the array. */
  readonly arrayJoins: SqlMap<{ readonly value: Expression; readonly join: Sql }>;
  /** Columns that USING has made one of. */
  readonly merged: Map<string, Expression>;
  /** Conditions that SAMPLE adds. */
  readonly samples: Sql[];
  /** The keys of GROUP BY, once it is lowered. */
  groupKeys: SqlMap<Sql> | null;
  /** Some rows are totals, in which a key of GROUP BY has no value of its own. */
  readonly subtotals: boolean;
  /** Whether an aggregate was lowered: the rows are one group then, even where nothing of it is left, as in `count() + NULL`. */
  readonly aggregates: { found: boolean };
  /** Why an aggregate cannot stand here; null where it can. */
  noAggregates: string | null;
  readonly subquery: (node: Select | SetQuery) => Subquery;
}
