import { MAX_MESSAGES_PER_SEND, QUEUES, type QueueName } from "../../lib/ports/queues.ts";
import type { Run } from "./command.ts";
import type { Target } from "./target.ts";

/** How long messages under way are hidden from a second command: sending ten takes a fraction of it. */
const VISIBILITY_MS = 60_000;

/** Bounds the command: a million messages. Running it again goes on. */
const MAX_ROUNDS = 100_000;

export const redrive: Run = async (target) => {
  const moved: Partial<Record<QueueName, number>> = {};
  for (const queue of QUEUES) moved[queue] = await redriveQueue(target, queue);
  return { json: moved, lines: QUEUES.map((queue) => `${queue}: ${moved[queue] ?? 0} messages sent back`) };
};

/** Sent first and removed then: stopped in between, a message comes twice, which its identity makes harmless. */
const redriveQueue = async ({ world, deadLetters }: Target, queue: QueueName): Promise<number> => {
  let moved = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const messages = await deadLetters.receive(queue, { max: MAX_MESSAGES_PER_SEND, waitMs: 0, visibilityMs: VISIBILITY_MS });
    if (messages.length === 0) return moved;
    const unsent = new Set(await world.queues.send(queue, messages));
    const sent = messages.filter((message) => !unsent.has(message.id));
    if (sent.length === 0) return moved;
    await deadLetters.acknowledge(
      queue,
      sent.map((message) => message.receipt),
    );
    moved += sent.length;
  }
  return moved;
};
