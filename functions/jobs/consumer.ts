import { POLICIES } from "../../lib/lake/catalogue/policy.ts";
import { consumer } from "../../lib/lambda/consumer.ts";
import type { Budget } from "../../lib/ports/budget.ts";
import type { BatchResult, Delivery } from "../../lib/ports/queues.ts";
import type { World } from "../../lib/world/world.ts";
import { attempt } from "./attempt.ts";
import { attemptRemoval, organizationToDelete } from "./organization.ts";
import { makesTable, tableJob } from "./table.ts";

/** Compaction, folding, usage, audits, deletions and the tables of saved queries: whatever the sweep asks for. Messages come one at a time: see `infra/sizing.ts`. */
export const jobs = consumer({
  name: "jobs",
  queue: "jobs",
  uses: ["table", "queues", "objects", "engine"],
  async handle(deliveries: readonly Delivery[], world: World, budget: Budget): Promise<BatchResult> {
    const failed: string[] = [];
    const policy = POLICIES[world.config.compaction];
    for (const delivery of deliveries) {
      if (makesTable(delivery)) {
        await tableJob(world, delivery);
        continue;
      }
      const organization = organizationToDelete(delivery);
      const done =
        organization === undefined ? await attempt(world, policy, delivery, budget) : await attemptRemoval(world, organization, budget);
      if (!done) failed.push(delivery.id);
    }
    return { failed };
  },
});
