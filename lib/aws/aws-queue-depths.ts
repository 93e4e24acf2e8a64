import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { QueueDepths, QueueName } from "../ports/queues.ts";

/** Messages of one queue: those that nobody has, with those that are put off, and those that somebody has. */
interface Counted {
  readonly waiting: number;
  readonly inFlight: number;
}

const count = async (client: SQSClient, url: string): Promise<Counted> => {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed"],
    }),
  );
  return {
    waiting: Number(Attributes.ApproximateNumberOfMessages ?? 0) + Number(Attributes.ApproximateNumberOfMessagesDelayed ?? 0),
    inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
};

/**
 * The watching side over SQS: two calls for each queue, side by side. The age of a queue's oldest message is not among its attributes:
 * only a metric tells it, which is paid by the request and minutes old.
 */
export const sqsDepths = (
  client: SQSClient,
  urls: Readonly<Record<QueueName, string>>,
  deadLetterUrls: Readonly<Record<QueueName, string>>,
): QueueDepths => ({
  async read(queue) {
    const [own, dead] = await Promise.all([count(client, urls[queue]), count(client, deadLetterUrls[queue])]);
    return { ...own, deadLetters: dead.waiting + dead.inFlight };
  },
});

export const openDepths = (urls: Readonly<Record<QueueName, string>>, deadLetterUrls: Readonly<Record<QueueName, string>>): QueueDepths =>
  sqsDepths(new SQSClient({}), urls, deadLetterUrls);
