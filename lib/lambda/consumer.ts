import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { faultFields } from "../http/serve/request-log.ts";
import type { Budget } from "../ports/budget.ts";
import type { BatchResult, Delivery, QueueName } from "../ports/queues.ts";
import type { Part, World } from "../world/world.ts";
import { openOnce } from "./open-once.ts";

/** What one function does with the messages of one queue. */
export interface Consumer {
  readonly name: string;
  readonly queue: QueueName;
  readonly uses: readonly Part[];
  /** Names the messages to deliver again; what it throws is as if it had named all of them. */
  handle(deliveries: readonly Delivery[], world: World, budget: Budget): Promise<BatchResult>;
}

export const consumer = (spec: Consumer): Consumer => Object.freeze(spec);

/** The deployed function of a consumer: only the named messages come back, and a fault brings back all of them. */
export const sqsHandler = (of: Consumer, openWorld: () => World | Promise<World>) => {
  const world = openOnce(openWorld);
  return middy<SQSEvent, SQSBatchResponse>(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const deliveries = event.Records.map((record) => ({
      id: record.messageId,
      body: record.body,
      attempts: Number(record.attributes.ApproximateReceiveCount),
    }));
    const { failed } = await consume(of, deliveries, await world(), { remainingMs: () => context.getRemainingTimeInMillis() });
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  });
};

/** Hands a batch to a consumer and writes its log line; the one way in, deployed and locally. Never throws. */
export const consume = async (of: Consumer, deliveries: readonly Delivery[], world: World, budget: Budget): Promise<BatchResult> => {
  const began = world.clock.now();
  const facts = () => ({ consumer: of.name, messages: deliveries.length, duration_ms: world.clock.now() - began });
  try {
    const result = await of.handle(deliveries, world, budget);
    world.log.line(result.failed.length > 0 ? "warn" : "info", "batch", { ...facts(), failed: result.failed.length });
    return result;
  } catch (fault) {
    world.log.line("error", "batch", { ...facts(), failed: deliveries.length, ...faultFields(fault) });
    return { failed: deliveries.map(({ id }) => id) };
  }
};
