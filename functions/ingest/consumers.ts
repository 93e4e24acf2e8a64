import type { Uses } from "../../lib/app/uses.ts";
import type { World } from "../../lib/app/world.ts";
import { consumer } from "../../lib/lambda/consumer.ts";
import type { Delivery, Newcomers } from "../../lib/ports/queues.ts";
import type { Budget } from "../../lib/ports/system.ts";
import type { PartitionName } from "../../lib/table/partitions.ts";
import { ingest } from "./ingest.ts";

/** The partitions that error tracking writes to in ingest. */
const EXCEPTIONS = [
  "issues",
  "fingerprints",
  "issueFingerprints",
  "mergedIssues",
  "stackFrames",
  "errorTracking",
  "exceptionLimits",
  "exceptionCounts",
  "spikes",
  "snoozes",
  "unreadExceptions",
  "issueActivity",
  "issueAlerts",
  "issueCount",
  "fingerprintCount",
  "stackFrameCount",
] as const satisfies readonly PartitionName[];

/** And those that it only reads: what was uploaded. */
const EXCEPTIONS_READ = ["releases", "releaseHashes", "symbolSets", "symbolSetRefs"] as const satisfies readonly PartitionName[];

/** One core and 64 MB of decoded events at a time. */
const MEMORY_MB = 1_769;

// Groups that are accounts are kept as such.
const USED = {
  table: {
    read: ["tokens", "project", "lake", "accounts", "accountIds", "imports", "importCount", ...EXCEPTIONS, ...EXCEPTIONS_READ],
    write: ["lake", "accounts", "accountIds", "imports", "importCount", ...EXCEPTIONS],
    checks: true,
  },
  objects: { read: ["messages", "state", "symbols"], write: ["fresh", "state"] },
  counts: true,
} as const satisfies Uses;

/** Stores what capture took. The window is what freshness costs, at most three cents an hour; a stage may have another. */
export const ingestLive = consumer({
  name: "ingest-live",
  queue: "live",
  handler: "functions/ingest/live-handler.ts",
  uses: { ...USED, queues: ["live"] },
  memoryMb: MEMORY_MB,
  timeoutSeconds: 120,
  batch: { messages: 1_000, windowSeconds: 5, maxConcurrency: 3 },
  handle: (deliveries: readonly Delivery[], world: World, budget: Budget, newcomers?: Newcomers) =>
    ingest(deliveries, world, budget, "live", { newcomers }),
});

/** The same for imports, which never delay live events. Nobody waits for theirs by the second, and drains of many months are to be large. */
export const ingestHistorical = consumer({
  name: "ingest-historical",
  queue: "historical",
  handler: "functions/ingest/historical-handler.ts",
  uses: { ...USED, queues: ["historical"] },
  memoryMb: MEMORY_MB,
  timeoutSeconds: 240,
  batch: { messages: 10_000, windowSeconds: 20, maxConcurrency: 2 },
  handle: (deliveries: readonly Delivery[], world: World, budget: Budget) => ingest(deliveries, world, budget, "historical"),
});
