import { MAX_DELIVERIES } from "../../../infra/sizing.ts";
import {
  type Delivery,
  MAX_MESSAGE_BYTES,
  type Outgoing,
  type QueueDepth,
  type QueueName,
  type Queues,
} from "../../../lib/ports/queues.ts";
import type { Random } from "../random.ts";
import type { Scheduler } from "../scheduler.ts";

export interface QueueFaults {
  /** A message that was acknowledged comes once more, up to two times. */
  readonly again: number;
  /** A message that is being worked on is given to another worker too. */
  readonly shared: number;
  /** An entry of a send fails; half of those were stored all the same. */
  readonly refused: number;
}

interface Message {
  readonly id: string;
  readonly body: string;
  visibleAt: number;
  attempts: number;
  more: number;
}

export interface MemoryQueues extends Queues {
  /** Waits until something is there; between 1 and `max` messages, in any order. */
  receive(queue: QueueName, max: number, visibilityMs: number): Promise<readonly Delivery[]>;
  acknowledge(queue: QueueName, ids: readonly string[]): Promise<void>;
  /** Shows a message again after this time. */
  changeVisibility(queue: QueueName, id: string, afterMs: number): Promise<void>;
  /** Messages not acknowledged for good, dead letters left aside. */
  left(queue: QueueName): number;
  /** Puts what was delivered too often back into its queue; returns how many there were. */
  redrive(queue: QueueName): number;
  depth(queue: QueueName): QueueDepth;
  calm(): void;
}

const NO_FAULTS: QueueFaults = { again: 0, shared: 0, refused: 0 };
const REDELIVERY_MS = [5_000, 300_000, 7_200_000] as const;

/** Queues in memory: at least once, in any order, each time in other company. */
export const memoryQueues = (scheduler: Scheduler, random: Random, given: QueueFaults): MemoryQueues => {
  let faults = given;
  let counter = 0;
  const queues: Record<QueueName, Map<string, Message>> = { live: new Map(), historical: new Map(), jobs: new Map() };
  const dead: Record<QueueName, Message[]> = { live: [], historical: [], jobs: [] };
  const waiting: Record<QueueName, Set<() => void>> = { live: new Set(), historical: new Set(), jobs: new Set() };

  const wakeAll = (queue: QueueName): void => {
    for (const wake of waiting[queue]) wake();
    waiting[queue].clear();
  };

  const visible = (queue: QueueName): Message[] => [...queues[queue].values()].filter(({ visibleAt }) => visibleAt <= scheduler.now());

  const untilVisible = async (queue: QueueName): Promise<Message[]> => {
    for (;;) {
      const found = visible(queue);
      if (found.length > 0) return found;
      const next = Math.min(...[...queues[queue].values()].map(({ visibleAt }) => visibleAt));
      await scheduler.sleep(next - scheduler.now(), (wake) => waiting[queue].add(wake));
    }
  };

  return {
    async send(queue: QueueName, messages: readonly Outgoing[]) {
      const unfit = messages.find(({ body }) => body === "" || Buffer.byteLength(body) > MAX_MESSAGE_BYTES);
      if (unfit) throw new Error(`the message ${unfit.id} can never be sent`);
      await scheduler.step(`send to ${queue}`);
      const failed = messages.filter(({ body, delaySeconds = 0 }) => {
        const refused = random.chance(faults.refused);
        if (!refused || random.chance(0.5)) {
          const id = `${queue}-${counter++}`;
          const more = random.chance(faults.again) ? random.int(1, 2) : 0;
          queues[queue].set(id, { id, body, visibleAt: scheduler.now() + delaySeconds * 1_000, attempts: 0, more });
        }
        return refused;
      });
      wakeAll(queue);
      return failed.map(({ id }) => id);
    },
    async receive(queue, max, visibilityMs) {
      await scheduler.step(`receive from ${queue}`);
      const found = await untilVisible(queue);
      const taken = found.filter(() => random.chance(0.7)).slice(0, random.int(1, max));
      if (taken.length === 0) taken.push(...found.slice(0, 1));
      for (const message of taken) {
        message.attempts += 1;
        if (!random.chance(faults.shared)) message.visibleAt = scheduler.now() + visibilityMs;
      }
      for (const message of taken.filter(({ attempts }) => attempts > MAX_DELIVERIES[queue])) {
        queues[queue].delete(message.id);
        dead[queue].push(message);
        scheduler.note(`${message.id} is a dead letter`);
      }
      return taken.filter(({ attempts }) => attempts <= MAX_DELIVERIES[queue]).map(({ id, body, attempts }) => ({ id, body, attempts }));
    },
    async acknowledge(queue, ids) {
      await scheduler.step(`acknowledge to ${queue}`);
      for (const id of ids) {
        const message = queues[queue].get(id);
        if (!message) continue;
        if (message.more === 0) queues[queue].delete(id);
        else {
          message.more -= 1;
          message.visibleAt = scheduler.now() + random.next() * random.pick(REDELIVERY_MS);
        }
      }
      wakeAll(queue);
    },
    async changeVisibility(queue, id, afterMs) {
      await scheduler.step(`put off in ${queue}`);
      const message = queues[queue].get(id);
      if (message) message.visibleAt = scheduler.now() + afterMs;
      wakeAll(queue);
    },
    left: (queue) => queues[queue].size,
    depth(queue) {
      const waiting = visible(queue).length;
      return { waiting, inFlight: queues[queue].size - waiting, deadLetters: dead[queue].length };
    },
    redrive(queue) {
      const messages = dead[queue].splice(0);
      for (const message of messages) queues[queue].set(message.id, { ...message, attempts: 0, visibleAt: scheduler.now() });
      wakeAll(queue);
      return messages.length;
    },
    calm() {
      faults = NO_FAULTS;
      for (const queue of Object.values(queues)) for (const message of queue.values()) message.more = 0;
    },
  };
};
