import type { Ast, Cte } from "../../lib/hogql/ast.ts";
import { compare, constant, field, from, select, unionAll } from "../../lib/hogql/build.ts";
import { breakdown, daysOf, OUT, tools, top, traces } from "./breakdowns.ts";
import { GENERATIONS, generations, KINDS, kinds } from "./generations.ts";
import type { SpendWindow } from "./parameters.ts";

/** Rows of each breakdown that the query gives at most. */
export interface RowLimits {
  /** Of products, tools and models. */
  readonly names: number;
  readonly traces: number;
}

/**
 * All breakdowns of one person's spend as one query. The generations are read once and added up by everything that a breakdown may
 * tell apart but traces, of which there are many; all other breakdowns add up those sums. Each row says which breakdown it belongs
 * to, then its name, empty for none, and its numbers. Costs are whole nano-dollars, so that sums are exact.
 */
export const spendQuery = (email: string, window: SpendWindow, limits: RowLimits): Ast => {
  const isScoped = compare("==", field("product"), constant(window.product));
  const hasBuckets = window.bucketMinutes !== null;
  const branches = [
    breakdown("all", null, []),
    breakdown("scoped", null, [isScoped]),
    top(breakdown("product", field("product"), []), limits.names),
    top(tools(isScoped), limits.names),
    top(breakdown("model", field("model"), [isScoped]), limits.names),
    breakdown("day", null, [isScoped], daysOf(window)),
    ...(hasBuckets ? [breakdown("bucket", null, [isScoped], field("step"))] : []),
    breakdown("size", null, [isScoped], field("size")),
    top(traces(isScoped), limits.traces),
  ];
  const [first, ...rest] = branches.map((branch) =>
    select(
      OUT.map((name) => field(name)),
      { from: from(branch) },
    ),
  );
  const rows = first === undefined ? select([]) : unionAll(first, rest);
  const ctes: readonly Cte[] = [
    { name: GENERATIONS, query: generations(email, window), scalar: false, columns: null, once: true },
    { name: KINDS, query: kinds(hasBuckets), scalar: false, columns: null, once: true },
  ];
  return select(
    OUT.map((name) => field(name)),
    { ctes, from: from(rows) },
  );
};
