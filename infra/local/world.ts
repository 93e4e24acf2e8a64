import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { assemble } from "../../lib/app/assemble.ts";
import { systemClock, systemIds } from "../../lib/app/system.ts";
import type { World } from "../../lib/app/world.ts";
import { openModel } from "../../lib/aws/aws.ts";
import { s3Objects } from "../../lib/aws/aws-objects.ts";
import { sqsDepths } from "../../lib/aws/aws-queue-depths.ts";
import { sqsQueues, sqsSource } from "../../lib/aws/aws-queues.ts";
import { type Environment, settings } from "../../lib/aws/environment.ts";
import { lazyEngine, lazySegments } from "../../lib/aws/lazy.ts";
import { writeGeneration } from "../../lib/core/formats.ts";
import type { CountName } from "../../lib/ports/counts.ts";
import type { FileAccess } from "../../lib/ports/file-access.ts";
import type { QueueSource } from "../../lib/ports/queues.ts";
import type { Log } from "../../lib/ports/system.ts";
import type { Table } from "../../lib/ports/table.ts";
import { tokenKeysAt } from "../../lib/ports/token-keys.ts";
import { dynamoTable, embeddedClient } from "../../lib/table/dynamo.ts";
import { withinRights } from "./function-rights.ts";
import { outbox, outboxFolder } from "./outbox.ts";
import { ensureTable } from "./stores/create-table.ts";
import { deadLetterUrls, queueUrls, storeDirectory } from "./stores/queue-and-objects.ts";
import { BUCKET, objectFile } from "./stores/store-names.ts";
import { tokenKeyFile } from "./token-key-file.ts";
import { localInvocations } from "./workers/invocations.ts";

/** The addresses of one platform's parts: all that a thread or an operator's command needs to open its world. */
export const LocalStores = z.object({
  dynamodb: z.string(),
  store: z.string(),
  dataDir: z.string(),
  baseUrl: z.string(),
  ingestUrl: z.string(),
  /** The ClickHouse beside the platform, and who the platform is there. */
  clickhouse: z.object({ url: z.string(), user: z.string(), password: z.string() }).optional(),
});
export type LocalStores = z.output<typeof LocalStores>;

/** All tenants of a laptop ask one process: beside a query that takes long there is a lane for those that do not. */
const ENGINE_LANES = 2;

/** The name of the embedded table. */
export const TABLE = "platform";

/** Signing is a fifth of what a call costs, and nobody here looks at it. */
const unsigned = { sign: async <Request>(request: Request): Promise<Request> => request };

/** The embedded parts check no credentials and know no regions, but the clients insist on both. */
const REGION = "us-east-1";
const CREDENTIALS = { accessKeyId: "local", secretAccessKey: "local" };

export const embedded = (endpoint: string) => ({ endpoint, region: REGION, credentials: CREDENTIALS, signer: unsigned });

/** The files of a laptop: its store opens them to any key, and answers this machine alone. */
const openFiles = (endpoint: string): FileAccess => ({
  store: { region: REGION, endpoint },
  // Some clients take credentials for vended ones only with a session token.
  vend: async () => ({ ...CREDENTIALS, sessionToken: "local" }),
});

/** The table of an embedded database, without bounds on who reads what of it. */
export const localTable = (endpoint: string): Table => dynamoTable(embeddedClient(endpoint), TABLE);

/** Makes the table of a new data directory. */
export const prepare = async (place: LocalStores): Promise<void> => {
  const client = embeddedClient(place.dynamodb);
  await ensureTable(client, TABLE);
  client.destroy();
};

/** A world and the receiving side of its queues. */
export interface LocalParts {
  readonly world: World;
  readonly source: QueueSource;
}

const clickhouseSettings = ({ clickhouse }: LocalStores): Environment =>
  clickhouse === undefined
    ? {}
    : { CLICKHOUSE_URL: clickhouse.url, CLICKHOUSE_USER: clickhouse.user, CLICKHOUSE_PASSWORD: clickhouse.password };

/** Where an engine of a data directory keeps its files, by the name of its world. */
export const engineDirectory = (dataDir: string, name: string): string => join(dataDir, "engine", name);

/**
 * The world of this machine, over the same adapters as the deployed one, and the receiving side of its queues. `name` tells the
 * worlds of one data directory apart: each has a directory for its engine.
 */
export const openLocal = (place: LocalStores, name: string, log: Log): LocalParts => {
  const config = settings({
    COMPACTION: "local",
    MAIL_FROM: "platform@localhost",
    WEBHOOK_HOSTS: "localhost,127.0.0.1",
    ...process.env,
    BASE_URL: place.baseUrl,
    INGEST_URL: place.ingestUrl,
    ...clickhouseSettings(place),
  });
  writeGeneration(config.writeFormats);
  // Bytes do not change on their way through this machine's memory: no digests of bodies.
  const sqs = new SQSClient({ ...embedded(place.store), md5: false });
  const [urls, deadUrls] = [queueUrls(place.store), deadLetterUrls(place.store)];
  const s3 = new S3Client({
    ...embedded(place.store),
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  for (const client of [sqs, s3]) client.middlewareStack.remove("getUserAgentMiddleware");
  const objects = s3Objects(s3, BUCKET, {
    localPath: objectFile(storeDirectory(place.dataDir)),
  });
  const ids = systemIds(systemClock);
  // What a deployed platform makes an alarm of is a line here.
  const counts = { add: async (counted: CountName) => log.line("info", "counted", { counted }) };
  const parts = {
    table: withinRights(localTable(place.dynamodb)),
    queues: sqsQueues(sqs, urls, log),
    queueDepths: sqsDepths(sqs, urls, deadUrls),
    deadLetters: sqsSource(sqs, deadUrls),
    invocations: localInvocations(place.dataDir),
    objects,
    fileAccess: openFiles(place.store),
    // Nobody but the catalogue itself lists the tables of a laptop.
    tableRegistry: { isConfigured: false, register: async () => undefined, forget: async () => undefined },
    counts,
    mail: outbox(outboxFolder(place.dataDir), systemClock, ids),
    model: openModel(process.env),
    tokenKeys: tokenKeysAt(tokenKeyFile(place.dataDir), systemClock, ids),
    engine: lazyEngine(async () => {
      const { openEngine } = await import("../../lib/aws/aws-engine.ts");
      const directory = engineDirectory(place.dataDir, name);
      return openEngine({ objects, directory, lanes: ENGINE_LANES, config, clock: systemClock, ids, log, counts });
    }),
  };
  return { world: assemble(parts, lazySegments, log, config), source: sqsSource(sqs, urls) };
};
