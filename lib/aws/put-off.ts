import { SQSClient } from "@aws-sdk/client-sqs";
import type { PutOff } from "../lambda/consumer.ts";
import type { QueueName } from "../ports/queues.ts";
import { sqsSource } from "./aws-queues.ts";
import { ENVIRONMENT, type Environment } from "./environment.ts";

/** Hides messages of a consumer's own queue for another while. The client is made with the first message that fails. */
export const putOffIn = (queue: QueueName, environment: Environment = process.env): PutOff => {
  let client: SQSClient | undefined;
  return (messages) => {
    client ??= new SQSClient();
    const url = environment[ENVIRONMENT.queues[queue]] ?? "";
    return sqsSource(client, { live: url, historical: url, jobs: url }).putOff(queue, messages);
  };
};
