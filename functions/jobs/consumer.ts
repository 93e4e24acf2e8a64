import { type Budget, consumer } from "../../lib/http/consumer.ts";
import { LakeJob } from "../../lib/lake/jobs.ts";
import { POLICIES } from "../../lib/lake/policy.ts";
import type { Delivery, Verdict } from "../../lib/world/queues.ts";
import type { World } from "../../lib/world/world.ts";
import { work } from "./work.ts";

/** No further job is begun when less than this is left: rewriting a month of a million rows takes a quarter of it. */
const BEGIN_WITH_MS = 120_000;

/** Compaction, folding, usage, audits and deletions: whatever the sweep asks for. */
export const jobs = consumer({
  name: "jobs",
  queue: "jobs",
  uses: ["table", "queues", "objects", "engine"],
  async handle(deliveries: readonly Delivery[], world: World, budget: Budget): Promise<Verdict> {
    const failed: string[] = [];
    for (const [at, { id, body, attempts }] of deliveries.entries()) {
      if (at > 0 && budget.remainingMs() < BEGIN_WITH_MS) {
        failed.push(id);
        continue;
      }
      try {
        await work(world, POLICIES[world.config.compaction], LakeJob.parse(JSON.parse(body)));
      } catch (error) {
        world.log.line("error", "job_failed", { error: error instanceof Error ? `${error.name}: ${error.message}` : "unknown", attempts });
        failed.push(id);
      }
    }
    return { failed };
  },
});
