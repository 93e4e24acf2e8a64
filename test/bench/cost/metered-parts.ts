import { jsonLog } from "../../../lib/app/system.ts";
import { cutIntoRequests } from "../../../lib/aws/aws-queues.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import type { Delivery, QueueName, Queues } from "../../../lib/ports/queues.ts";
import type { Clock, Log } from "../../../lib/ports/system.ts";
import type { Table } from "../../../lib/ports/table.ts";
import type { TableCall, TableMeter } from "../../support/table-meter/meter.ts";
import { slowTable } from "../slow-table.ts";
import type { Bill } from "./bill.ts";

/** The function that makes a call: billed for the time that it waits, and held to its rights. */
export interface Caller {
  wait(ms: number): Promise<void>;
  /** Throws where the function that runs may not do this once deployed. */
  touches(verb: "read" | "write" | "remove", key: string): void;
  /** The right to list is the whole bucket's, and goes with any right to read. */
  lists(prefix: string): void;
  sends(queue: QueueName): void;
  writesTable(): void;
}

/** How long a call takes inside a region: assumed, and on the high side. */
const TABLE_MS = 5;
const QUEUE_MS = 10;
const OBJECT_MS = 25;

/** Above this an object is uploaded in parts of this size; see `lib/aws/aws-objects.ts`. */
const PART_BYTES = 8 * 1024 * 1024;

/** A queue request is counted for every 64 KB that it carries. */
const QUEUE_CHUNK_BYTES = 64 * 1024;
/** The log store counts this for each line beside its text. */
const LOG_LINE_BYTES = 26;
const GB = 1e9;

export const chunks = (bytes: number): number => Math.max(1, Math.ceil(bytes / QUEUE_CHUNK_BYTES));

export const tableMeter = (bill: Bill, caller: Caller): TableMeter => ({
  record({ readUnits, writeUnits, indexWriteUnits }: TableCall) {
    if (writeUnits > 0) caller.writesTable();
    bill.add("tableReads", readUnits);
    bill.add("tableWrites", writeUnits + indexWriteUnits);
  },
});

/** A table whose calls take their time. */
export const waitedTable = (table: Table, { wait }: Caller): Table => slowTable(table, () => wait(TABLE_MS));

export const meteredObjects = (objects: Objects, bill: Bill, caller: Caller): Objects => {
  const wrote = (requests: number): Promise<void> => {
    bill.add("objectWrites", requests);
    return caller.wait(OBJECT_MS * requests);
  };
  const read = (): Promise<void> => {
    bill.add("objectReads", 1);
    return caller.wait(OBJECT_MS);
  };
  /** In parts above a size: opened, uploaded, closed. */
  const requests = (bytes: number): number => (bytes > PART_BYTES ? 2 + Math.ceil(bytes / PART_BYTES) : 1);
  return {
    async put(key, bytes) {
      caller.touches("write", key);
      await wrote(requests(bytes.byteLength));
      return objects.put(key, bytes);
    },
    async putFile(key, path) {
      caller.touches("write", key);
      await objects.putFile(key, path);
      const bytes = await objects.get(key);
      await wrote(requests(bytes?.byteLength ?? 0));
    },
    async get(key) {
      caller.touches("read", key);
      await read();
      return objects.get(key);
    },
    async getRange(key, from, to) {
      caller.touches("read", key);
      await read();
      return objects.getRange(key, from, to);
    },
    async list(prefix, cursor) {
      caller.lists(prefix);
      await wrote(1);
      return objects.list(prefix, cursor);
    },
    async remove(keys) {
      for (const key of keys) caller.touches("remove", key);
      await caller.wait(OBJECT_MS);
      return objects.remove(keys);
    },
    localPath: () => undefined,
    uri: objects.uri,
  };
};

/** Queues that keep what is sent, in order, until it is taken. */
export interface MeteredQueues extends Queues {
  /** The next messages: at most so many, and at most 6 MB. */
  take(queue: QueueName, max: number): readonly Delivery[];
  left(queue: QueueName): number;
}

const MAX_BATCH_BYTES = 6_000_000;

export const meteredQueues = (bill: Bill, caller: Caller): MeteredQueues => {
  const kept: Record<QueueName, Delivery[]> = { live: [], historical: [], jobs: [] };
  let count = 0;
  return {
    async send(queue, messages) {
      caller.sends(queue);
      for (const request of cutIntoRequests(messages)) {
        await caller.wait(QUEUE_MS);
        bill.add("queueRequests", chunks(request.reduce((bytes, { body }) => bytes + body.length, 0)));
      }
      for (const { body } of messages) kept[queue].push({ id: String(count++), body, attempts: 1 });
      return [];
    },
    left: (queue) => kept[queue].length,
    take(queue, max) {
      let bytes = 0;
      const end = kept[queue].findIndex(({ body }, at) => {
        bytes += body.length;
        return at > 0 && (bytes > MAX_BATCH_BYTES || at >= max);
      });
      return kept[queue].splice(0, end < 0 ? kept[queue].length : end);
    },
  };
};

/** A log that is billed by its bytes, without the lines that a stage does not keep unless told, and the lines in it that tell of an error. */
export const meteredLog = (bill: Bill, clock: Clock): { readonly log: Log; readonly errors: readonly string[] } => {
  const errors: string[] = [];
  const log = jsonLog(clock, (line) => {
    if (line.includes('"level":"debug"')) return;
    bill.add("functionLogGb", (line.length + LOG_LINE_BYTES) / GB);
    if (line.includes('"level":"error"')) errors.push(line);
  });
  return { log, errors };
};
