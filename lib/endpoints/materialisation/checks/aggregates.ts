import type { Call, Expr } from "../../../hogql/ast.ts";
import { isAggregate } from "../../../hogql/inspect.ts";
import { someNode } from "../../../hogql/walk.ts";

export const hasAggregate = (node: Expr): boolean => someNode(node, isAggregate);

/** How partial results of an aggregate are put together. */
export type Reaggregation = "sum" | "min" | "max";

const REAGGREGATIONS: Readonly<Record<string, Reaggregation>> = { count: "sum", sum: "sum", min: "min", max: "max" };

/** Null where the parts of an aggregate do not give the whole: averages, distinct counts, quantiles, lists. */
export const findReaggregation = ({ name, distinct }: Call): Reaggregation | null => {
  const [, base = "", array, condition] = /^([a-z]+?)(Array)?(If)?$/i.exec(name) ?? [];
  const found = baseReaggregation(base, array === undefined && condition === undefined);
  if (found === null) return null;
  if (distinct && (found === "sum" || base.toLowerCase() === "count")) return null;
  // Of arrays without elements these are a default, which partial results must not take for a value.
  return array !== undefined && found !== "sum" ? null : found;
};

/** Alone these names may be written in any case, with something behind them only as they are. */
const baseReaggregation = (base: string, alone: boolean): Reaggregation | null => {
  const name = alone ? base.toLowerCase() : base;
  return Object.hasOwn(REAGGREGATIONS, name) ? (REAGGREGATIONS[name] ?? null) : null;
};
