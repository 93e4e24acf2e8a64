import type { EnginePorts, Rows } from "../../engine/engine.ts";
import { QueryError } from "../../hogql/errors.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import type { LoweredQueries } from "./lowered-queries.ts";

const TIMEOUT = "The queries of this insight took longer than one run may. Shorten its dates, or split it into several insights.";

/** The rows of each query, one after the other, all over one state of the lake and within the time of one run. */
export const rowsOf = async (
  { engine, config }: Pick<EnginePorts, "engine" | "config">,
  { queries, maxRows, maxBytes, tooLarge }: LoweredQueries,
  pinned: PinnedState,
  admitted: Promise<void> = Promise.resolve(),
): Promise<readonly Rows["rows"][]> => {
  const started = performance.now();
  const results: Rows["rows"][] = [];
  for (const query of queries) {
    const timeMs = Math.ceil(config.queryTimeMs - (performance.now() - started));
    if (timeMs <= 0) throw new QueryError("query_timeout", TIMEOUT);
    const { rows } = await engine.run(query, pinned, { timeMs, maxRows, maxReplyBytes: maxBytes, admitted }).catch((thrown: unknown) => {
      if (tooLarge !== undefined && thrown instanceof QueryError && thrown.code === "query_too_large") {
        throw new QueryError("query_too_large", tooLarge);
      }
      throw thrown;
    });
    results.push(rows);
  }
  return results;
};
