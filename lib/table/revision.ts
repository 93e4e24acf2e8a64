import { ConditionFailed, type Item, type Table } from "../ports/table.ts";

/** Writes an item in place of the one that was read, with the next number as its `rev`; false when another writer was there first. */
export const putRevision = async (table: Table, before: Item | undefined, next: Item): Promise<boolean> => {
  const revision = typeof before?.rev === "number" ? before.rev : 0;
  const item: Item = { ...next, rev: revision + 1 };
  try {
    await table.put(item, before === undefined ? { kind: "absent" } : { kind: "equals", attribute: "rev", value: revision });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};
