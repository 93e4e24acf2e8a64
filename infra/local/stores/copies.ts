import { renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { decodeMessage } from "../../../lib/event/message.ts";
import { QUEUES, type QueueName } from "../../../lib/ports/queues.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { embeddedClient } from "../../../lib/table/dynamo.ts";
import { localTable, TABLE } from "../world.ts";
import { ensureTable } from "./create-table.ts";
import { startDynamodb } from "./dynamodb.ts";
import { giveBack } from "./messages-in-work.ts";
import { queueFile, startStore } from "./queue-and-objects.ts";
import { deadLetters } from "./store-names.ts";

/** More pages than any file has: all are copied in one step, which is one state of the file, whoever writes to it meanwhile. */
const ALL_PAGES = 1_000_000_000;

/** Copies a database that others may be writing to, as it is at one moment, in the place of what was copied before. */
export const copyDatabase = async (from: string, to: string): Promise<void> => {
  for (const file of filesOf(to)) rmSync(file, { force: true });
  const source = new DatabaseSync(from, { readOnly: true, timeout: LOCKED_MS });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
};

/** Nobody holds a file for longer who is at work. */
const LOCKED_MS = 30_000;

const filesOf = (database: string): readonly string[] => ["", "-wal", "-shm", "-journal"].map((end) => database + end);

/** Makes one file of a database, without a log beside it, and without what was deleted and lies about in it. */
const inOneFile = (database: DatabaseSync): void => database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM");

/** Runs the embedded database on a file, and leaves it as one file. */
const runningOn = async <T>(file: string, work: (endpoint: string) => Promise<T>): Promise<T> => {
  const { endpoint, stop } = await startDynamodb(file, {});
  try {
    return await work(endpoint);
  } finally {
    await stop();
    const database = new DatabaseSync(file, { timeout: LOCKED_MS });
    inOneFile(database);
    database.close();
  }
};

/** Reads the table of a copy, and leaves the copy as one file. */
export const readingTable = <T>(file: string, work: (table: Table) => Promise<T>): Promise<T> =>
  runningOn(file, (endpoint) => work(localTable(endpoint)));

/** Opens the table of a file item by item; a file that is not there yet is made. */
export const openTableFile = <T>(file: string, work: (client: DynamoDBDocumentClient, table: string) => Promise<T>): Promise<T> =>
  runningOn(file, async (endpoint) => {
    const client = embeddedClient(endpoint);
    try {
      await ensureTable(client, TABLE);
      return await work(client, TABLE);
    } finally {
      client.destroy();
    }
  });

/** Makes a file of queues in which no message is. */
export const emptyQueues = async (file: string): Promise<void> => {
  const folder = `${file}.empty`;
  const store = await startStore(folder);
  await store.stop();
  const database = new DatabaseSync(join(folder, basename(queueFile(""))), { timeout: LOCKED_MS });
  inOneFile(database);
  database.close();
  renameSync(join(folder, basename(queueFile(""))), file);
  rmSync(folder, { recursive: true });
};

/**
 * Puts the messages of an earlier copy of the queues into a later one, and leaves it as one file in which no message is in work. So it holds
 * every message that was there at any time in between or before, and had not been worked off before the first copy.
 */
export const joinQueues = (into: string, earlier: string): void => {
  const database = new DatabaseSync(into, { timeout: LOCKED_MS });
  try {
    database.prepare("ATTACH DATABASE ? AS earlier").run(earlier);
    database.exec("INSERT OR IGNORE INTO sqs_messages SELECT * FROM earlier.sqs_messages");
    database.exec("DETACH DATABASE earlier");
    giveBack(database);
    inOneFile(database);
  } finally {
    database.close();
  }
};

/** The objects that messages of a copy point to, one at a time. */
export function* pointersIn(queues: string): Generator<string> {
  const database = new DatabaseSync(queues, { readOnly: true });
  try {
    const bodies = database
      .prepare("SELECT body FROM sqs_messages WHERE queue_name LIKE 'live%' OR queue_name LIKE 'historical%'")
      .iterate();
    for (const { body } of bodies) {
      const key = pointer(String(body));
      if (key !== undefined) yield key;
    }
  } finally {
    database.close();
  }
}

/** The messages of a copy by the queue that they were sent to, those that were given up on as well, one at a time. */
export function* messagesIn(queues: string): Generator<{ readonly queue: QueueName; readonly body: string }> {
  const database = new DatabaseSync(queues, { readOnly: true });
  try {
    const find = database.prepare("SELECT body FROM sqs_messages WHERE queue_name IN (?, ?)");
    for (const queue of QUEUES) for (const { body } of find.iterate(queue, deadLetters(queue))) yield { queue, body: String(body) };
  } finally {
    database.close();
  }
}

/** A dead letter may be none of our messages at all. */
const pointer = (text: string): string | undefined => {
  try {
    const { body } = decodeMessage(text);
    return "key" in body ? body.key : undefined;
  } catch {
    return undefined;
  }
};

/** When the oldest message of a queue was sent, milliseconds since 1970; undefined where there is none. Others may be writing to the file. */
export const oldestMessage = (queues: string, queue: QueueName): number | undefined => {
  const database = new DatabaseSync(queues, { readOnly: true, timeout: LOCKED_MS });
  try {
    const sent = database.prepare("SELECT min(sent_timestamp) AS sent FROM sqs_messages WHERE queue_name = ?").get(queue)?.sent;
    return typeof sent === "number" ? sent : undefined;
  } finally {
    database.close();
  }
};

/** How many messages a copy holds. */
export const countMessages = (queues: string): number => {
  const database = new DatabaseSync(queues, { readOnly: true });
  try {
    return Number(database.prepare("SELECT count(*) AS messages FROM sqs_messages").get()?.messages);
  } finally {
    database.close();
  }
};
