import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "../../lib/engine/open.ts";
import { countUsage } from "../../lib/usage/day-counts.ts";
import { memoryObjects } from "../support/memory-objects.ts";
import { rounds } from "../support/samples/rounds.ts";
import { roundsWorld } from "../support/worlds/rounds-world.ts";
import type { Figure, Part } from "./figures.ts";

const SIZES = { engineDiskBytes: 500_000_000, engineMemoryMb: 300 };

/** Calls to AWS that follow one another, which deployed are the latency of a run. */
export const runRounds: Part = {
  name: "run.rounds",
  seconds: 5,
  measures: ["functions/endpoint-runs", "lib/auth", "lib/endpoints", "lib/lake"],
  async run(): Promise<readonly Figure[]> {
    const made = rounds();
    const objects = memoryObjects();
    const directory = await mkdtemp(join(tmpdir(), "run-rounds-"));
    const engine = await openEngine({ objects: made.counting("objects", objects), directory, config: SIZES, countUsage });
    try {
      const world = await roundsWorld({ made, objects, engine });
      const live = await world.live("personal");
      const kept = await world.kept("personal");
      const materialised = await world.materialised("personal");
      const renewed = await world.renewed("personal");
      const retrieved = await world.retrieved();
      const paths = [live, kept, materialised, renewed].map(({ path }) => path).join();
      if (paths !== "live,kept,materialised,materialised") throw new Error(`the runs were served by other paths: ${paths}`);
      const baseline = "calls side by side are one round, in a function that has run before; at most";
      return [
        { name: "run.live_rounds", value: live.rounds, unit: "rounds", baseline: `${baseline} 4` },
        { name: "run.kept_rounds", value: kept.rounds, unit: "rounds", baseline: `${baseline} 2` },
        { name: "run.materialised_rounds", value: materialised.rounds, unit: "rounds", baseline: `${baseline} 2` },
        {
          name: "run.materialised_table_reads",
          value: renewed.reads.table,
          unit: "reads",
          baseline: "of a table just made anew; at most 2",
        },
        { name: "run.materialised_object_reads", value: renewed.reads.objects, unit: "reads", baseline: "the same; at most 1" },
        { name: "retrieve.rounds", value: retrieved.rounds, unit: "rounds", baseline: `${baseline} 2` },
      ];
    } finally {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    }
  },
};
