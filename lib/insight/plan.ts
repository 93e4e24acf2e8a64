import { type ExactNumber, toDouble } from "../core/exact-json.ts";
import { Defect } from "../core/unreachable.ts";
import type { Ast, Expr } from "../hogql/ast.ts";
import { call, field, from, select } from "../hogql/build.ts";
import { type Clock, WEEK_START } from "./dates.ts";
import type { InsightRow } from "./rows.ts";

/** The circumstances in which an insight is planned: days and hours of the result are those of the clock's zone. */
export interface InsightContext extends Clock {
  /** Most values of a breakdown that have rows of their own; the rest go to one row of others. */
  readonly breakdownLimit: number;
  /** Values by breakdown property that events are narrowed to; an empty text is an event without the property. */
  readonly breakdownValues: Readonly<Record<string, string>>;
  /** The tree of an expression that stands in the insight as text; it was parsed when the insight was saved. */
  readonly expression: (text: string) => Expr;
}

/** A value of a query's row, as the engine returns it. */
export type PlanCell = string | number | ExactNumber | boolean | null | readonly PlanCell[] | { readonly [name: string]: PlanCell };

/** An insight as queries, which run over one state of the lake, and what makes its rows of theirs. */
export interface InsightPlan {
  readonly queries: readonly Ast[];
  /** The insight's rows in the contract's order, with sentinels as stored, from the rows of each query in order. */
  readonly rows: (results: readonly (readonly (readonly PlanCell[])[])[]) => readonly InsightRow[];
}

/** All that a plan depends on beside the insight. */
export interface Planning extends Pick<InsightContext, "now" | "timezone" | "breakdownValues"> {
  /** The tree of every expression of the insight, by its text. */
  readonly expressions: Readonly<Record<string, Expr>>;
}

/** Most values of a breakdown that an endpoint's insight shows, whatever the insight itself asks for. */
export const BREAKDOWN_LIMIT = 10_000;

/** The context in which an endpoint's insight is planned. */
export const planningContext = ({ now, timezone, expressions, breakdownValues }: Planning): InsightContext => ({
  now,
  timezone,
  weekStart: WEEK_START,
  breakdownLimit: BREAKDOWN_LIMIT,
  breakdownValues,
  expression: (text) => {
    const tree = Object.hasOwn(expressions, text) ? expressions[text] : undefined;
    if (tree === undefined) throw new Defect("an expression of an insight was not parsed");
    return tree;
  },
});

/** The time of the project's earliest event: a plan asks it beside its own queries when its range has no start. */
export const EARLIEST: Ast = select([call("toUnixTimestamp64Micro", call("min", field("timestamp"))), call("count")], {
  from: from("events"),
});

/** The time that `EARLIEST` found, in microseconds; null when there are no events. */
export const earliestTime = (rows: readonly (readonly PlanCell[])[]): bigint | null => {
  const [at, count] = rows[0] ?? [];
  const micros = toDouble(at);
  return micros !== undefined && typeof count === "number" && count > 0 ? BigInt(micros) : null;
};
