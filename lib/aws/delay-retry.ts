import { SQSClient } from "@aws-sdk/client-sqs";
import type { DelayRetry } from "../lambda/consumer.ts";
import type { QueueName } from "../ports/queues.ts";
import { sqsSource } from "./aws-queues.ts";
import { ENVIRONMENT } from "./environment.ts";

/** Delays the next delivery of messages of a consumer's own queue. The client is made with the first message that fails. */
export const delayRetryOn = (queue: QueueName): DelayRetry => {
  let client: SQSClient | undefined;
  return (messages) => {
    client ??= new SQSClient();
    const url = process.env[ENVIRONMENT.queues[queue]] ?? "";
    return sqsSource(client, { live: url, historical: url, jobs: url }).changeVisibility(queue, messages);
  };
};
