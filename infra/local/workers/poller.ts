import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { retryDelayMs } from "../../../lib/lambda/consumer.ts";
import type { BatchResult, Delivery, Newcomers, QueueName, QueueSource } from "../../../lib/ports/queues.ts";
import type { Budget, Log } from "../../../lib/ports/system.ts";
import { openGatheredMessages, type Received, type ReceivedBatch } from "./gathered-messages.ts";

/** The batch that Lambda hands to a function at once: no more bytes, no more messages, and jobs one by one. */
const MAX_BATCH_BYTES = 6_000_000;
const MAX_BATCH_MESSAGES: Readonly<Record<QueueName, number>> = { live: 10_000, historical: 10_000, jobs: 1 };
/**
 * What is received beyond the next batch while one is in work, so that who comes behind many messages of one project is seen in time; but not
 * while batches take long, because messages are hidden for a while only.
 */
const READ_AHEAD_BYTES = MAX_BATCH_BYTES;
const READ_AHEAD_MS = 5_000;
/** How long a batch waits for more messages after its first. */
const BATCH_WINDOW_MS = 200;
/** A consumer that finds more bytes than this waiting when it is through with a batch does not keep up. */
const BEHIND_BYTES = 1_000_000;
/** How long one call waits for a first message; ends early when one comes. */
const LONG_POLL_MS = 2_000;
/** How long one batch may take, as a function's timeout would have it. */
const BUDGET_MS: Readonly<Record<QueueName, number>> = { live: 50_000, historical: 50_000, jobs: 600_000 };
/** How long a message is hidden beyond that; one whose batch was broken off comes again after both. */
const MARGIN_MS = 10_000;
/** How long a poller rests after the queue did not answer. */
const REST_MS = 500;

export interface Mapping {
  readonly queue: QueueName;
  /** Messages at once at most. */
  readonly maxMessages?: number;
  /** Called after each batch at whose end much waits. */
  behind?(): void;
  /** Never throws. */
  consume(deliveries: readonly Delivery[], budget: Budget, newcomers: Newcomers): Promise<BatchResult>;
}

export interface Poller {
  /** Begins no other batch, and settles after the one in work. What was received and is not done stays in work until the store stops. */
  stop(): Promise<void>;
}

/**
 * The event source mapping in small: one batch in work and the next one being gathered meanwhile, for at least the window, until
 * the consumer is free or the batch is full. Deletes what the consumer did not return as failed. Its steps share what is gathered and
 * whether a batch is in work, which nobody else may change.
 */
export const poll = (source: QueueSource, mapping: Mapping, log: Log): Poller => {
  const { queue, maxMessages = MAX_BATCH_MESSAGES[mapping.queue] } = mapping;
  let stopped = false;
  let busy = false;
  /** When the batch in work was begun. */
  let began = 0;
  const gathered = openGatheredMessages(MAX_BATCH_BYTES);

  const complain = (event: string, thrown: unknown): void => log.line("warn", event, { queue, reason: thrownMessage(thrown) });

  const receive = async (waitMs: number, max: number): Promise<ReceivedBatch> => {
    try {
      return await source.receive(queue, { max: Math.min(max, 10), waitMs, visibilityMs: BUDGET_MS[queue] + MARGIN_MS });
    } catch (thrown) {
      if (stopped) return [];
      complain("queue.unreachable", thrown);
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      return [];
    }
  };

  const gather = async (): Promise<readonly Received[]> => {
    const batch = gathered.begin();
    while (!stopped && batch.length === 0) gathered.add(await receive(LONG_POLL_MS, maxMessages));
    const deadline = performance.now() + BATCH_WINDOW_MS;
    const readsAhead = (): boolean => busy && performance.now() - began < READ_AHEAD_MS && gathered.bytesBehind() < READ_AHEAD_BYTES;
    const hasRoom = (): boolean => gathered.bytesBehind() === 0 || readsAhead();
    const isOpen = (): boolean => !stopped && hasRoom() && batch.length < maxMessages;
    while (isOpen() && (busy || performance.now() < deadline)) {
      const waitMs = busy ? BATCH_WINDOW_MS : Math.max(0, deadline - performance.now());
      gathered.add(await receive(waitMs, maxMessages - batch.length));
    }
    return batch;
  };

  /** Takes what is wanted out of what is gathered into the batch in work. */
  const join = (batch: Received[], isWanted: (delivery: Delivery) => boolean): ReceivedBatch => {
    const taken = gathered.take(isWanted);
    batch.push(...taken);
    return taken;
  };

  const work = async (handed: ReceivedBatch): Promise<void> => {
    if (handed.length === 0) return;
    const batch = [...handed];
    const end = performance.now() + BUDGET_MS[queue];
    const newcomers: Newcomers = { take: (isWanted) => join(batch, isWanted) };
    const { failed } = await mapping.consume(handed, { remainingMs: () => end - performance.now() }, newcomers);
    await acknowledge(batch, new Set(failed));
  };

  const acknowledge = async (batch: ReceivedBatch, failed: ReadonlySet<string>): Promise<void> => {
    const done = batch.filter(({ id }) => !failed.has(id)).map(({ receipt }) => receipt);
    const failing = batch.filter(({ id }) => failed.has(id));
    const later = failing.map(({ receipt, attempts }) => ({ receipt, afterMs: retryDelayMs(attempts) }));
    try {
      // What fails while the platform ends may fail because of that.
      if (later.length > 0 && !stopped) await source.changeVisibility(queue, later);
      if (done.length > 0) await source.acknowledge(queue, done);
    } catch (thrown) {
      // They come again, which changes nothing.
      complain("queue.unacknowledged", thrown);
    }
  };

  let working: Promise<void> = Promise.resolve();

  const run = async (): Promise<void> => {
    let next = gather();
    while (!stopped) {
      const batch = await next;
      if (stopped) return;
      busy = true;
      began = performance.now();
      next = gather();
      working = work(batch);
      await working;
      busy = false;
      if (gathered.bytes() > BEHIND_BYTES) mapping.behind?.();
    }
  };

  // Nothing in it throws: receiving complains and goes on, consuming and acknowledging do too.
  void run();
  return {
    async stop() {
      stopped = true;
      await working;
    },
  };
};
