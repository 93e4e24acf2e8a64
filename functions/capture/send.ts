import type { World } from "../../lib/app/world.ts";
import { Refused } from "../../lib/event/refused.ts";
import type { OutgoingBatch } from "../../lib/intake/messages.ts";
import type { QueueName } from "../../lib/ports/queues.ts";

/** Stores a request for ingest. Throws `Refused` (503) unless all of it is confirmed; the queue port has tried again by then. */
export const send = async (batch: OutgoingBatch, queue: QueueName, world: World): Promise<void> => {
  try {
    if (batch.object !== undefined) await world.objects.put(batch.object.key, batch.object.bytes);
    const outgoing = batch.messages.map((body, index) => ({ id: String(index), body }));
    const unconfirmed = await world.queues.send(queue, outgoing);
    if (unconfirmed.length === 0) return;
    world.log.line("error", "capture.unconfirmed", { messages: batch.messages.length, unconfirmed: unconfirmed.length });
  } catch (cause) {
    world.log.line("error", "capture.unsent", { messages: batch.messages.length, reason: String(cause) });
  }
  throw new Refused(503, "transient error, please retry");
};
