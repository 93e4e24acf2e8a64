import { setImmediate } from "node:timers/promises";
import type { Table } from "../../lib/ports/table.ts";

/** A table, and how many of its transactions were under way at the same moment at most. */
export const crowdedTable = (stored: Table): { readonly table: Table; mostAtOnce(): number } => {
  let [running, most] = [0, 0];
  const { get, put, update, remove, query, getMany } = stored;
  const transact: Table["transact"] = async (...given) => {
    running += 1;
    most = Math.max(most, running);
    try {
      await setImmediate();
      await stored.transact(...given);
    } finally {
      running -= 1;
    }
  };
  return { table: { get, put, update, remove, query, getMany, transact }, mostAtOnce: () => most };
};
