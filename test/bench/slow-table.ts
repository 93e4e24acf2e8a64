import type { Table } from "../../lib/ports/table.ts";

/** A table each of whose calls waits before it is made: `wait` is told which one, and how many items it names. */
export const slowTable = (table: Table, wait: (call: keyof Table, items: number) => Promise<void>): Table => ({
  get: (...given) => wait("get", 1).then(() => table.get(...given)),
  getMany: (...given) => wait("getMany", given[0].length).then(() => table.getMany(...given)),
  put: (...given) => wait("put", 1).then(() => table.put(...given)),
  update: (...given) => wait("update", 1).then(() => table.update(...given)),
  remove: (...given) => wait("remove", 1).then(() => table.remove(...given)),
  query: (...given) => wait("query", 1).then(() => table.query(...given)),
  transact: (...given) => wait("transact", given[0].length).then(() => table.transact(...given)),
});
