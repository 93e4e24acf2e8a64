import { setImmediate } from "node:timers/promises";
import type { Table } from "../../lib/ports/table.ts";

/** A table that notes how many of its calls were under way at once, at most, and how many there were. */
export const sideBySide = (table: Table, counted: (call: keyof Table) => boolean = () => true) => {
  let [running, most, calls] = [0, 0, 0];
  const noted =
    <Given extends readonly unknown[], T>(name: keyof Table, call: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      if (!counted(name)) return call(...given);
      calls += 1;
      running += 1;
      most = Math.max(most, running);
      // All that is asked for at the same moment comes first.
      await setImmediate();
      try {
        return await call(...given);
      } finally {
        running -= 1;
      }
    };
  const { get, getMany, put, update, remove, query, transact } = table;
  return {
    table: {
      get: noted("get", get),
      getMany: noted("getMany", getMany),
      put: noted("put", put),
      update: noted("update", update),
      remove: noted("remove", remove),
      query: noted("query", query),
      transact: noted("transact", transact),
    } satisfies Table,
    most: () => most,
    calls: () => calls,
  };
};
