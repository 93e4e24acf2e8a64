import type { Ports } from "../../lib/ports/ports.ts";

const nobody = () => Promise.reject(new Error("nobody looks after the queues here"));

/** A platform whose queues nobody watches. */
export const unwatchedQueues: Pick<Ports, "queueDepths" | "deadLetters"> = {
  queueDepths: { read: nobody },
  deadLetters: { receive: nobody, acknowledge: nobody },
};
