import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Log } from "../../../lib/ports/log.ts";
import type { LocalStores } from "../world.ts";
import type { ThreadDuty, ThreadLine } from "./thread-duty.ts";

export interface Workers {
  /** Settles only by failing: a thread that ends by itself is a fault of ours. */
  readonly failed: Promise<never>;
  /** Ends after the batches in work. */
  stop(): Promise<void>;
}

/** A drain allocates much that lives until it is committed: a larger young generation moves it less often. */
const resourceLimits = { maxYoungGenerationSizeMb: 48 };

/** Batches of one queue that are drained at once, as functions beside each other do it when deployed. */
const DRAINS = 2;

const drainsOf = (place: LocalStores, queue: "live" | "historical"): readonly ThreadDuty[] =>
  Array.from({ length: DRAINS }, (_, index) => ({ name: `${queue}-${index + 1}`, place, queues: [queue], withSchedules: false }));

/**
 * Consumers and schedules in threads of their own, so that requests are answered while they work, and no import, compaction or
 * roll-up delays live events.
 */
export const startWorkers = (place: LocalStores, log: Log): Workers => {
  const duties: readonly ThreadDuty[] = [
    ...drainsOf(place, "live"),
    ...drainsOf(place, "historical"),
    { name: "background", place, queues: ["jobs"], withSchedules: true },
  ];
  const threads = duties.map((workerData) => new Worker(new URL("./worker-thread.ts", import.meta.url), { workerData, resourceLimits }));
  let stopping = false;
  const failed = new Promise<never>((_, reject) => {
    for (const thread of threads) {
      thread.on("message", ({ level, event, fields }: ThreadLine) => log.line(level, event, fields));
      thread.once("error", reject);
      thread.once("exit", (code) => {
        if (!stopping) reject(new Error(`a worker thread ended with ${code}`));
      });
    }
  });
  // Whoever started the platform may not look at it.
  failed.catch(() => undefined);
  return {
    failed,
    async stop() {
      stopping = true;
      await Promise.all(
        threads.map(async (thread) => {
          const gone = once(thread, "exit");
          thread.postMessage("stop");
          await gone;
        }),
      );
    },
  };
};
