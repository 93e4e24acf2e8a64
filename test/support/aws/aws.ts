import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { oldestMessage } from "../../../infra/local/stores/copies.ts";
import { tableFile } from "../../../infra/local/stores/dynamodb.ts";
import { readRunning } from "../../../infra/local/stores/lock.ts";
import { queueFile } from "../../../infra/local/stores/queue-and-objects.ts";
import { BUCKET } from "../../../infra/local/stores/store-names.ts";
import { TABLE } from "../../../infra/local/world.ts";
import { FORMATS_WRITTEN, STACK_OUTPUTS, stackNames } from "../../../infra/outputs.ts";
import { GENERATION, NEXT_GENERATION } from "../../../lib/core/formats.ts";
import { QUEUES, type QueueName } from "../../../lib/ports/queues.ts";
import { describeStack } from "../../rehearsal/other-services.ts";
import { openSecrets } from "../../rehearsal/secrets.ts";
import { flat, portOf, stop } from "../../rehearsal/services.ts";
import { type Buckets, openBuckets, type S3Request } from "./buckets.ts";
import { type Exports, openExports } from "./exports.ts";
import { oldestAges } from "./metrics.ts";

/** The services of AWS as an operator's command reaches them, over the embedded parts of platforms that stand for stages. */
export interface Aws {
  readonly url: string;
  /** Makes a stage of the platform that runs on a data directory, in an account of its own, and gives the environment of its operator. */
  addStage(name: string, dataDir: string): NodeJS.ProcessEnv;
  readonly buckets: Buckets;
  readonly exports: Exports;
  stop(): Promise<void>;
}

interface Account {
  readonly dynamodb: string;
  readonly store: string;
  readonly dataDir: string;
  readonly outputs: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const REGION = "us-east-1";
const CREDENTIAL = /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)\//;

/** `backups`: where an empty store answers, whose bucket is the one that backups go to, under the name `backups`. */
export const startAws = async (backups: string): Promise<Aws> => {
  const accounts = new Map<string, Account>();
  const buckets = openBuckets();
  buckets.add("backups", { endpoint: backups, bucket: BUCKET });
  const exports = openExports(buckets);
  const secrets = openSecrets({});
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const headers = flat(incoming.headers);
    const url = new URL(incoming.url ?? "/", "http://services");
    const [, caller = "", service = ""] = CREDENTIAL.exec(headers.authorization ?? "") ?? [];
    const account = accounts.get(caller);
    const received = { service, method: incoming.method ?? "GET", url, headers, body };
    try {
      if (account === undefined) throw new Error(`nobody is called ${caller}`);
      const answer = await answerOf(account, received);
      outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    } catch (fault) {
      outgoing.writeHead(500, { "content-type": "text/plain" }).end(String(fault));
    }
  });
  const answerOf = async (account: Account, received: S3Request & { readonly service: string }): Promise<Reply> => {
    const { service, headers, body } = received;
    const own = (status: number, type: string, text: string) => ({ status, headers: { "content-type": type }, body: Buffer.from(text) });
    if (service === "s3") return buckets.answer(received);
    if (service === "sqs") return forward(account.store, received);
    if (service === "dynamodb") {
      const exported = await exports.answer(headers["x-amz-target"] ?? "", body, account);
      return exported === undefined
        ? forward(account.dynamodb, received)
        : own(exported.status, "application/x-amz-json-1.0", exported.body);
    }
    if (service === "monitoring") {
      const oldest = (queue: QueueName) => oldestMessage(queueFile(account.dataDir), queue);
      return own(
        200,
        "application/x-amz-json-1.0",
        oldestAges(body, (name) => QUEUES.filter((queue) => queue === name).map(oldest)[0]),
      );
    }
    if (service === "ssm") {
      const { status, type = "", body: text } = secrets.answer(received);
      return own(status, type, text);
    }
    const { status, type = "", body: text } = describeStack(account, new URLSearchParams(body.toString()).get("StackName") ?? "");
    return own(status, type, text);
  };
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${portOf(server)}`;
  return {
    ...{ url, buckets, exports },
    addStage(name, dataDir) {
      const running = readRunning(dataDir);
      if (running === undefined) throw new Error(`no platform runs on ${dataDir}`);
      const { dynamodb, store } = running;
      const bucket = `${name}-lake`;
      const outputs = new Map([
        [STACK_OUTPUTS.table, TABLE],
        [STACK_OUTPUTS.bucket, bucket],
        [STACK_OUTPUTS.formatsRead, String(NEXT_GENERATION)],
        ...QUEUES.flatMap((queue) => [
          [STACK_OUTPUTS.queues[queue], `${url}/000000000000/${queue}`] as const,
          [STACK_OUTPUTS.deadLetters[queue], `${url}/000000000000/${queue}-dead-letters`] as const,
        ]),
      ]);
      const written = new Map([[FORMATS_WRITTEN, String(GENERATION)]]);
      accounts.set(name, {
        dynamodb,
        store,
        dataDir,
        outputs: new Map([
          [name, outputs],
          [stackNames(name).data, written],
        ]),
      });
      buckets.add(bucket, { endpoint: store, bucket: BUCKET, dataDir });
      exports.add(dynamodb, { file: tableFile(dataDir), bucket });
      return {
        ...process.env,
        AWS_ENDPOINT_URL: url,
        AWS_REGION: REGION,
        AWS_ACCESS_KEY_ID: name,
        AWS_SECRET_ACCESS_KEY: "operator",
      };
    },
    async stop() {
      await Promise.all([stop(server), buckets.stop()]);
    },
  };
};

/** An answer of a service. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Hands a request on to an embedded part. */
export const forward = (to: string, { method, url, headers, body }: S3Request): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = { ...headers, "content-length": String(body.length) };
    const onward = request(new URL(`${url.pathname}${url.search}`, to), { method, headers: sent }, async (answer) => {
      resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: await buffer(answer) });
    });
    onward.once("error", reject);
    onward.end(body);
  });
