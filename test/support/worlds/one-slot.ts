import type { Engine } from "../../../lib/engine/engine.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { memoryObjects } from "../memory-objects.ts";
import { apiWorld, NOON } from "./api-world.ts";

/** A world in which a project has one slot, a query runs until it is let go, and each look at the clock takes a tenth of a second. */
export const oneSlot = () => {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  let began = false;
  const engine: Pick<Engine, "run"> = {
    async run(_query, _pinned, { admitted }) {
      await admitted;
      began = true;
      await gate;
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
      while (!began) await new Promise((done) => setImmediate(done));
    },
  };
};
