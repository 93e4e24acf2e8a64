import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { Delivery, QueueName, Verdict } from "../world/queues.ts";
import type { Part, World } from "../world/world.ts";
import { openOnce } from "./open-once.ts";
import { faultFields } from "./request-log.ts";

/** Milliseconds that are left for a batch; asked for again and again, so that work ends before the platform ends it. */
export interface Budget {
  remainingMs(): number;
}

/** What one function does with the messages of one queue. */
export interface Consumer {
  readonly name: string;
  readonly queue: QueueName;
  readonly uses: readonly Part[];
  /** Names the messages to deliver again; what it throws is as if it had named all of them. */
  handle(deliveries: readonly Delivery[], world: World, budget: Budget): Promise<Verdict>;
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
export const consume = async (of: Consumer, deliveries: readonly Delivery[], world: World, budget: Budget): Promise<Verdict> => {
  const began = world.clock.now();
  const facts = () => ({ consumer: of.name, messages: deliveries.length, duration_ms: world.clock.now() - began });
  try {
    const verdict = await of.handle(deliveries, world, budget);
    world.log.line(verdict.failed.length > 0 ? "warn" : "info", "batch", { ...facts(), failed: verdict.failed.length });
    return verdict;
  } catch (fault) {
    world.log.line("error", "batch", { ...facts(), failed: deliveries.length, ...faultFields(fault) });
    return { failed: deliveries.map(({ id }) => id) };
  }
};

/** What one function does at a fixed rate. */
export interface Schedule {
  readonly name: string;
  /** As the platform's scheduler spells a rate: "5 minutes". */
  readonly every: `${number} ${"minute" | "minutes" | "hour" | "hours" | "day" | "days"}`;
  readonly uses: readonly Part[];
  run(world: World, budget: Budget): Promise<void>;
}

export const schedule = (spec: Schedule): Schedule => Object.freeze(spec);

/** The deployed function of a schedule. A fault is thrown on, so that the platform counts it and tries again. */
export const scheduleHandler = (of: Schedule, openWorld: () => World | Promise<World>) => {
  const world = openOnce(openWorld);
  return middy<unknown, void>(async (_event: unknown, context: Context): Promise<void> => {
    await runSchedule(of, await world(), { remainingMs: () => context.getRemainingTimeInMillis() });
  });
};

/** Runs a schedule once and writes its log line; the one way in, deployed and locally. */
export const runSchedule = async (of: Schedule, world: World, budget: Budget): Promise<void> => {
  const began = world.clock.now();
  const facts = () => ({ schedule: of.name, duration_ms: world.clock.now() - began });
  try {
    await of.run(world, budget);
  } catch (fault) {
    world.log.line("error", "schedule", { ...facts(), ...faultFields(fault) });
    throw fault;
  }
  world.log.line("info", "schedule", facts());
};
