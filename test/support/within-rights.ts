import { writableKeys } from "../../infra/rights.ts";
import type { FunctionNeeds } from "../../lib/app/uses.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import type { Table } from "../../lib/ports/table.ts";

/** A table that refuses writes outside of the partition keys that the running function may write to, as its role would. */
export const withinRights = (table: Table, running: () => FunctionNeeds | undefined): Table => {
  const demand = (pk: unknown): void => {
    const needs = running();
    const keys = needs && writableKeys(needs.uses);
    if (keys?.some((pattern) => matches(pattern, String(pk))) === false) {
      throw new Defect(`${needs?.name} may not write ${pk}: its declaration says what it may`);
    }
  };
  return {
    ...table,
    async put(item, when) {
      demand(item.pk);
      return table.put(item, when);
    },
    async update(key, change, when) {
      demand(key.pk);
      return table.update(key, change, when);
    },
    async remove(key, when) {
      demand(key.pk);
      return table.remove(key, when);
    },
    async transact(writes) {
      for (const write of writes) demand(write.kind === "put" ? write.item.pk : write.key.pk);
      return table.transact(writes);
    },
  };
};

/** As the role's condition matches. */
const matches = (pattern: string, pk: string): boolean => new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "s").test(pk);
