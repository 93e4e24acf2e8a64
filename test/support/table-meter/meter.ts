import { ConditionFailed, type Item, type Key, type Page, type Table, type Write } from "../../../lib/ports/table.ts";
import { indexWriteUnits, itemBytes, readUnits, tableWriteUnits } from "./units.ts";

/** One call as the bill has it. */
export interface TableCall {
  readonly kind: "get" | "getMany" | "put" | "update" | "remove" | "query" | "transact";
  /** Items read or written; each item of a transaction counts. */
  readonly items: number;
  readonly readUnits: number;
  /** In the table; twice for a transaction. */
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  /** Sizes of the items, together. */
  readonly bytes: number;
  /** What the partition keys of items that were written begin with. */
  readonly written?: readonly string[];
}

export interface TableMeter {
  record(call: TableCall): void;
}

const NOTHING = { readUnits: 0, writeUnits: 0, indexWriteUnits: 0 } as const;
const TRANSACTION_FACTOR = 2;

/** The bill of a read of these items one by one. */
export const readCall = (kind: "get" | "getMany", items: readonly (Item | undefined)[], consistent: boolean): TableCall => {
  const sizes = items.map((item) => (item ? itemBytes(item) : 0));
  return {
    ...NOTHING,
    kind,
    items: items.length,
    readUnits: sizes.reduce((sum, bytes) => sum + readUnits(bytes, consistent), 0),
    bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
  };
};

/** The bill of one page: rounded once, over everything that was read for it. */
export const queryCall = (items: readonly Item[], consistent: boolean): TableCall => {
  const bytes = items.reduce((sum, item) => sum + itemBytes(item), 0);
  return { ...NOTHING, kind: "query", items: items.length, readUnits: readUnits(bytes, consistent), bytes };
};

/** The bill of writes that were done, as pairs of the item before and after; a check leaves it as it was. */
export const writeCall = (
  kind: "put" | "update" | "remove" | "transact",
  pairs: readonly (readonly [before: Item | undefined, after: Item | undefined])[],
): TableCall => {
  const factor = kind === "transact" ? TRANSACTION_FACTOR : 1;
  return {
    kind,
    items: pairs.length,
    written: pairs.map(([before, after]) => (after ?? before)?.pk.split("#", 1)[0] ?? ""),
    readUnits: 0,
    writeUnits: factor * pairs.reduce((sum, [before, after]) => sum + tableWriteUnits(before, after), 0),
    indexWriteUnits: pairs.reduce((sum, [before, after]) => sum + indexWriteUnits(before, after), 0),
    bytes: pairs.reduce((sum, [before, after]) => sum + itemBytes(after ?? before ?? {}), 0),
  };
};

/**
 * A table that records what each call would cost on DynamoDB. It reads the items around each write for that, and whole pages
 * where only a count was asked for, so it is for measuring and not for serving; writes to one item must not run beside each other.
 */
export const meteredTable = (table: Table, meter: TableMeter): Table => {
  const look = (key: Key) => table.get(key, { consistent: true });

  /** Records a write whatever comes of it: one whose condition fails is billed too. */
  const around = async <T>(kind: "put" | "update" | "remove" | "transact", keys: readonly Key[], write: () => Promise<T>): Promise<T> => {
    const before = await Promise.all(keys.map(look));
    try {
      const result = await write();
      const after = await Promise.all(keys.map(look));
      meter.record(
        writeCall(
          kind,
          before.map((item, at) => [item, after[at]]),
        ),
      );
      return result;
    } catch (error) {
      if (error instanceof ConditionFailed) {
        meter.record(
          writeCall(
            kind,
            before.map((item) => [item, item]),
          ),
        );
      }
      throw error;
    }
  };

  return {
    async get(key, options) {
      const item = await table.get(key, options);
      meter.record(readCall("get", [item], options?.consistent ?? false));
      return item;
    },
    async getMany(keys, options) {
      const items = await table.getMany(keys, options);
      const missing = Array.from({ length: Math.max(0, keys.length - items.length) }, () => undefined);
      meter.record(readCall("getMany", [...items, ...missing], options?.consistent ?? false));
      return items;
    },
    put: (item, when) => around("put", [item], () => table.put(item, when)),
    update: (key, change, when) => around("update", [key], () => table.update(key, change, when)),
    remove: (key, when) => around("remove", [key], () => table.remove(key, when)),
    async query(query): Promise<Page> {
      const page = await table.query({ ...query, countOnly: false });
      meter.record(queryCall(page.items, query.consistent ?? false));
      return query.countOnly ? { ...page, items: [] } : page;
    },
    transact: (writes) => around("transact", writes.map(keyOfWrite), () => table.transact(writes)),
  };
};

/** The item that a write is about. */
export const keyOfWrite = (write: Write): Key => (write.kind === "put" ? write.item : write.key);
