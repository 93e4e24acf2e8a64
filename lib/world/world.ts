import type { Engine } from "../engine/engine.ts";
import type { RowFiles } from "../lake/parquet/row-files.ts";
import type { Downloads, Objects } from "../ports/objects.ts";
import type { Ports } from "../ports/ports.ts";

/**
 * Everything a handler may touch besides its arguments. Only `lib/aws/aws.ts` and `infra/local/world.ts` build one;
 * `uses` of a group says which parts its function gets, and a part that was not asked for throws when touched.
 */
export interface World extends Ports {
  readonly objects: Objects & Downloads;
  readonly engine: Engine;
  /** Writes segments without the engine, so that ingest carries no native code. */
  readonly segments: Pick<RowFiles, "write">;
}

/** The parts that cost a client, a right or a bundle's size. Clock, names, ids, log and configuration are always there. */
export const PARTS = ["table", "queues", "objects", "engine", "counts", "mail", "model"] as const;
export type Part = (typeof PARTS)[number];
