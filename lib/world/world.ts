import type { Engine } from "../engine/engine.ts";
import type { RowFiles } from "../lake/row-files.ts";
import type { Table } from "../table/table.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Counts } from "./counts.ts";
import type { Ids } from "./ids.ts";
import type { Log } from "./log.ts";
import type { Objects } from "./objects.ts";
import type { Queues } from "./queues.ts";

/**
 * Everything a handler may touch besides its arguments. Only `lib/world/aws.ts` and `infra/local/world.ts` build one;
 * `uses` of a group says which parts its function gets, and a part that was not asked for throws when touched.
 */
export interface World {
  readonly table: Table;
  readonly queues: Queues;
  readonly objects: Objects;
  readonly engine: Engine;
  readonly counts: Counts;
  /** Writes segments without the engine, so that ingest carries no native code. */
  readonly segments: Pick<RowFiles, "write">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly config: Config;
}

/** The parts that cost a client, a right or a bundle's size. Clock, ids, log and configuration are always there. */
export const PARTS = ["table", "queues", "objects", "engine", "counts"] as const;
export type Part = (typeof PARTS)[number];
