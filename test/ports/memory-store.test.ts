import type { QueueName, QueueSource } from "../../lib/ports/queues.ts";
import { memoryObjects } from "../simulation/ports/objects.ts";
import { memoryQueues } from "../simulation/ports/queues.ts";
import { randomOf } from "../simulation/random.ts";
import { Scheduler } from "../simulation/scheduler.ts";
import { objectsSuite } from "./objects.suite.ts";
import { queuesSuite } from "./queues.suite.ts";

const MAX_STEPS = 10_000;
const CALM = { latencyMs: 5, slow: 0, slowMs: 0, death: 0, freezeMs: 0, betweenSwaps: 0 };

/** The simulation's queues without its faults, each call an actor of its own that runs to its end. */
const quietQueues = () => {
  const scheduler = new Scheduler(randomOf(1), Date.UTC(2026, 0, 1), CALM, false);
  const queues = memoryQueues(scheduler, randomOf(2), { again: 0, shared: 0, refused: 0 });
  let last: Promise<unknown> = Promise.resolve();

  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let done = false;
    scheduler.spawn("suite", async () => {
      await work().then(resolve, reject);
      done = true;
    });
    await scheduler.run(() => done, MAX_STEPS);
    return promise;
  };
  const act = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(() => alone(work));
    last = result.catch(() => undefined);
    return result;
  };

  const source: QueueSource = {
    // The simulation's workers wait for as long as it takes; here an empty queue is an answer.
    receive: (queue, { max, visibilityMs }) =>
      act(async () => {
        if (queues.left(queue) === 0) return [];
        const received = await queues.receive(queue, max, visibilityMs);
        return received.map((message) => ({ ...message, receipt: message.id }));
      }),
    acknowledge: (queue, receipts) => act(() => queues.acknowledge(queue, receipts)),
    changeVisibility: (queue, messages) =>
      act(async () => {
        for (const { receipt, afterMs } of messages) await queues.changeVisibility(queue, receipt, afterMs);
      }),
  };
  return {
    queues: { send: (...given: Parameters<typeof queues.send>) => act(() => queues.send(...given)) },
    source,
    depths: { read: async (queue: QueueName) => queues.depth(queue) },
    pass: (ms: number) => act(() => scheduler.sleep(ms)),
  };
};

const pair = quietQueues();
queuesSuite("the queues in memory", () => pair);

const objects = memoryObjects({ now: Date.now, pageSize: 20 });
objectsSuite("the object store in memory", () => objects, { files: false, pageSize: 20 });
