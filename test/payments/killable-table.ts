import type { Table } from "../../lib/ports/table.ts";

/** What a process that was killed does with its next call. */
class Killed extends Error {
  override readonly name = "Killed";
}

/** A table whose process is killed at a call that is said before; nothing of that process is heard afterwards, until it is started anew. */
export const killableTable = (table: Table) => {
  let left: number | undefined;
  let isApplied = false;
  let isDead = false;
  const killable = new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return async (...given: readonly unknown[]) => {
        if (isDead) throw new Killed();
        if (left !== undefined) left -= 1;
        if (left !== -1) return Reflect.apply(value, target, given);
        isDead = true;
        if (isApplied) await Reflect.apply(value, target, given);
        throw new Killed();
      };
    },
  });
  return {
    table: killable,
    /** Kills at the call after so many, which is applied or not. */
    killAfter(calls: number, applied: boolean): void {
      left = calls;
      isApplied = applied;
    },
    start(): void {
      left = undefined;
      isDead = false;
    },
  };
};
