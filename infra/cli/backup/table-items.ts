import { setTimeout as pause } from "node:timers/promises";
import { type AttributeValue, BatchWriteItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { forEachConcurrent } from "../../../lib/core/concurrency.ts";
import { PARTITIONS } from "../../../lib/table/partitions.ts";
import { UserError } from "../../local/user-error.ts";

/** An item as DynamoDB speaks of it, each value with its type. */
export type TypedItem = Record<string, AttributeValue>;

const PUBLICATION = PARTITIONS.lake.items.published.replace(/\{.*/, "");

/** What the workers of a stage write for each other: whose turn it is, where the sweep stopped, how often who asked. */
const OF_WORKERS = (["sweep", "lanes", "throttle"] as const).map((name) => PARTITIONS[name].pk.replace(/\{.*/, ""));

/** Whether an item was written by workers for each other: nobody uses it who has only begun. */
export const isOfWorkers = ({ pk }: TypedItem): boolean => OF_WORKERS.some((key) => pk?.S?.startsWith(key));

/**
 * Whether an item is true of the stage alone that wrote it. What is published of a project as open tables names files by the bucket that
 * they lie in, and is published anew elsewhere; and a place at work, held by a worker that is nowhere else, would have others wait for it.
 */
export const staysBehind = (item: TypedItem): boolean => isOfWorkers(item) || isPublication(item);

const isPublication = ({ pk, sk }: TypedItem): boolean => pk?.S?.startsWith("lake#") === true && sk?.S?.startsWith(PUBLICATION) === true;

/** All items of a table, in no promised order. */
export async function* scanItems(client: DynamoDBDocumentClient, table: string): AsyncGenerator<TypedItem> {
  let from: TypedItem | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: table, ConsistentRead: true, ...(from && { ExclusiveStartKey: from }) }));
    yield* page.Items ?? [];
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

/** DynamoDB's own limit. */
const ITEMS_PER_BATCH = 25;
const BATCHES_AT_ONCE = 8;
/** Rounds for items that were left out, with waits that double: two minutes, in which a table on demand has made room. */
const ROUNDS = 10;
const FIRST_WAIT_MS = 100;

/** Puts items into a table, whatever is there under their keys, and returns how many. Throws a `UserError` where it does not take them. */
export const writeItems = async (
  client: DynamoDBDocumentClient,
  table: string,
  items: AsyncIterable<TypedItem>,
  onProgress: (written: number) => void,
): Promise<number> => {
  let written = 0;
  for await (const some of inBatches(items, ITEMS_PER_BATCH * BATCHES_AT_ONCE)) {
    const batches = Array.from({ length: Math.ceil(some.length / ITEMS_PER_BATCH) }, (_, at) =>
      some.slice(at * ITEMS_PER_BATCH, (at + 1) * ITEMS_PER_BATCH),
    );
    await forEachConcurrent(batches, BATCHES_AT_ONCE, (batch) => writeBatch(client, table, batch));
    written += some.length;
    onProgress(written);
  }
  return written;
};

const writeBatch = async (client: DynamoDBDocumentClient, table: string, items: readonly TypedItem[]): Promise<void> => {
  let left = items.map((Item) => ({ PutRequest: { Item } }));
  for (let round = 0; left.length > 0; round += 1) {
    if (round === ROUNDS)
      throw new UserError(`The table ${table} does not take items as fast as they come: run the command again, which goes on.`);
    if (round > 0) await pause(FIRST_WAIT_MS * 2 ** round);
    const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: left } }));
    left = (UnprocessedItems[table] ?? []).flatMap(({ PutRequest }) =>
      PutRequest?.Item ? [{ PutRequest: { Item: PutRequest.Item } }] : [],
    );
  }
};

async function* inBatches<T>(all: AsyncIterable<T>, most: number): AsyncGenerator<readonly T[]> {
  let some: T[] = [];
  for await (const each of all) {
    some.push(each);
    if (some.length < most) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
