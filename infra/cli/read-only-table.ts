import { Defect } from "../../lib/core/unreachable.ts";
import type { Table } from "../../lib/ports/table.ts";

/** The table for a command that only reads: whatever would write to it fails. */
export const readOnlyTable = (table: Table): Table => ({
  get: (key, options) => table.get(key, options),
  getMany: (keys, options) => table.getMany(keys, options),
  query: (query) => table.query(query),
  put: refuse,
  update: refuse,
  remove: refuse,
  transact: refuse,
});

const refuse = (): Promise<never> => Promise.reject(new Defect("a command that only reads tried to write"));
