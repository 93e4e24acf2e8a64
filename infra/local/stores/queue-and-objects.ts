import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { QueueName } from "../../../lib/ports/queues.ts";
import { UserError } from "../user-error.ts";
import { StoreMessage } from "./store-message.ts";
import { deadLetters } from "./store-names.ts";

/** Where the embedded SQS and S3 answer, and how to end them. */
export interface LocalStore {
  readonly endpoint: string;
  /** Messages that were being worked on when a platform on this directory was killed, and are taken up again. */
  readonly inWork: number;
  /** Messages that were given up on, by the queue they came from, as of now. */
  deadLetters(): DeadLetters;
  /** Settles when a queue has a first message. */
  readonly used: Readonly<Record<QueueName, Promise<void>>>;
  /** Gives back what is still in work as if it had never been handed out. */
  stop(): Promise<void>;
}

export type DeadLetters = Readonly<Record<QueueName, number>>;

export const queueUrls = (endpoint: string): Readonly<Record<QueueName, string>> => {
  const url = (queue: QueueName): string => `${endpoint}/000000000000/${queue}`;
  return { live: url("live"), historical: url("historical"), jobs: url("jobs") };
};

/** Where the messages of each queue end that could not be worked. */
export const deadLetterUrls = (endpoint: string): Readonly<Record<QueueName, string>> => {
  const url = (queue: QueueName): string => `${endpoint}/000000000000/${deadLetters(queue)}`;
  return { live: url("live"), historical: url("historical"), jobs: url("jobs") };
};

/** Where a data directory keeps queues and objects. */
export const storeDirectory = (dataDir: string): string => join(dataDir, "store");

/** The file in which a data directory keeps its messages. */
export const queueFile = (dataDir: string): string => join(storeDirectory(dataDir), "fauxqs.db");

/**
 * Starts the embedded SQS and S3 in a thread of their own, so that neither a long request nor a large object holds up ours.
 * With a folder both are durable: what was confirmed survives a killed process.
 */
export const startStore = async (storeDir: string): Promise<LocalStore> => {
  mkdirSync(storeDir, { recursive: true });
  const worker = new Worker(new URL("./store-thread.ts", import.meta.url), { workerData: { storeDir } });
  const dead: Record<QueueName, number> = { live: 0, historical: 0, jobs: 0 };
  const used = { live: Promise.withResolvers<void>(), historical: Promise.withResolvers<void>(), jobs: Promise.withResolvers<void>() };
  const ready = Promise.withResolvers<Extract<StoreMessage, { kind: "ready" }>>();
  worker.on("message", (said: unknown) => {
    const message = StoreMessage.parse(said);
    if (message.kind === "dead letters") dead[message.queue] = message.messages;
    else if (message.kind === "used") used[message.queue].resolve();
    else if (message.kind === "ready") ready.resolve(message);
    else ready.reject(new UserError(`The embedded queue and object store did not start: ${message.error}`));
  });
  worker.once("error", ready.reject);
  const { port, inWork } = await ready.promise;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    inWork,
    deadLetters: () => ({ ...dead }),
    used: { live: used.live.promise, historical: used.historical.promise, jobs: used.jobs.promise },
    async stop() {
      const gone = once(worker, "exit");
      worker.postMessage("stop");
      await gone;
    },
  };
};
