import type { World } from "../../lib/app/world.ts";

/** The parts that the jobs of the lake touch; of the engine only its row files. */
export type JobWorld = Pick<World, "table" | "objects" | "queues" | "clock" | "ids" | "log" | "config"> & {
  readonly engine: Pick<World["engine"], "rowFiles">;
};

/** With the registry that lists published tables. */
export type PublishWorld = JobWorld & Pick<World, "tableRegistry">;
