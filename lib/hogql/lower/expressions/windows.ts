import type { Expression } from "../../analysis/expression.ts";
import { type Position, QueryError } from "../../errors.ts";

/** Windows are computed after grouping, so nothing that is computed before, or with them, may hold one. Throws `QueryError`. */
export const refuseWindows = (parts: readonly Expression[], place: string, at: Position | undefined): void => {
  if (!parts.some((part) => part.window)) return;
  throw new QueryError(
    "illegal_aggregation",
    `A window function cannot stand in ${place}: compute it in a subquery${place === "WHERE" ? ", or filter with QUALIFY" : ""}.`,
    at,
  );
};
