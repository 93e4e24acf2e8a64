import { redrive as redriveQueue } from "../../lib/jobs/redrive.ts";
import { QUEUES, type QueueName } from "../../lib/ports/queues.ts";
import type { Run } from "./command.ts";

/** Bounds the command: a million messages. Running it again goes on. */
const MOST_ROUNDS = 100_000;

export const redrive: Run = async ({ world }) => {
  const moved: Partial<Record<QueueName, number>> = {};
  for (const queue of QUEUES) moved[queue] = (await redriveQueue(world, queue, MOST_ROUNDS)).moved;
  return { json: moved, lines: QUEUES.map((queue) => `${queue}: ${moved[queue] ?? 0} messages sent back`) };
};
