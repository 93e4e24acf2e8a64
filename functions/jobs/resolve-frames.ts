import { faultText } from "../../lib/core/unreachable.ts";
import { resolveLateFrames } from "../../lib/error-tracking/late-frames.ts";
import { type Job, sendAllJobs } from "../../lib/jobs/jobs.ts";
import type { Budget } from "../../lib/ports/system.ts";
import type { JobWorld } from "./world.ts";

/** Nothing further is begun when less than this is left. */
const BEGIN_WITH_MS = 60_000;

/** Resolves stored frames by source maps that came late; what there is no time for is asked for anew. False when it failed. */
export const resolveFramesJob = async (world: JobWorld, { project, refs }: Job<"resolve-frames">, budget: Budget): Promise<boolean> => {
  try {
    const left = await resolveLateFrames(world, project, refs, () => budget.remainingMs() >= BEGIN_WITH_MS);
    if (left.length > 0) await sendAllJobs(world.queues, [{ kind: "resolve-frames", project, refs: [...left] }]);
    return true;
  } catch (thrown) {
    world.log.line("error", "job_failed", { project, kind: "resolve-frames", error: faultText(thrown) });
    return false;
  }
};
