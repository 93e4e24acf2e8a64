import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { Defect } from "../core/unreachable.ts";
import {
  MAX_MESSAGE_BYTES,
  MAX_MESSAGES_PER_SEND,
  type Outgoing,
  type QueueName,
  type QueueSource,
  type Queues,
  type VisibilityChange,
} from "../ports/queues.ts";
import type { Log } from "../ports/system.ts";

/** How long entries that were not stored are tried again, counted from the first try: the client behind them waits. */
const RETRY_BUDGET_MS = 2_000;
/** Pauses between tries; the third is the last that fits into the budget. */
const RETRY_PAUSES_MS = [100, 300, 900] as const;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Cuts messages into requests of at most ten messages and 1 MiB. Throws for a message that is too long or empty by itself. */
export const cutIntoRequests = (messages: readonly Outgoing[]): readonly (readonly Outgoing[])[] => {
  const requests: Outgoing[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = Buffer.byteLength(message.body);
    if (size === 0 || size > MAX_MESSAGE_BYTES) throw new Defect(`a message of ${size} bytes cannot be queued`);
    const last = requests.at(-1);
    if (last && last.length < MAX_MESSAGES_PER_SEND && bytes + size <= MAX_MESSAGE_BYTES) {
      last.push(message);
      bytes += size;
    } else {
      requests.push([message]);
      bytes = size;
    }
  }
  return requests;
};

/** Sends one request and returns the messages that it did not store; an entry's id is its place, so that any id may be used. */
const sendOnce = async (client: SQSClient, url: string, messages: readonly Outgoing[], log: Log): Promise<readonly Outgoing[]> => {
  const Entries = messages.map(({ body, delaySeconds }, place) => ({
    Id: String(place),
    MessageBody: body,
    ...(delaySeconds && { DelaySeconds: delaySeconds }),
  }));
  try {
    const answer = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
    const stored = new Set((answer.Successful ?? []).map((entry) => entry.Id));
    const [failed] = answer.Failed ?? [];
    if (failed) log.line("warn", "queue.entry_refused", { queue: url, entries: answer.Failed?.length, reason: failed.Code });
    return messages.filter((_, place) => !stored.has(String(place)));
  } catch (thrown) {
    log.line("warn", "queue.send_failed", { queue: url, entries: messages.length, reason: String(thrown) });
    // The request may have been stored although its answer was lost: sending it again only adds copies, which identity removes.
    return messages;
  }
};

const sendWithRetries = async (client: SQSClient, url: string, messages: readonly Outgoing[], log: Log): Promise<readonly Outgoing[]> => {
  const start = performance.now();
  let open = await sendOnce(client, url, messages, log);
  for (const wait of RETRY_PAUSES_MS) {
    if (open.length === 0 || performance.now() - start + wait > RETRY_BUDGET_MS) return open;
    await pause(wait);
    open = await sendOnce(client, url, open, log);
  }
  return open;
};

/** The sending side over SQS: requests in parallel, unconfirmed entries tried again for two seconds with the same bodies. */
export const sqsQueues = (client: SQSClient, urls: Readonly<Record<QueueName, string>>, log: Log): Queues => ({
  async send(queue, messages) {
    const unsent = await Promise.all(cutIntoRequests(messages).map((request) => sendWithRetries(client, urls[queue], request, log)));
    return unsent.flat().map((message) => message.id);
  },
});

const deleteSome = async (client: SQSClient, url: string, receipts: readonly string[]): Promise<void> => {
  const Entries = receipts.map((receipt, place) => ({ Id: String(place), ReceiptHandle: receipt }));
  await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
};

const changeSomeVisibility = async (client: SQSClient, url: string, messages: readonly VisibilityChange[]): Promise<void> => {
  const Entries = messages.map(({ receipt, afterMs }, place) => ({
    Id: String(place),
    ReceiptHandle: receipt,
    VisibilityTimeout: Math.max(1, Math.round(afterMs / 1_000)),
  }));
  await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
};

const inChunks = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / MAX_MESSAGES_PER_SEND) }, (_, index) =>
    all.slice(index * MAX_MESSAGES_PER_SEND, (index + 1) * MAX_MESSAGES_PER_SEND),
  );

/**
 * The receiving side, for the local platform's own poller and for dead letters; what is deployed is polled for. An acknowledgement that gets lost
 * leads to another delivery, as it does there. Waits of less than a second are for the embedded queue only.
 */
export const sqsSource = (client: SQSClient, urls: Readonly<Record<QueueName, string>>): QueueSource => ({
  async receive(queue, { max, waitMs, visibilityMs }) {
    const answer = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: urls[queue],
        MaxNumberOfMessages: max,
        WaitTimeSeconds: waitMs / 1000,
        VisibilityTimeout: Math.ceil(visibilityMs / 1000),
        MessageSystemAttributeNames: ["ApproximateReceiveCount"],
      }),
    );
    return (answer.Messages ?? []).map((message) => ({
      id: message.MessageId ?? "",
      receipt: message.ReceiptHandle ?? "",
      body: message.Body ?? "",
      attempts: Number(message.Attributes?.ApproximateReceiveCount ?? 1),
    }));
  },
  async acknowledge(queue, receipts) {
    await Promise.all(inChunks(receipts).map((chunk) => deleteSome(client, urls[queue], chunk)));
  },
  async changeVisibility(queue, messages) {
    await Promise.all(inChunks(messages).map((chunk) => changeSomeVisibility(client, urls[queue], chunk)));
  },
});

/** How long one call may take; the tries around it are ours. */
const CONNECT_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_000;

export const openQueues = (urls: Readonly<Record<QueueName, string>>, log: Log): Queues => {
  const requestHandler = { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true };
  return sqsQueues(new SQSClient({ maxAttempts: 1, requestHandler }), urls, log);
};

export const openSource = (urls: Readonly<Record<QueueName, string>>): QueueSource => sqsSource(new SQSClient({}), urls);
