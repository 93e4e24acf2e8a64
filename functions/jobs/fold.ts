import { fold } from "../../lib/lake/fold.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { JobWorld } from "./world.ts";

/** Folds of one job at most; what is left then is asked for again by a later sweep. */
const MOST_FOLDS = 8;

/** Folds a project's waiting deltas into its state, a bounded number at a time, until none are left or another job is at it. */
export const foldJob = async (world: JobWorld, policy: Policy, project: number): Promise<void> => {
  for (let round = 1; round <= MOST_FOLDS; round += 1) {
    const { left, outcome } = await fold(world, policy, project);
    if (outcome !== "done" || left === 0) return;
  }
};
