import { AsyncLocalStorage } from "node:async_hooks";
import type { FunctionNeeds } from "../../lib/app/uses.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import type { Table } from "../../lib/ports/table.ts";
import { type KeyRights, keyRights } from "../rights.ts";

const running = new AsyncLocalStorage<FunctionNeeds>();

/** Does some work as the function of these needs: a table `withinRights` is held to what they say meanwhile. */
export const asFunction = <T>(needs: FunctionNeeds, work: () => T): T => running.run(needs, work);

/**
 * A table that refuses the running function what its role would refuse it: whatever it does outside of the partition keys that it
 * declares for it. What runs outside of any function, as an operator's command does, may do everything.
 */
export const withinRights = (table: Table): Table => {
  const demandThat = (may: (rights: KeyRights) => boolean, verb: keyof KeyRights, pk: string): void => {
    const needs = running.getStore();
    if (needs !== undefined && !may(rightsOf(needs)))
      throw new Defect(`${needs.name} may not ${verb} ${pk}: its declaration says what it may`);
  };
  const demand = (verb: Exclude<keyof KeyRights, "list">, pk: string): void => demandThat((rights) => rights[verb](pk), verb, pk);
  return {
    async get(key, options) {
      demand("read", key.pk);
      return table.get(key, options);
    },
    async getMany(keys, options) {
      for (const { pk } of keys) demand("read", pk);
      return table.getMany(keys, options);
    },
    async query(query) {
      const { index, pk } = query;
      if (index === undefined) demand("read", pk);
      else demandThat((rights) => rights.list(index, pk), "list", pk);
      return table.query(query);
    },
    async put(item, when) {
      demand("write", item.pk);
      return table.put(item, when);
    },
    async update(key, change, when) {
      demand("write", key.pk);
      return table.update(key, change, when);
    },
    async remove(key, when) {
      demand("remove", key.pk);
      return table.remove(key, when);
    },
    async transact(writes) {
      for (const write of writes) demand(VERBS[write.kind], write.kind === "put" ? write.item.pk : write.key.pk);
      return table.transact(writes);
    },
  };
};

const VERBS = { put: "write", update: "write", remove: "remove", check: "check" } as const;

const known = new WeakMap<FunctionNeeds, KeyRights>();

const rightsOf = (needs: FunctionNeeds): KeyRights => {
  const rights = known.get(needs) ?? keyRights(needs.uses);
  known.set(needs, rights);
  return rights;
};
