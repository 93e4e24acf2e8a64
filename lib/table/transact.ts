import { type Condition, ConditionFailed, Conflict, type Item, type Key, type Table, type Value, type Write } from "../ports/table.ts";

/** Tries of a transaction that met another one; each port already waits between its own tries. */
const TRIES = 3;

/** Runs the writes as one transaction, again when another one was at the same items. Throws `ConditionFailed`. */
export const transact = async (table: Table, writes: readonly Write[]): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await table.transact(writes);
    } catch (error) {
      if (!(error instanceof Conflict) || attempt === TRIES) throw error;
    }
  }
};

/** Writes that one transaction has room for. */
const MAX_WRITES = 100;

/** Runs any number of writes in as many transactions as they take, one after the other. Throws `ConditionFailed`; those before it are done. */
export const transactInSequence = async (table: Table, writes: readonly Write[]): Promise<void> => {
  for (let at = 0; at < writes.length; at += MAX_WRITES) await transact(table, writes.slice(at, at + MAX_WRITES));
};

/** The same, without the writes whose condition does not hold. */
export const transactWhatHolds = async (table: Table, writes: readonly Write[]): Promise<void> => {
  for (let at = 0; at < writes.length; at += MAX_WRITES) {
    let left = writes.slice(at, at + MAX_WRITES);
    while (left.length > 0) {
      try {
        await transact(table, left);
        break;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        left = left.filter((_, index) => !error.failed.includes(index));
      }
    }
  }
};

/** Whether the write at this position of a transaction was what stopped it. */
export const failedAt = (error: unknown, position: number): boolean => error instanceof ConditionFailed && error.failed.includes(position);

export const ABSENT: Condition = Object.freeze({ kind: "absent" });

/** Whether these attributes of an item are still as they were read. */
export const unchanged = <K extends string>(item: Readonly<Record<K, Value>>, ...attributes: readonly K[]): Condition => ({
  kind: "all",
  of: attributes.map((attribute) => ({ kind: "equals", attribute, value: item[attribute] })),
});

/**
 * The marker that makes a value unique: an item of its own under the value, which names its owner. Put it in the transaction
 * that makes the owner; a second owner fails at its position. The same owner may put it again.
 */
export const claiming = (key: Key, owner: string): Write => ({
  kind: "put",
  item: { ...key, entity: "unique", v: 1, owner },
  when: { kind: "any", of: [ABSENT, { kind: "equals", attribute: "owner", value: owner }] },
});

/** Gives a unique value back, if it is still this owner's. */
export const releasing = (key: Key, owner: string): Write => ({
  kind: "remove",
  key,
  when: { kind: "any", of: [ABSENT, { kind: "equals", attribute: "owner", value: owner }] },
});

/** Who holds a unique value. */
export const markerOwner = (marker: Item | undefined): string | undefined => (typeof marker?.owner === "string" ? marker.owner : undefined);
