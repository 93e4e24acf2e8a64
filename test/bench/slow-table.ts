import type { Table } from "../../lib/ports/table.ts";

/** A table each of whose calls waits before it is made. */
export const slowTable = (table: Table, wait: () => Promise<void>): Table => ({
  get: (...given) => wait().then(() => table.get(...given)),
  getMany: (...given) => wait().then(() => table.getMany(...given)),
  put: (...given) => wait().then(() => table.put(...given)),
  update: (...given) => wait().then(() => table.update(...given)),
  remove: (...given) => wait().then(() => table.remove(...given)),
  query: (...given) => wait().then(() => table.query(...given)),
  transact: (...given) => wait().then(() => table.transact(...given)),
});
