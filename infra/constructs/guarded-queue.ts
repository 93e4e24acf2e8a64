import { Duration } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import type * as lambda from "aws-cdk-lib/aws-lambda";
import * as sqs from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { Consumer } from "../../lib/lambda/consumer.ts";
import { MAX_MESSAGE_BYTES } from "../../lib/ports/queues.ts";
import { MAX_DELIVERIES, visibilitySeconds } from "../sizing.ts";
import { type Notices, watched } from "./alarm.ts";
import { stageBatch } from "./stage-sizes.ts";

export interface GuardedQueue {
  readonly queue: sqs.Queue;
  readonly deadLetters: sqs.Queue;
  grantSend(role: iam.Role): void;
  /** To ask how many messages the queue and its dead letters hold. */
  grantDepth(role: iam.Role): void;
  /** To take dead letters out. */
  grantDeadLetters(role: iam.Role): void;
  /** Hands the queue's messages to its consumer's function, which names those to deliver again. */
  feed(called: lambda.IFunction): void;
}

/** The most that the platform keeps a message, counted from when it was sent, wherever it lies: time to repair what does not take it. */
const QUEUE_DAYS = 14;

/** What a queue and its dead letters have in common. The size is said, because what is sent goes up to it, and a queue may be made with less. */
const EITHER: sqs.QueueProps = {
  encryption: sqs.QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(QUEUE_DAYS),
  maxMessageSizeBytes: MAX_MESSAGE_BYTES,
};

/** What a mapping does with its function's role, and how the function puts off what failed. */
const CONSUME = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ChangeMessageVisibility"];

/** A queue is born with its dead letters, its alarms and their articles in the runbook. */
export const guardedQueue = (
  scope: Construct,
  consumer: Consumer,
  options: { readonly notices: Notices; readonly lateAfter: Duration },
): GuardedQueue => {
  const { queue: name } = consumer;
  const batch = stageBatch(scope, consumer);
  const deadLetters = new sqs.Queue(scope, `${name}-dead-letters`, EITHER);
  const queue = new sqs.Queue(scope, `${name}-queue`, {
    ...EITHER,
    visibilityTimeout: Duration.seconds(visibilitySeconds({ ...consumer, batch })),
    receiveMessageWaitTime: Duration.seconds(20),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: MAX_DELIVERIES[name] },
  });
  watched(scope, options.notices, {
    article: `${name}-dead-letters`,
    says: `Messages of the ${name} queue were given up on.`,
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5), statistic: "Maximum" }),
    above: 0,
  });
  // A queue whose mapping is off is seen by this, too.
  watched(scope, options.notices, {
    article: `${name}-late`,
    says: `Messages of the ${name} queue wait for too long.`,
    metric: queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(5), statistic: "Maximum" }),
    above: options.lateAfter.toSeconds(),
  });
  return {
    queue,
    deadLetters,
    grantSend(role) {
      role.addToPolicy(new iam.PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] }));
    },
    grantDepth(role) {
      const resources = [queue.queueArn, deadLetters.queueArn];
      role.addToPolicy(new iam.PolicyStatement({ actions: ["sqs:GetQueueAttributes"], resources }));
    },
    grantDeadLetters(role) {
      const actions = ["sqs:ReceiveMessage", "sqs:DeleteMessage"];
      role.addToPolicy(new iam.PolicyStatement({ actions, resources: [deadLetters.queueArn] }));
    },
    feed(called) {
      called.addToRolePolicy(new iam.PolicyStatement({ actions: CONSUME, resources: [queue.queueArn] }));
      called.addEventSourceMapping(`${name}-queue`, {
        eventSourceArn: queue.queueArn,
        batchSize: batch.messages,
        maxBatchingWindow: Duration.seconds(batch.windowSeconds),
        maxConcurrency: batch.maxConcurrency,
        reportBatchItemFailures: true,
      });
    },
  };
};
