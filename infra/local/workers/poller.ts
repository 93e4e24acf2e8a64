import { retryDelayMs } from "../../../lib/lambda/consumer.ts";
import type { BatchResult, Delivery, QueueName, QueueSource } from "../../../lib/ports/queues.ts";
import type { Budget, Log } from "../../../lib/ports/system.ts";

/** The batch that Lambda hands to a function at once: no more bytes, no more messages, and jobs one by one. */
const MAX_BATCH_BYTES = 6_000_000;
const MAX_BATCH_MESSAGES: Readonly<Record<QueueName, number>> = { live: 10_000, historical: 10_000, jobs: 1 };
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
  consume(deliveries: readonly Delivery[], budget: Budget): Promise<BatchResult>;
}

export interface Poller {
  /** Begins no other batch, and settles after the one in work. What was received and is not done stays in work until the store stops. */
  stop(): Promise<void>;
}

type ReceivedBatch = Awaited<ReturnType<QueueSource["receive"]>>;

const bodyBytes = (messages: readonly Delivery[]): number => messages.reduce((sum, { body }) => sum + body.length, 0);

/**
 * The event source mapping in small: one batch in work and the next one being gathered meanwhile, for at least the window, until
 * the consumer is free or the batch is full. Deletes what the consumer did not return as failed. Its steps share what is gathered, what
 * was left over and whether a batch is in work, which nobody else may change.
 */
export const poll = (source: QueueSource, mapping: Mapping, log: Log): Poller => {
  const { queue, maxMessages = MAX_BATCH_MESSAGES[mapping.queue] } = mapping;
  let stopped = false;
  let busy = false;
  let over: ReceivedBatch = [];
  let gathered: ReceivedBatch = [];

  const complain = (event: string, thrown: unknown): void =>
    log.line("warn", event, { queue, reason: thrown instanceof Error ? thrown.message : String(thrown) });

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

  /** Takes what fits into the batch; the rest opens the next one. */
  const fill = (batch: ReceivedBatch[number][], some: ReceivedBatch): void => {
    let bytes = bodyBytes(batch);
    const fits = some.findIndex(({ body }) => {
      bytes += body.length;
      return bytes > MAX_BATCH_BYTES;
    });
    batch.push(...(fits < 0 ? some : some.slice(0, fits)));
    over = fits < 0 ? [] : some.slice(fits);
  };

  const gather = async (): Promise<ReceivedBatch> => {
    const batch: ReceivedBatch[number][] = [];
    gathered = batch;
    fill(batch, over);
    while (!stopped && batch.length === 0) fill(batch, await receive(LONG_POLL_MS, maxMessages));
    const deadline = performance.now() + BATCH_WINDOW_MS;
    const isOpen = (): boolean => !stopped && over.length === 0 && batch.length < maxMessages;
    while (isOpen() && (busy || performance.now() < deadline)) {
      const waitMs = busy ? BATCH_WINDOW_MS : Math.max(0, deadline - performance.now());
      fill(batch, await receive(waitMs, maxMessages - batch.length));
    }
    return batch;
  };

  const work = async (batch: ReceivedBatch): Promise<void> => {
    if (batch.length === 0) return;
    const end = performance.now() + BUDGET_MS[queue];
    const { failed } = await mapping.consume(batch, { remainingMs: () => end - performance.now() });
    const again = new Set(failed);
    const receipts = batch.filter(({ id }) => !again.has(id)).map(({ receipt }) => receipt);
    const failing = batch.filter(({ id }) => again.has(id));
    const later = failing.map(({ receipt, attempts }) => ({ receipt, afterMs: retryDelayMs(attempts) }));
    try {
      // What fails while the platform ends may fail because of that.
      if (later.length > 0 && !stopped) await source.changeVisibility(queue, later);
      if (receipts.length > 0) await source.acknowledge(queue, receipts);
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
      next = gather();
      working = work(batch);
      await working;
      busy = false;
      if (bodyBytes(gathered) > BEHIND_BYTES) mapping.behind?.();
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
