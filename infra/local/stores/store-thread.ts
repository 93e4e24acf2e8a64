import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { buildApp } from "fauxqs";
import * as z from "zod";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { QUEUES } from "../../../lib/ports/queues.ts";
import { MAX_DELIVERIES } from "../../sizing.ts";
import { giveBack, markDelayed, takeUp, watchDeadLetters, watchFirstMessage } from "./messages-in-work.ts";
import { forgetBeforePut, loadObjects, type ObjectFiles, type Stores } from "./object-files.ts";
import type { StoreMessage } from "./store-message.ts";
import { BUCKET, deadLetters, objectFile } from "./store-names.ts";

/** The modules of the store that we use. Its public entry listens on every interface of the machine; ours only on this host. */
interface Internals {
  readonly SqsStore: new () => Stores["sqsStore"];
  readonly SnsStore: new () => Stores["snsStore"];
  readonly S3Store: new () => Stores["s3Store"];
  readonly PersistenceManager: new (folder: string) => QueueFile;
  readonly FileS3Persistence: new (folder: string) => ObjectFiles;
}

type QueueFile = NonNullable<Stores["sqsStore"]["persistence"]>;

/** Guarantee: this field of the pinned version is its open connection. */
const connection = (file: QueueFile): DatabaseSync => Reflect.get(file, "db") as DatabaseSync;

/** Guarantee: the package is pinned to one exact version, whose modules export these classes. */
const internals = async (): Promise<Internals> => {
  const entry = import.meta.resolve("fauxqs");
  const names = ["sqs/sqsStore.js", "sns/snsStore.js", "s3/s3Store.js", "persistence.js", "s3/fileS3Persistence.js"];
  const modules = await Promise.all(names.map((name) => import(new URL(name, entry).href)));
  return Object.assign({}, ...modules) as Internals;
};

const tell = (message: StoreMessage): void => parentPort?.postMessage(message);

const REGION = "us-east-1";
const arn = (name: string): string => `arn:aws:sqs:${REGION}:000000000000:${name}`;

const makeQueues = (sqs: Stores["sqsStore"]): void => {
  const make = (name: string, attributes: Record<string, string>): void => {
    // Making one that exists would delete its messages from the file.
    if (!sqs.getQueueByName(name)) sqs.createQueue(name, `http://127.0.0.1/000000000000/${name}`, arn(name), attributes);
  };
  for (const queue of QUEUES) {
    make(deadLetters(queue), {});
    const redrive = { deadLetterTargetArn: arn(deadLetters(queue)), maxReceiveCount: MAX_DELIVERIES[queue] };
    make(queue, { RedrivePolicy: JSON.stringify(redrive) });
  }
};

/** What people upload past the platform, with the form around it. */
const MOST_BODY_BYTES = 110 * 1024 * 1024;

/** The store takes bodies of 11 MB, which is enough for a platform that uploads in parts, and not for a client that posts a whole file. */
const takeLargeBodies = (app: ReturnType<typeof buildApp>): void => {
  const body = { parseAs: "buffer", bodyLimit: MOST_BODY_BYTES } as const;
  // The empty name is that of the parser for everything that has none of its own.
  app.removeContentTypeParser("");
  app.addContentTypeParser("*", body, (_request, bytes, done) => done(null, bytes));
};

const start = async (storeDir: string) => {
  const { SqsStore, SnsStore, S3Store, PersistenceManager, FileS3Persistence } = await internals();
  const queueFile = new PersistenceManager(storeDir);
  const objectsDir = join(storeDir, "objects");
  const objectFiles = new FileS3Persistence(objectsDir);
  const s3Store = loadObjects(() => new S3Store(), objectFiles, objectsDir);
  forgetBeforePut(objectFiles, objectFile(storeDir));
  const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store };
  // What was confirmed survives the process; a machine that loses power is not this store's business, and each sync costs milliseconds.
  connection(queueFile).exec("PRAGMA synchronous = NORMAL");
  const inWork = takeUp(connection(queueFile));
  queueFile.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  stores.sqsStore.persistence = queueFile;
  stores.s3Store.persistence = objectFiles;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = queueFile;
  makeQueues(stores.sqsStore);
  if (!stores.s3Store.hasBucket(BUCKET)) stores.s3Store.createBucket(BUCKET);
  for (const name of QUEUES) {
    const [queue, dead] = [stores.sqsStore.getQueueByName(name), stores.sqsStore.getQueueByName(deadLetters(name))];
    if (queue) {
      markDelayed(connection(queueFile), queue);
      watchFirstMessage(queue, () => tell({ kind: "used", queue: name }));
    }
    if (dead) watchDeadLetters(dead, (messages) => tell({ kind: "dead letters", queue: name, messages }));
  }
  const app = buildApp({ logger: false, defaultRegion: REGION, stores });
  takeLargeBodies(app);
  await app.listen({ port: 0, host: "127.0.0.1" });
  parentPort?.once("message", async () => {
    await app.close();
    try {
      giveBack(connection(queueFile));
    } catch {
      // On a full disk nothing can be given back; the next start takes it up.
    }
    queueFile.close();
    objectFiles.close();
  });
  const address = app.server.address();
  return { port: typeof address === "object" && address ? address.port : 0, inWork };
};

try {
  const { storeDir } = z.object({ storeDir: z.string() }).parse(workerData);
  tell({ kind: "ready", ...(await start(storeDir)) });
} catch (thrown) {
  tell({ kind: "failed", error: thrownMessage(thrown) });
}
