import type { QueueName } from "../../../lib/ports/queues.ts";

/** What the embedded store calls its parts. */
export const BUCKET = "lake";
export const deadLetters = (queue: QueueName): string => `${queue}-dead-letters`;
