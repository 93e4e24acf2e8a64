import type { World } from "../../lib/app/world.ts";
import { settings } from "../../lib/aws/environment.ts";
import type { EventRow } from "../../lib/event/event.ts";
import { decodeCommit } from "../../lib/lake/catalogue/commits.ts";
import { STATE_ENTRY } from "../../lib/lake/catalogue.ts";
import { commitSk, FAILING_PK } from "../../lib/lake/paths.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { RowFiles } from "../../lib/lake/row-files.ts";
import type { Objects } from "../../lib/ports/objects.ts";
import type { Item, Table } from "../../lib/ports/table.ts";
import { memoryTokenKeys } from "../support/memory-token-keys.ts";
import { withoutDownloads } from "../support/no-downloads.ts";
import { noInvocations } from "../support/no-invocations.ts";
import { noModel } from "../support/no-model.ts";
import { noReaders } from "../support/no-readers.ts";
import { unwatchedQueues } from "../support/unwatched-queues.ts";
import type { Ledger } from "./ledger.ts";
import type { MemoryObjects } from "./ports/objects.ts";
import type { MemoryQueues } from "./ports/queues.ts";
import { type RowLists, storedRows } from "./ports/row-files.ts";
import type { MemoryTable } from "./ports/table.ts";
import type { Random } from "./random.ts";
import { queuesWithout, rowFilesWithout, type Safeguard, storesWithout } from "./safeguards.ts";
import type { Scheduler } from "./scheduler.ts";

/** What all processes share. */
export interface Shared {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly table: MemoryTable;
  readonly objects: MemoryObjects;
  readonly queues: MemoryQueues;
  readonly lists: RowLists;
  /** What a process reads and writes rows with, over its objects. */
  readonly rowFiles: (objects: Objects) => RowFiles;
  readonly policy: Policy;
  readonly projects: readonly number[];
  readonly missing: Safeguard | null;
}

/** Clocks of two machines differ by up to twice this. */
const SKEW_MS = 60_000;

/** The world of one process: its own clock, ids and caches in front of the shared parts. */
export const newProcess = (shared: Shared): World => {
  const { scheduler, random, ledger, queues, missing } = shared;
  const skew = random.int(-SKEW_MS, SKEW_MS);
  const clock = { now: () => scheduler.now() + skew };
  const watchedTable = watched(onlyShards(shared.table, shared.projects), shared);
  // A copy of the store: what is remembered of objects is remembered by process.
  const { table, objects } = storesWithout(watchedTable, { ...shared.objects }, missing, clock.now);
  const files = shared.rowFiles(objects);
  const rowFiles = rowFilesWithout(files, missing);
  const write: RowFiles["write"] = (rows) => {
    ledger.ingestedRows += rows.length;
    return files.write(rows);
  };
  return {
    table,
    objects: withoutDownloads(objects),
    queues: queuesWithout(queues, missing),
    clock,
    ids: newIds(random, clock.now),
    log: { line: (_, event, fields) => scheduler.note(`${event} ${JSON.stringify(fields)}`) },
    config: CONFIG,
    segments: { write },
    engine: { rowFiles, run: noQueries, write: noQueries, close: () => Promise.resolve() },
    counts: { add: () => Promise.resolve() },
    mail: { send: () => Promise.reject(new Error("nobody is written to here")) },
    dns: { texts: async () => [] },
    ...noReaders,
    model: noModel,
    tokenKeys: memoryTokenKeys(),
    ...unwatchedQueues,
    ...noInvocations,
  };
};

const CONFIG = settings({});

const newIds = (random: Random, now: () => number): World["ids"] => {
  const own = random.int(0, 0xffffff);
  let counter = 0;
  return {
    ulid: () => crockford(now(), 10) + crockford(own, 5) + crockford(counter++, 11),
    uuid: () => `${own}-${counter++}`,
    secret: (bytes) => new Uint8Array(bytes),
  };
};

/** Tells the ledger of each commit whose writer had its answer: from then on every reader has to see it. */
const watched = (table: Table, shared: Shared): Table => {
  const { scheduler, ledger, objects, lists } = shared;
  return {
    ...table,
    async put(item, when) {
      if (!item.sk.startsWith(commitSk(""))) return table.put(item, when);
      const rows = rowsOfCommit(item, objects, lists);
      const copies = ledger.committing(item.sk.slice(commitSk("").length), rows, entriesOf(item));
      await table.put(item, when);
      scheduler.note(`commits ${item.pk} ${item.sk}: ${rows.length} rows`);
      ledger.committed(Number(item.pk.slice("lake#".length)), copies);
    },
    remove(key, when) {
      if (key.sk.startsWith(commitSk(""))) ledger.deleting(key.sk.slice(commitSk("").length), scheduler.now());
      return table.remove(key, when);
    },
  };
};

/** What has to absorb a commit: its partitions, and the state where it has deltas. */
const entriesOf = (item: Item): readonly string[] => {
  const { segments, deltas } = decodeCommit(item);
  return [...segments.map(({ partition }) => partition), ...(deltas === null ? [] : [STATE_ENTRY])];
};

const rowsOfCommit = (item: Item, objects: MemoryObjects, lists: RowLists): readonly EventRow[] =>
  decodeCommit(item).segments.flatMap(({ key }) => storedRows(objects.everything().get(key), lists, key));

/** Sixteen shards are asked at each sweep; those that can hold nothing answer at once. */
const onlyShards = (table: Table, projects: readonly number[]): Table => {
  const used = new Set([FAILING_PK, ...projects.flatMap((project) => [`due#${project % 16}`, `later#${project % 16}`])]);
  return {
    ...table,
    query: (query) =>
      query.index === "due" && !used.has(query.pk) ? Promise.resolve({ items: [], count: 0, cursor: null }) : table.query(query),
  };
};

/** A number in the digits of a ULID, which sort as numbers do. */
const crockford = (value: number, digits: number): string =>
  [...value.toString(32).padStart(digits, "0")].map((digit) => CROCKFORD[Number.parseInt(digit, 32)]).join("");

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const noQueries = (): Promise<never> => Promise.reject(new Error("no queries here"));
