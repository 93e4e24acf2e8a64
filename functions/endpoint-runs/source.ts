import type { StoredResult } from "./result-cache.ts";
import type { RunRequest } from "./run-request.ts";

/** A table of the version that answers instead of the events. */
export interface MaterialisedSource {
  readonly path: "materialised";
  /** Milliseconds since 1970 as of which the table holds the rows. */
  readonly refreshedAt: number;
  /** Reads the rows. Whatever this throws but a 429 lets the run be computed live. */
  readonly read: () => Promise<Pick<StoredResult, "columns" | "rows" | "hasMore">>;
}

/** The events themselves; `passedOver` says why a table that exists was not taken, null where there is none. */
export interface LiveSource {
  readonly path: "live";
  readonly passedOver: string | null;
}

/** Where a run's rows come from: no version has a table of its own, so each is computed over the events. */
export const sourceOf = (_request: RunRequest): MaterialisedSource | LiveSource => ({ path: "live", passedOver: null });
