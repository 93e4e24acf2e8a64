import { setImmediate } from "node:timers/promises";
import type { Objects } from "../../lib/ports/objects.ts";
import type { Table } from "../../lib/ports/table.ts";

/** A clock that stands still while anybody works, and goes on to the next who waits when all of them wait. */
export interface VirtualTime {
  readonly clock: { now(): number };
  sleep(ms: number): Promise<void>;
  /** Lets time pass until the work has ended. */
  run<T>(work: Promise<T>): Promise<T>;
  pass(ms: number): void;
}

export const virtualTime = (start: number): VirtualTime => {
  let now = start;
  const sleepers = new Map<number, (() => void)[]>();
  return {
    clock: { now: () => now },
    sleep: (ms) =>
      new Promise((resolve) => {
        const at = now + ms;
        sleepers.set(at, [...(sleepers.get(at) ?? []), resolve]);
      }),
    async run(work) {
      let ended = false;
      const settled = work.finally(() => {
        ended = true;
      });
      settled.catch(() => undefined);
      for (await setImmediate(); !ended; await setImmediate()) {
        const next = Math.min(...sleepers.keys());
        if (!Number.isFinite(next)) throw new Error("everybody waits, for nothing that time brings");
        now = Math.max(now, next);
        const woken = sleepers.get(next) ?? [];
        sleepers.delete(next);
        for (const wake of woken) wake();
      }
      return settled;
    },
    pass(ms) {
      now += ms;
    },
  };
};

/** How long calls take; changed while a test goes on. */
export interface Latency {
  tableMs: number;
  objectMs: number;
}

export const slowTable = (table: Table, time: VirtualTime, latency: Latency): Table => {
  const slow =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (latency.tableMs > 0) await time.sleep(latency.tableMs);
      return call(...given);
    };
  return {
    get: slow(table.get),
    getMany: slow(table.getMany),
    put: slow(table.put),
    update: slow(table.update),
    remove: slow(table.remove),
    query: slow(table.query),
    transact: slow(table.transact),
  };
};

export const slowObjects = (objects: Objects, time: VirtualTime, latency: Latency): Objects => {
  const slow =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (latency.objectMs > 0) await time.sleep(latency.objectMs);
      return call(...given);
    };
  return {
    put: slow(objects.put),
    putFile: slow(objects.putFile),
    get: slow(objects.get),
    getRange: slow(objects.getRange),
    list: slow(objects.list),
    remove: slow(objects.remove),
    localPath: objects.localPath,
    uri: objects.uri,
  };
};
