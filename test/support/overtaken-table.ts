import type { Key, Table } from "../../lib/ports/table.ts";

/** That a request is counted is no write of it. */
const isOwn = ({ pk }: Key): boolean => !pk.startsWith("throttle#");

/** The table of a request before whose first write, or first one to what is named, another request is answered. */
export const overtakenTable = (table: Table, other: () => Promise<unknown>, isNamed: (key: Key) => boolean = isOwn): Table => {
  let isFirst = true;
  const before = async (...keys: readonly Key[]): Promise<void> => {
    if (!isFirst || !keys.some(isNamed)) return;
    isFirst = false;
    await other();
  };
  return {
    ...table,
    async transact(writes) {
      await before(...writes.map((write) => (write.kind === "put" ? write.item : write.key)));
      return table.transact(writes);
    },
    async update(key, ...change) {
      await before(key);
      return table.update(key, ...change);
    },
  };
};
