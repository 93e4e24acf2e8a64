import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { Defect } from "../core/unreachable.ts";
import { type Item, type Key, type Page, type Query, type Table, TableUnavailable } from "../ports/table.ts";
import { asTableError, isContention } from "./dynamo/dynamo-errors.ts";
import {
  asItem,
  encodeCursor,
  getManyParams,
  getParams,
  putParams,
  queryParams,
  removeParams,
  transactParams,
  updateParams,
} from "./dynamo/dynamo-params.ts";

/** Tries of one call on throttles, timeouts and broken connections, with the client's own growing waits between them. */
const CALL_ATTEMPTS = 4;

/** A call takes single milliseconds; these only end those that hang. A transaction of a hundred items stays far below. */
const CONNECT_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;

/**
 * An embedded table is in the same process, or beside it on the same machine: where it seems late, it is this process that has no time to
 * look at its answer, and another call would only give it more to do.
 */
const EMBEDDED_TIMEOUT_MS = 60_000;

const patience = (connectionTimeout: number, requestTimeout: number) => ({
  connectionTimeout,
  requestTimeout,
  throwOnRequestTimeout: true,
});

/** The document client with its budget of retries and time; `config` names the region, or an endpoint and its credentials. */
export const documentClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({
    maxAttempts: CALL_ATTEMPTS,
    requestHandler: patience(CONNECT_TIMEOUT_MS, REQUEST_TIMEOUT_MS),
    ...config,
  });
  // It copies all that is sent and received, without what is secret, for a log that there is not.
  client.middlewareStack.remove("loggerMiddleware");
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};

/** The client of an embedded table, which insists on credentials, looks at none of them, and asks nobody who calls. */
export const embeddedClient = (endpoint: string): DynamoDBDocumentClient => {
  const client = documentClient({
    endpoint,
    region: "local",
    requestHandler: patience(EMBEDDED_TIMEOUT_MS, EMBEDDED_TIMEOUT_MS),
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    signer: { sign: async (request) => Object.assign(request, { headers: { ...request.headers, ...SIGNATURE } }) },
  });
  client.middlewareStack.remove("getUserAgentMiddleware");
  return client;
};

/** It is as good as a true one to an embedded table; making those is a quarter of what a call costs. */
const SIGNATURE = {
  authorization: "AWS4-HMAC-SHA256 Credential=local/20000101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
  "x-amz-date": "20000101T000000Z",
};

/** DynamoDB's own limits. */
const KEYS_PER_BATCH = 100;
const WRITES_PER_TRANSACTION = 100;

/** Batches of one `getMany` under way at once: enough to hide the latency, few enough not to crowd out other calls. */
const PARALLEL_BATCHES = 4;

/** Rounds for keys that DynamoDB left out of an answer: with the waits below about three seconds. */
const UNPROCESSED_ROUNDS = 8;

/** Tries for a call that met another transaction at its items; those last milliseconds. */
const CONTENTION_TRIES = 5;
const FIRST_WAIT_MS = 20;

/**
 * The table on DynamoDB. Throttles, timeouts and broken connections are retried by the client (`documentClient`); what is left
 * to do here are left-out keys of a batch, and meetings of transactions, both with a bound. A transaction carries one token
 * through all its tries, so that it happens once. An adapter: a short method for each verb of the port.
 */
export const dynamoTable = (client: DynamoDBDocumentClient, tableName: string): Table => {
  const batch = async (keys: readonly Key[], consistent: boolean): Promise<readonly Item[]> => {
    const items: Item[] = [];
    let left = keys;
    for (let round = 0; left.length > 0; round += 1) {
      if (round === UNPROCESSED_ROUNDS) throw new TableUnavailable(`${left.length} items of a batch stayed unread`);
      if (round > 0) await wait(pause(round));
      const answer = await once(() => client.send(new BatchGetCommand(getManyParams(tableName, left, consistent))));
      items.push(...(answer.Responses?.[tableName] ?? []).map(asItem));
      left = (answer.UnprocessedKeys?.[tableName]?.Keys ?? []).map(asItem);
    }
    return items;
  };

  return {
    async get(key, options) {
      const params = getParams(tableName, key, options?.consistent ?? false);
      const { Item: found } = await once(() => client.send(new GetCommand(params)));
      return found && asItem(found);
    },

    async getMany(keys, options) {
      const distinct = [...new Map(keys.map((key) => [JSON.stringify([key.pk, key.sk]), key])).values()];
      const batches = chunks(distinct, KEYS_PER_BATCH);
      const items: Item[] = [];
      for (const parallel of chunks(batches, PARALLEL_BATCHES)) {
        const answers = await Promise.all(parallel.map((each) => batch(each, options?.consistent ?? false)));
        items.push(...answers.flat());
      }
      return items;
    },

    async put(item, when) {
      await patiently(() => client.send(new PutCommand(putParams(tableName, item, when))));
    },

    async update(key, change, when) {
      const params = { ...updateParams(tableName, key, change, when), ReturnValues: "ALL_NEW" as const };
      const { Attributes } = await patiently(() => client.send(new UpdateCommand(params)));
      if (Attributes === undefined) throw new Defect("an update answered without the item");
      return asItem(Attributes);
    },

    async remove(key, when) {
      await patiently(() => client.send(new DeleteCommand(removeParams(tableName, key, when))));
    },

    async query(query: Query): Promise<Page> {
      const params = queryParams(tableName, query);
      if (params === undefined) return { items: [], count: 0, cursor: null };
      const { Items = [], Count = 0, LastEvaluatedKey } = await once(() => client.send(new QueryCommand(params)));
      return { items: Items.map(asItem), count: Count, cursor: encodeCursor(LastEvaluatedKey) };
    },

    async transact(writes) {
      if (writes.length === 0) return;
      if (writes.length > WRITES_PER_TRANSACTION) throw new Defect(`${writes.length} writes in one transaction`);
      const params = transactParams(tableName, writes, randomUUID());
      await patiently(() => client.send(new TransactWriteCommand(params)));
    },
  };
};

/** Reads meet no transaction: one call, whose errors leave as the port's own where there is one. */
const once = <T>(call: () => Promise<T>): Promise<T> =>
  call().catch((error: unknown) => {
    throw asTableError(error);
  });

/** Tries again while another transaction is at the same items; every error leaves as the port's own where there is one. */
const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === CONTENTION_TRIES || !isContention(error)) throw asTableError(error);
    }
    await wait(pause(attempt));
  }
};

/** Doubles with each attempt; random, so that two who met do not meet again. */
const pause = (attempt: number): number => FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);

const chunks = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
