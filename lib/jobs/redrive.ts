import type { Ports } from "../ports/ports.ts";
import { MAX_MESSAGES_PER_SEND, type QueueName } from "../ports/queues.ts";

/** How long messages under way are hidden from a second redrive: sending ten takes a fraction of it. */
const VISIBILITY_MS = 60_000;

/** Asked for no longer, a service of many machines may say of a queue that it is empty, having looked at some of them. */
const WAIT_MS = 1_000;

/** What one redrive did. */
export interface Redriven {
  readonly moved: number;
  /** Whether it stopped before it found the dead letters empty. */
  readonly hasMore: boolean;
}

/**
 * Sends dead letters back to the queue they came from, ten a round. Sent first and removed then: stopped in between, a message comes twice,
 * which its identity makes harmless. Ends early where the queue takes none.
 */
export const redrive = async (
  { queues, deadLetters }: Pick<Ports, "queues" | "deadLetters">,
  queue: QueueName,
  mostRounds: number,
): Promise<Redriven> => {
  let moved = 0;
  for (let round = 0; round < mostRounds; round += 1) {
    const messages = await deadLetters.receive(queue, { max: MAX_MESSAGES_PER_SEND, waitMs: WAIT_MS, visibilityMs: VISIBILITY_MS });
    if (messages.length === 0) return { moved, hasMore: false };
    const unsent = new Set(await queues.send(queue, messages));
    const sent = messages.filter((message) => !unsent.has(message.id));
    if (sent.length === 0) break;
    await deadLetters.acknowledge(
      queue,
      sent.map((message) => message.receipt),
    );
    moved += sent.length;
  }
  return { moved, hasMore: true };
};
