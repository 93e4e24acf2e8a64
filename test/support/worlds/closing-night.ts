import { closeDue } from "../../../functions/closing/schedule.ts";
import { systemIds } from "../../../lib/app/system.ts";
import { Invoices } from "../../../lib/billing/invoices.ts";
import { MINUTE_MS } from "../../../lib/core/time.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { pages } from "../../../lib/table/store.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { keptLog } from "../kept-log.ts";
import { memoryObjects } from "../memory-objects.ts";
import { withoutDownloads } from "../no-downloads.ts";
import { slowObjects, slowTable, virtualTime } from "../virtual-time.ts";
import { aSubscriber } from "./subscribers.ts";

const JULY = { start: Date.UTC(2026, 6, 1), end: Date.UTC(2026, 7, 1) };
const DUE = Date.UTC(2026, 7, 8);
/** What half of them used, so that their invoices are to be paid; the other half's are paid. */
const EVENTS = [3_250_000, 1];
const RUN_MS = 300_000;

/** What a night cost on which many organizations are due at once. */
export interface ClosingNight {
  /** Runs of the schedule until all were closed, and from the first one's begin to the last one's end. */
  readonly runs: number;
  readonly minutes: number;
  /** Of the runs together, without the time between them. */
  readonly closedPerSecond: number;
  readonly tableCalls: number;
  readonly objectCalls: number;
  /** Transactions that met another one. */
  readonly conflicts: number;
  readonly numbers: readonly string[];
}

/** Closes so many organizations by the schedule, in a time that passes only with the calls to table and store and between the runs. */
export const closingNight = async (
  organizations: number,
  { tableMs, objectMs, everyMinutes }: { readonly tableMs: number; readonly objectMs: number; readonly everyMinutes: number },
): Promise<ClosingNight> => {
  const time = virtualTime(DUE);
  const stored = memoryTable();
  const objects = memoryObjects();
  const counts = { calls: 0, conflicts: 0 };
  const latency = { tableMs, objectMs };
  const ids = systemIds(time.clock);
  const table = counted(slowTable(stored, time, latency), counts);
  const world = {
    table,
    objects: withoutDownloads(slowObjects(objects, time, latency)),
    clock: time.clock,
    ids,
    log: keptLog(),
    config: readConfig(() => undefined),
    counts: { add: async () => undefined },
  };
  for (let at = 0; at < organizations; at += 1) await aSubscriber({ table: stored, objects, ids }, JULY, EVENTS[at % 2] ?? 0);
  objects.counts.requests = 0;
  let runs = 0;
  let working = 0;
  let numbers: readonly string[] = [];
  while (numbers.length < organizations) {
    if (runs > 0) time.pass(Math.max(0, DUE + runs * everyMinutes * MINUTE_MS - time.clock.now()));
    runs += 1;
    const began = time.clock.now();
    await time.run(closeDue(world, { remainingMs: () => began + RUN_MS - time.clock.now() }));
    working += time.clock.now() - began;
    numbers = await numbersGiven(stored, objects.contents.keys());
  }
  return {
    runs,
    minutes: (time.clock.now() - DUE) / MINUTE_MS,
    closedPerSecond: (organizations / working) * 1_000,
    tableCalls: counts.calls,
    objectCalls: objects.counts.requests,
    conflicts: counts.conflicts,
    numbers,
  };
};

/** The numbers of all invoices, ascending. Every organization has an object with its usage. */
const numbersGiven = async (table: Table, usageKeys: Iterable<string>): Promise<readonly string[]> => {
  const numbers: string[] = [];
  for (const key of usageKeys) {
    const organization_id = key.split("/")[1] ?? "";
    for await (const invoices of pages(table, Invoices, "key", { organization_id }))
      numbers.push(...invoices.flatMap(({ number }) => number ?? []));
  }
  return numbers.sort();
};

const counted = (table: Table, counts: { calls: number; conflicts: number }): Table => {
  const call =
    <A extends unknown[], R>(method: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> => {
      counts.calls += 1;
      return method(...given);
    };
  return {
    get: call(table.get),
    getMany: call(table.getMany),
    put: call(table.put),
    update: call(table.update),
    remove: call(table.remove),
    query: call(table.query),
    transact: call((writes) =>
      table.transact(writes).catch((error: unknown) => {
        counts.conflicts += 1;
        throw error;
      }),
    ),
  };
};
