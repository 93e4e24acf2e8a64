import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { invocables } from "../../../functions/workers.ts";
import type { Invocable } from "../../../lib/lambda/invocable.ts";
import type { Log } from "../../../lib/ports/system.ts";
import type { LocalStore } from "../stores/queue-and-objects.ts";
import type { LocalStores } from "../world.ts";
import { type InstanceEvents, type InstancePool, openInstancePool } from "./instance-pool.ts";
import { hearInvocations } from "./invocations.ts";
import type { ThreadCommand, ThreadLine, ThreadMessage, ThreadSettings } from "./thread-messages.ts";

export interface Workers {
  /** Settles only by failing: a thread that ends by itself is a fault of ours. */
  readonly failed: Promise<never>;
  /** Ends after the batches in work, or without those that take long. False where a thread is still at work that nobody can end. */
  stop(): Promise<boolean>;
}

/** A thread that was told to end has so long before it is made to, and so long after that. */
const END_MS = 3_000;
const ENDED_MS = 2_000;

/**
 * What a thread's heap may become, megabytes. A drain allocates much that lives until it is committed: a larger young generation moves it
 * less often. Where nothing is drained, one of that size would only be held: a thread never gives back what it once used of it. The end of
 * a heap decides how much the collector leaves lying: jobs may need much at once, drains are of bounded batches.
 */
const HEAP = {
  draining: { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 1_024 },
  background: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 2_048 },
};

/**
 * Batches of a capture queue that are drained at once, as functions beside each other do it when deployed: the second thread is started
 * when the first does not keep up, because each takes some 70 MB.
 */
const DRAINS = 2;

/**
 * Consumers and schedules in threads of their own, so that requests are answered while they work, and no import, compaction or
 * roll-up delays live events.
 */
export const startWorkers = (place: LocalStores, log: Log, used: LocalStore["used"]): Workers => {
  // What the command line says of them is for the first thread, and would be taken for every other one whatever that is told.
  for (const flag of ["--max-semi-space-size=0", "--max-old-space-size=0"]) setFlagsFromString(flag);
  const threads = new Set<Worker>();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  let stopping = false;
  const start = (settings: ThreadSettings, hear: (message: Exclude<ThreadMessage, ThreadLine>) => void): Worker => {
    const resourceLimits = settings.isBackground ? HEAP.background : HEAP.draining;
    const thread = new Worker(new URL("./worker-thread.ts", import.meta.url), { workerData: settings, resourceLimits, stderr: true });
    threads.add(thread);
    // A thread that is made to end in the middle of something may complain of that.
    thread.stderr.on("data", (text) => stopping || process.stderr.write(text));
    thread.on("message", (message: ThreadMessage) => {
      if (typeof message === "object" && "level" in message) log.line(message.level, message.event, message.fields);
      else hear(message);
    });
    thread.once("error", reject);
    thread.once("exit", (code) => {
      if (!stopping) reject(new Error(`a worker thread ended with ${code}`));
    });
    return thread;
  };
  const drain = (queue: "live" | "historical", number: number): void => {
    let isLast = number === DRAINS;
    const behind = (): void => {
      if (isLast || stopping) return;
      isLast = true;
      drain(queue, number + 1);
    };
    start({ name: `${queue}-${number}`, place, queues: [queue], isBackground: false }, behind);
  };
  drain("live", 1);
  // Most platforms import nothing for most of their time.
  void used.historical.then(() => stopping || drain("historical", 1));
  const instances = new Map<string, InstanceEvents>();
  const background = start({ name: "background", place, queues: ["jobs"], isBackground: true }, (message) => {
    if (message !== "behind") instances.get(message.instance)?.[message.event]();
  });
  const send = (command: ThreadCommand): void => background.postMessage(command);
  /** Invoked functions mostly wait for an engine: a thread of their own would hold more memory than it would do work. */
  const poolOf = ({ name: of, atOnce }: Invocable): InstancePool => {
    let created = 0;
    return openInstancePool(atOnce, (events) => {
      // Names are used again, as each has a directory; the last instance of a name is gone by then.
      created = (created % (2 * atOnce)) + 1;
      const instance = `${of}-${created}`;
      instances.set(instance, events);
      return {
        run: () => send({ command: "run", of, instance }),
        end() {
          instances.delete(instance);
          send({ command: "end", instance });
        },
      };
    });
  };
  const pools = new Map(invocables.map((each) => [each.name, poolOf(each)]));
  const calls = hearInvocations(place.dataDir, (name) => pools.get(name)?.start());
  // Whoever started the platform may not look at it.
  failed.catch(() => undefined);
  return {
    failed,
    async stop() {
      stopping = true;
      calls.close();
      const ended = await Promise.all([...threads].map(end));
      return ended.every((isGone) => isGone);
    },
  };
};

/** Whether the thread is gone in time. */
const end = async (thread: Worker): Promise<boolean> => {
  const gone = once(thread, "exit").then(() => true);
  thread.postMessage("stop" satisfies ThreadCommand);
  if (await Promise.race([gone, pause(END_MS, false)])) return true;
  void thread.terminate();
  return Promise.race([gone, pause(ENDED_MS, false)]);
};
