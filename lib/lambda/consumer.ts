import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { FunctionNeeds } from "../app/uses.ts";
import type { World } from "../app/world.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { faultFields } from "../http/request-log.ts";
import type { BatchResult, Delivery, Newcomers, QueueName, VisibilityChange } from "../ports/queues.ts";
import type { Budget } from "../ports/system.ts";
import { openOnce } from "./open-once.ts";

/** How messages are handed to a consumer. */
export interface Batch {
  /** Messages at most; the platform also cuts at 6 MB. */
  readonly messages: number;
  /** How long messages are gathered before a function starts: longer is cheaper and later. */
  readonly windowSeconds: number;
  /** Functions at once. New accounts may run ten functions in all, so the three consumers leave room for requests. */
  readonly maxConcurrency: number;
}

/** A function that handles the messages of one queue. */
export interface Consumer extends FunctionNeeds {
  readonly queue: QueueName;
  readonly batch: Batch;
  /** Names the messages to deliver again; what it throws is as if it had named all of them. */
  handle(deliveries: readonly Delivery[], world: World, budget: Budget, newcomers?: Newcomers): Promise<BatchResult>;
}

export const consumer = (spec: Consumer): Consumer => Object.freeze(spec);

/** Delays the next delivery of messages of a consumer's queue. */
export type DelayRetry = (messages: readonly VisibilityChange[]) => Promise<void>;

/** The deployed function of a consumer: only the named messages come back, soon at first, and a fault brings back all of them. */
export const sqsHandler = (of: Consumer, openWorld: () => World | Promise<World>, delayRetry: DelayRetry) => {
  const world = openOnce(openWorld);
  return middy<SQSEvent, SQSBatchResponse>(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const deliveries = event.Records.map((record) => ({
      id: record.messageId,
      body: record.body,
      attempts: Number(record.attributes.ApproximateReceiveCount),
    }));
    const opened = await world();
    const { failed } = await consume(of, deliveries, opened, { remainingMs: () => context.getRemainingTimeInMillis() });
    const again = new Set(failed);
    const failing = event.Records.filter(({ messageId }) => again.has(messageId));
    await delayRetry(
      failing.map(({ receiptHandle, attributes }) => ({
        receipt: receiptHandle,
        afterMs: retryDelayMs(Number(attributes.ApproximateReceiveCount)),
      })),
    ).catch((thrown: unknown) => opened.log.line("warn", "queue.not_put_off", { reason: String(thrown) }));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  });
};

/** Hands a batch to a consumer and writes its log line; the one way in, deployed and locally. Never throws. */
export const consume = async (
  of: Consumer,
  deliveries: readonly Delivery[],
  world: World,
  budget: Budget,
  newcomers?: Newcomers,
): Promise<BatchResult> => {
  const began = world.clock.now();
  const batch = [...deliveries];
  const facts = () => ({ consumer: of.name, messages: batch.length, duration_ms: world.clock.now() - began });
  const joining = newcomers && {
    take(isWanted: (delivery: Delivery) => boolean): readonly Delivery[] {
      const taken = newcomers.take(isWanted);
      batch.push(...taken);
      return taken;
    },
  };
  try {
    const result = await of.handle(deliveries, world, budget, joining);
    world.log.line(result.failed.length > 0 ? "warn" : "info", "batch", { ...facts(), failed: result.failed.length });
    return result;
  } catch (fault) {
    world.log.line("error", "batch", { ...facts(), failed: batch.length, ...faultFields(fault) });
    return { failed: batch.map(({ id }) => id) };
  }
};

/** How long a message waits that failed at its delivery of this number: what passes by itself does so in seconds, or takes long. */
export const retryDelayMs = (attempts: number): number => Math.min(FIRST_MS * GROWTH ** (attempts - 1), LONGEST_MS);

const FIRST_MS = 5 * SECOND_MS;
const GROWTH = 4;
const LONGEST_MS = 15 * MINUTE_MS;
