import type { Table } from "../../lib/ports/table.ts";

/** What the calls of a process that has died throw. */
export class Killed extends Error {
  override readonly name = "Killed";
}

export interface DyingTable {
  readonly table: Table;
  readonly died: () => boolean;
}

const WRITES: ReadonlySet<string | symbol> = new Set(["put", "update", "remove", "transact"]);

/** The table of a process that dies at its write of this number, before or after it is done; every later call fails, too. */
export const dyingTable = (table: Table, write: number, moment: "before" | "after"): DyingTable => {
  let writes = 0;
  let dead = false;
  const dying = new Proxy(table, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...given: readonly unknown[]) => {
        if (dead) throw new Killed();
        const dies = WRITES.has(name) && writes++ === write;
        if (dies) dead = true;
        if (dies && moment === "before") throw new Killed();
        const result: unknown = await Reflect.apply(method, target, given);
        if (dies) throw new Killed();
        return result;
      };
    },
  });
  return { table: dying, died: () => dead };
};
