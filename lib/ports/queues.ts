/** The three polled queues: each one polled costs money in an idle month, so there is no fourth. */
export const QUEUES = ["live", "historical", "jobs"] as const;
export type QueueName = (typeof QUEUES)[number];

/** A message is at most 1 MiB of text, and one request carries at most 10 messages and 1 MiB. */
export const MAX_MESSAGE_BYTES = 1_048_576;
export const MAX_MESSAGES_PER_SEND = 10;

/** A message to send; `id` is unique within one call and names it in the answer. */
export interface Outgoing {
  readonly id: string;
  readonly body: string;
}

/** A message as delivered: at least once, in any order, perhaps beside other messages than last time. */
export interface Delivery {
  readonly id: string;
  readonly body: string;
  /** How often this message was delivered, this time included. */
  readonly attempts: number;
}

/** Sending side. Splits into requests by count and size and sends them in parallel. */
export interface Queues {
  /** Returns the ids that are not confirmed to be stored; throws only for a message that can never be sent. */
  send(queue: QueueName, messages: readonly Outgoing[]): Promise<readonly string[]>;
}

/** Receiving side, for pollers that we run ourselves (the local platform and the simulation). */
export interface QueueSource {
  /** Up to `max` messages (at most 10), hidden from others for `visibilityMs`. */
  receive(
    queue: QueueName,
    options: { readonly max: number; readonly waitMs: number; readonly visibilityMs: number },
  ): Promise<readonly (Delivery & { readonly receipt: string })[]>;
  acknowledge(queue: QueueName, receipts: readonly string[]): Promise<void>;
  /** Delivers messages that are in work again after this time, instead of after what they were hidden for. */
  changeVisibility(queue: QueueName, messages: readonly VisibilityChange[]): Promise<void>;
}

export interface VisibilityChange {
  readonly receipt: string;
  readonly afterMs: number;
}

/** The result of a queue consumer: the ids of the messages to deliver again, and nothing else. */
export interface BatchResult {
  readonly failed: readonly string[];
}
