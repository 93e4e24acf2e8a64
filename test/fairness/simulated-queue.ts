import type { Delivery, Outgoing, Queues } from "../../lib/ports/queues.ts";
import type { VirtualTime } from "../support/virtual-time.ts";

/** A queue in simulated time, which hands messages out in the order in which they may be seen. */
export interface SimulatedQueue extends Queues {
  /** The next one; undefined where none can be seen. */
  take(): Delivery | undefined;
}

export const simulatedQueue = (time: VirtualTime): SimulatedQueue => {
  const waiting: { readonly delivery: Delivery; readonly seenAt: number }[] = [];
  let sent = 0;
  return {
    async send(_, messages: readonly Outgoing[]) {
      for (const { body, delaySeconds = 0 } of messages) {
        sent += 1;
        waiting.push({ delivery: { id: String(sent), body, attempts: 1 }, seenAt: time.clock.now() + delaySeconds * 1_000 });
      }
      return [];
    },
    take() {
      const now = time.clock.now();
      const first = waiting.filter(({ seenAt }) => seenAt <= now).toSorted((a, b) => a.seenAt - b.seenAt)[0];
      if (first === undefined) return undefined;
      waiting.splice(waiting.indexOf(first), 1);
      return first.delivery;
    },
  };
};
