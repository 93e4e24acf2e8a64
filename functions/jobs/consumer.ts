import type { World } from "../../lib/app/world.ts";
import { policyOf } from "../../lib/lake/policy.ts";
import { consumer } from "../../lib/lambda/consumer.ts";
import type { BatchResult, Delivery } from "../../lib/ports/queues.ts";
import type { Budget } from "../../lib/ports/system.ts";
import { PARTITIONS, partitionNames } from "../../lib/table/partitions.ts";
import { dispatch } from "./dispatch.ts";
import { inTurn, JOBS_AT_ONCE } from "./in-turn.ts";

/** Where the removal of an organization, whose partitions are said with the partitions themselves, deletes. */
const ENDING = partitionNames.filter((name) =>
  ["with its organization", "with its project", "enumerate"].includes(PARTITIONS[name].onRemoval),
);

/** Compaction, folding, usage, audits and deletions: whatever the sweep asks for, and what is better not waited for. */
export const jobs = consumer({
  name: "jobs",
  queue: "jobs",
  uses: {
    // Of a project its quotas are marked.
    table: {
      read: ["lake", "usage", "billing", "invoices", "catalogues", "lanes", ...ENDING],
      lists: [
        "organization#{organization}#projects",
        // Keys that end with a project.
        "project#{project}#secret-keys",
        "project#{project}#secret-token",
        // Frames that symbols came for, and what goes with issues that are merged.
        "errors#{project}#chunk#{chunk}#frames",
        "errors#{project}#issue#{issue}#fingerprints",
        "errors#{project}#issue#{issue}#spikes",
        "project#{project}#external-references#{visibility}",
      ],
      write: ["lake", "usage", "tokens", "lanes", ...ENDING],
      removes: true,
      checks: true,
    },
    // Erased people are taken out of what ingest gave up on, and out of large requests.
    queues: ["jobs", "live", "historical"],
    deadLetters: true,
    objects: {
      read: ["messages", "fresh", "events", "state", "results", "waiting", "tables", "usage", "iceberg", "symbols"],
      write: ["messages", "events", "state", "usage", "iceberg"],
      remove: ["fresh", "events", "state", "results", "waiting", "tables", "usage", "iceberg", "symbols", "imports", "exports"],
    },
    tableRegistry: true,
    engine: true,
  },
  settings: ["billing service", "file size", "publishing"],
  timeoutSeconds: 900,
  // One at a time: a job that is out of memory or time ends its function, and must end no other job with it.
  batch: { messages: 1, windowSeconds: 0, maxConcurrency: JOBS_AT_ONCE },
  async handle(deliveries: readonly Delivery[], world: World, budget: Budget): Promise<BatchResult> {
    const failed: string[] = [];
    const policy = policyOf(world.config);
    for (const delivery of deliveries)
      if (!(await inTurn(world, delivery, () => dispatch(world, policy, delivery, budget)))) failed.push(delivery.id);
    return { failed };
  },
});
