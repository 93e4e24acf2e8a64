import type { Publication } from "../../lake/published.ts";
import type { TableMetadata } from "../metadata.ts";

/** A table as it was published. */
export interface PublishedBefore {
  readonly published: Publication;
  readonly metadata: TableMetadata;
}

/** A publication that is written and not named yet. */
export interface NextPublication {
  readonly publication: Omit<Publication, "state">;
  /** Keys that no snapshot after this one names; those before it do. */
  readonly replaced: readonly string[];
}
