import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import * as z from "zod";
import type { QueueName } from "../../../lib/ports/queues.ts";
import { UserError } from "../user-error.ts";
import { deadLetters } from "./store-names.ts";

/** Where the embedded SQS and S3 answer, and how to end them. */
export interface LocalStore {
  readonly endpoint: string;
  stop(): Promise<void>;
}

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

const Ready = z.union([z.object({ port: z.number() }), z.object({ error: z.string() })]);

/**
 * Starts the embedded SQS and S3 in a thread of their own, so that neither a long request nor a large object holds up ours.
 * With a folder both are durable: what was confirmed survives a killed process.
 */
export const startStore = async (storeDir: string): Promise<LocalStore> => {
  mkdirSync(storeDir, { recursive: true });
  const worker = new Worker(new URL("./store-thread.ts", import.meta.url), { workerData: { storeDir } });
  const [message] = await once(worker, "message");
  const ready = Ready.parse(message);
  if ("error" in ready) throw new UserError(`The embedded queue and object store did not start: ${ready.error}`);
  const endpoint = `http://127.0.0.1:${ready.port}`;
  return {
    endpoint,
    async stop() {
      const gone = once(worker, "exit");
      worker.postMessage("stop");
      await gone;
    },
  };
};
