import type { Table } from "../../lib/ports/table.ts";

/** The table of a request before whose first write another one is answered. That the request itself is counted is no write of it. */
export const overtakenTable = (table: Table, other: () => Promise<unknown>): Table => {
  let isFirst = true;
  const first = async (): Promise<void> => {
    if (!isFirst) return;
    isFirst = false;
    await other();
  };
  return {
    ...table,
    async transact(writes) {
      await first();
      return table.transact(writes);
    },
    async update(key, ...change) {
      if (!key.pk.startsWith("throttle#")) await first();
      return table.update(key, ...change);
    },
  };
};
