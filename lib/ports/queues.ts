import { HOUR_MS, MINUTE_MS } from "../core/time.ts";

/** The three polled queues: each one polled costs money in an idle month, so there is no fourth. */
export const QUEUES = ["live", "historical", "jobs"] as const;
export type QueueName = (typeof QUEUES)[number];

/** The age of its oldest message from which on somebody has to look at a queue, in milliseconds; imports may take as long as they take. */
export const LATE_MS = Object.freeze({ live: 5 * MINUTE_MS, jobs: HOUR_MS });

/** A message is at most 1 MiB of text, and one request carries at most 10 messages and 1 MiB. */
export const MAX_MESSAGE_BYTES = 1_048_576;
export const MAX_MESSAGES_PER_SEND = 10;

/** A message to send; `id` is unique within one call and names it in the answer. */
export interface Outgoing {
  readonly id: string;
  readonly body: string;
  /** How long nobody is handed it, in whole seconds: 900 at most. */
  readonly delaySeconds?: number;
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

/** Messages by what becomes of them, as the service of the queue estimates their number: SQS may lag a minute behind. */
export interface QueueDepth {
  /** Nobody has them yet. */
  readonly waiting: number;
  /** Handed out and not acknowledged, with those that failed and are hidden until their next try. */
  readonly inFlight: number;
  /** Given up on. */
  readonly deadLetters: number;
}

/** Watching side: looks at the queues and changes nothing. */
export interface QueueDepths {
  read(queue: QueueName): Promise<QueueDepth>;
}

/** What was given up on, by the queue it came from. */
export type DeadLetters = Pick<QueueSource, "receive" | "acknowledge">;

/** What came since a batch was handed out, where somebody knows of it. */
export interface Newcomers {
  /** Takes those that are wanted into the batch, whose result then is theirs, too. */
  take(isWanted: (delivery: Delivery) => boolean): readonly Delivery[];
}

/** The result of a queue consumer: the ids of the messages to deliver again, and nothing else. */
export interface BatchResult {
  readonly failed: readonly string[];
}
