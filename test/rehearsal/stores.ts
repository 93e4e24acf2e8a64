import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CreateTableCommand, DynamoDBClient, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { buildApp } from "fauxqs";
import { type Made, type MadeStage, REGION } from "./template.ts";

/** The embedded database, queues and objects, with what the templates declare in them and nothing else. */
export interface Stores {
  readonly table: string;
  readonly store: string;
  stop(): Promise<void>;
}

const CREDENTIALS = { accessKeyId: "operator", secretAccessKey: "rehearsal" };
const PROBE_PAUSE_MS = 10;

export const startStores = async (folder: string): Promise<Stores> => {
  const [database, app] = await Promise.all([startDatabase(join(folder, "table.db")), startQueues()]);
  return {
    table: database.endpoint,
    store: app.endpoint,
    async stop() {
      const gone = once(database.child, "exit");
      database.child.kill();
      await Promise.all([gone, app.close()]);
    },
  };
};

const startQueues = async () => {
  const app = buildApp({ logger: false, defaultRegion: REGION });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { endpoint: `http://127.0.0.1:${port}`, close: () => app.close() };
};

const startDatabase = async (file: string): Promise<{ readonly endpoint: string; readonly child: ChildProcess }> => {
  const port = await freePort();
  const packaged = createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`);
  const words = ["serve", "--host", "127.0.0.1", "--port", String(port), "--db-path", file];
  const child = spawn(join(dirname(packaged), "dynoxide"), words, { stdio: "ignore" });
  const endpoint = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error("the embedded database did not start");
    const answers = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answers) return { endpoint, child };
    await pause(PROBE_PAUSE_MS);
  }
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** Makes the tables, queues and buckets of a stage. `speed`: how much faster the queues' clock goes. */
export const makeStores = async (stage: MadeStage, { table, store }: Stores, speed: number): Promise<void> => {
  const region = REGION;
  const dynamodb = new DynamoDBClient({ endpoint: table, region, credentials: CREDENTIALS });
  const sqs = new SQSClient({ endpoint: store, region, credentials: CREDENTIALS });
  const s3 = new S3Client({ endpoint: store, region, credentials: CREDENTIALS, forcePathStyle: true });
  for (const { ref, properties } of stage.of("AWS::DynamoDB::GlobalTable")) {
    const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema, TimeToLiveSpecification } = properties;
    await dynamodb.send(new CreateTableCommand({ TableName: ref, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema }));
    if (TimeToLiveSpecification) await dynamodb.send(new UpdateTimeToLiveCommand({ TableName: ref, TimeToLiveSpecification }));
  }
  for (const { ref } of stage.of("AWS::S3::Bucket")) await s3.send(new CreateBucketCommand({ Bucket: ref }));
  // Dead letters first: the others point to them.
  for (const queue of stage.of("AWS::SQS::Queue").toSorted((one, other) => redrives(one) - redrives(other))) {
    const { VisibilityTimeout = 30, RedrivePolicy } = queue.properties;
    await sqs.send(
      new CreateQueueCommand({
        QueueName: queueName(queue),
        Attributes: {
          VisibilityTimeout: String(Math.ceil(VisibilityTimeout / speed)),
          ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
        },
      }),
    );
  }
};

const redrives = ({ properties }: Made): number => (properties.RedrivePolicy ? 1 : 0);

export const queueName = ({ ref }: Made): string => ref.split("/").at(-1) ?? ref;
