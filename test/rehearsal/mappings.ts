import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { type Functions, functionName } from "./functions.ts";
import type { Lineage } from "./lineage.ts";
import { type Ask, allows, type Statement } from "./rights.ts";
import { type Made, type MadeStage, REGION } from "./template.ts";

export interface Mappings {
  /** Goes on as the templates say now, once what is in work is done. */
  replace(stage: MadeStage): Promise<void>;
  /** Resolves once nothing waits in any queue and nothing is in work. */
  stop(): Promise<void>;
}

export interface MappingsOptions {
  readonly store: string;
  readonly speed: number;
  readonly functions: Functions;
  readonly lineage: Lineage;
  statements(role: string): readonly Statement[];
  /** How far the functions' clock is ahead of this machine's, milliseconds. */
  shiftMs(): number;
  failed(fault: unknown): void;
  /** Told of what a mapping does with its function's role. */
  asked(caller: string, ask: Ask): void;
  /** Told of a mapping that handed messages on. */
  used(id: string): void;
}

const PER_RECEIVE = 10;
const IDLE_PAUSE_MS = 20;
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;
/** What a mapping does with its function's role. */
const NEEDED = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];

/** Feeds functions from queues, as the templates' mappings say. */
export const startMappings = (first: MadeStage, options: MappingsOptions): Mappings => {
  const sqs = new SQSClient({
    endpoint: options.store,
    region: REGION,
    credentials: { accessKeyId: "operator", secretAccessKey: "rehearsal" },
  });
  const begin = (stage: MadeStage) => {
    const stopping = new AbortController();
    const running = stage.of("AWS::Lambda::EventSourceMapping").map((mapping) => follow(stage, mapping, sqs, options, stopping.signal));
    return async () => {
      stopping.abort();
      await Promise.all(running);
    };
  };
  let end = begin(first);
  return {
    async replace(stage) {
      await end();
      end = begin(stage);
    },
    async stop() {
      await end();
      sqs.destroy();
    },
  };
};

const find = (made: Made | undefined, what: string): Made => {
  if (made === undefined) throw new Error(`a mapping names ${what}, which is not there`);
  return made;
};

const follow = async (stage: MadeStage, mapping: Made, sqs: SQSClient, options: MappingsOptions, signal: AbortSignal): Promise<void> => {
  const {
    EventSourceArn,
    FunctionName,
    BatchSize = 10,
    MaximumBatchingWindowInSeconds = 0,
    ScalingConfig,
    FunctionResponseTypes = [],
  } = mapping.properties;
  const byArn = (arn: string): Made | undefined =>
    stage.of("AWS::SQS::Queue").find(({ ref }) => ref.split("/").at(-1) === arn.split(":").at(-1));
  const queue = find(byArn(EventSourceArn), EventSourceArn);
  const name = functionName(FunctionName);
  const served = find(
    stage.of("AWS::Lambda::Function").find(({ ref }) => ref === name),
    FunctionName,
  );
  const role = options.statements(served.properties.Role);
  for (const action of NEEDED) {
    const needed = { action, resource: EventSourceArn, context: { "aws:SecureTransport": ["true"] } };
    if (!allows(role, needed)) throw new Error(`${name} may not ${action} its own queue: the mapping would not be made`);
    options.asked(name, needed);
  }
  const redrive = queue.properties.RedrivePolicy;
  const deadLetters = redrive && byArn(redrive.deadLetterTargetArn);
  const windowMs = (MaximumBatchingWindowInSeconds * 1_000) / options.speed;

  const remove = async (messages: readonly Message[]): Promise<void> => {
    for (const { ReceiptHandle } of messages) await sqs.send(new DeleteMessageCommand({ QueueUrl: queue.ref, ReceiptHandle }));
  };
  const again = async (messages: readonly Message[]): Promise<void> => {
    for (const { ReceiptHandle } of messages)
      await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: queue.ref, ReceiptHandle, VisibilityTimeout: 0 }));
  };

  const gather = async (): Promise<readonly Message[]> => {
    const messages: Message[] = [];
    let bytes = 0;
    let until = Number.POSITIVE_INFINITY;
    while (!signal.aborted && messages.length < BatchSize && performance.now() < until && bytes < MAX_PAYLOAD_BYTES / 2) {
      const most = Math.min(PER_RECEIVE, BatchSize - messages.length);
      const answer = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: queue.ref,
          MaxNumberOfMessages: most,
          MessageSystemAttributeNames: ["All"],
        }),
      );
      const got = answer.Messages ?? [];
      if (got.length > 0 && messages.length === 0) until = performance.now() + windowMs;
      messages.push(...got);
      bytes += got.reduce((sum, { Body = "" }) => sum + Body.length, 0);
      if (got.length === 0) await pause(IDLE_PAUSE_MS);
    }
    return messages;
  };

  const hand = async (messages: readonly Message[]): Promise<void> => {
    const { looped, others, trace } = options.lineage.follow(served, messages);
    if (looped.length > 0) {
      for (const { Body } of deadLetters ? looped : [])
        await sqs.send(new SendMessageCommand({ QueueUrl: deadLetters?.ref, MessageBody: Body }));
      await remove(looped);
    }
    if (others.length === 0) return;
    const event = { Records: others.map((message) => asRecord(message, EventSourceArn, options.shiftMs())) };
    options.used(mapping.id);
    const outcome = await options.functions.invoke(name, event, trace);
    // A failed call leaves its messages hidden until their time is over; a throttled one is made again.
    if (!outcome.ok) return outcome.kind === "throttled" ? again(others) : undefined;
    const partial = FunctionResponseTypes.includes("ReportBatchItemFailures");
    const failed = new Set<string>(
      partial ? (JSON.parse(outcome.json)?.batchItemFailures ?? []).map((each: { itemIdentifier: string }) => each.itemIdentifier) : [],
    );
    await remove(others.filter(({ MessageId = "" }) => !failed.has(MessageId)));
  };

  const pollers = Array.from({ length: ScalingConfig?.MaximumConcurrency ?? 2 }, async () => {
    while (!signal.aborted) {
      try {
        const messages = await gather();
        if (messages.length > 0) await hand(messages);
      } catch (fault) {
        if (!signal.aborted) options.failed(fault);
        await pause(IDLE_PAUSE_MS);
      }
    }
  });
  await Promise.all(pollers);
};

/** Queues' own stamps, told by the functions' clock. */
const STAMPS = ["SentTimestamp", "ApproximateFirstReceiveTimestamp"] as const;

const asRecord = ({ MessageId, ReceiptHandle, Body, Attributes = {} }: Message, arn: string, shiftMs: number): object => ({
  messageId: MessageId ?? randomUUID(),
  receiptHandle: ReceiptHandle,
  body: Body,
  attributes: { ...Attributes, ...Object.fromEntries(STAMPS.map((name) => [name, String(Number(Attributes[name]) + shiftMs)])) },
  messageAttributes: {},
  md5OfBody: "",
  eventSource: "aws:sqs",
  eventSourceARN: arn,
  awsRegion: REGION,
});
