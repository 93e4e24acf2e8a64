import type { Engine } from "../../../lib/engine/engine.ts";
import { QueryError } from "../../../lib/hogql/errors.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { memoryObjects } from "../memory-objects.ts";
import { apiWorld, NOON } from "./api-world.ts";

/**
 * A world in which a project has one slot, a query runs until it is let go, and each look at the clock takes a tenth of a second. The
 * first `atOnce` queries are answered at once.
 */
export const oneSlot = ({ atOnce = 0 } = {}) => {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  let began = 0;
  let isBroken = false;
  const engine: Pick<Engine, "run"> = {
    async run(_query, _pinned, { admitted }) {
      if (isBroken) throw new QueryError("query_timeout", "The query took too long.");
      await admitted;
      began += 1;
      if (began > atOnce) await gate;
      return { engine: "embedded", rows: [[1]], cost: { engineMs: 1, fetchedBytes: 0, neededBytes: 0 } };
    },
  };
  let now = NOON;
  const clock = {
    now: () => {
      now += 100;
      return now;
    },
  };
  const config = readConfig((field) => (field === "concurrentRuns" ? "1" : undefined));
  const { world } = apiWorld({ objects: memoryObjects(), config, clock, engine: { ...engine } as Engine });
  return {
    world,
    letGo,
    /** Settles once a query has the slot. */
    async isHeld(): Promise<void> {
      while (began <= atOnce) await new Promise((done) => setImmediate(done));
    },
    /** From now on queries that begin fail. */
    breakEngine(): void {
      isBroken = true;
    },
  };
};
