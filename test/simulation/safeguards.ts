import { OBJECT_WORTH_PACKING, pack, unpack } from "../../lib/core/pack.ts";
import type { FileFacts } from "../../lib/lake/catalogue.ts";
import { commitSk, HEAD_SK, publishedSk, REMOVALS_SK, retiredSk, TYPES_SK } from "../../lib/lake/paths.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { RowFiles } from "../../lib/lake/row-files.ts";
import type { Objects } from "../../lib/ports/objects.ts";
import type { Outgoing, Queues } from "../../lib/ports/queues.ts";
import type { Condition, Item, Query, Table, Write } from "../../lib/ports/table.ts";

/** What the lake's exactness rests on; each can be taken away by standing between the lake and a port. */
export const SAFEGUARDS = [
  "head condition",
  "types condition",
  "absorbed list",
  "swap's condition on removal",
  "swap's bound of time",
  "stay of commits",
  "long stay of commits",
  "time of absorption",
  "delayed deletion",
  "age of orphans",
  "retired files in audits",
  "deltas before their commit",
  "corrections of dropped copies",
  "order by place in a request",
  "usage after each swap",
  "removal of waiting duplicates",
  "comparison of every pair",
  "acknowledge after commit",
  "receive time in the message",
  "published tables in deletions",
  "swap's condition on removed rows",
  "removed rows among those that wait",
  "skipped rows are copies of nothing",
  "persons without what removed rows said",
  "reminder of removed rows",
] as const;
export type Safeguard = (typeof SAFEGUARDS)[number];

/** A table and a store as a process has them without a safeguard; the two of one process may have to know of each other. */
export const storesWithout = (
  table: Table,
  objects: Objects,
  missing: Safeguard | null,
  now: () => number,
): { readonly table: Table; readonly objects: Objects } => {
  switch (missing) {
    case "types condition":
      return { objects, table: { ...table, put: (item, when) => table.put(item, item.sk === TYPES_SK ? undefined : when) } };
    case "head condition":
      return { objects, table: swapping(table, () => undefined) };
    case "swap's condition on removal":
      return { objects, table: swapping(table, ({ when }) => (when?.kind === "all" ? when.of[0] : when)) };
    case "swap's condition on removed rows":
      return { objects, table: swapping(table, ({ when }) => (when?.kind === "all" ? { kind: "all", of: when.of.slice(0, 2) } : when)) };
    case "reminder of removed rows":
      return {
        objects,
        table: {
          ...table,
          transact: (writes) => table.transact(writes.filter((write) => write.kind !== "put" || write.item.sk !== REMOVALS_SK)),
        },
      };
    case "absorbed list":
      return { table, objects: putting(objects, (manifest) => ({ ...manifest, absorbed: [], absorbedAt: [] })) };
    case "time of absorption":
      return { table, objects: putting(objects, (manifest) => ({ ...manifest, absorbedAt: listOf(manifest.absorbed).map(now) })) };
    case "corrections of dropped copies":
      return { table, objects: putting(objects, (manifest) => ({ ...manifest, corrections: [] })) };
    case "order by place in a request":
      return { objects, table: { ...table, put: (item, when) => table.put(withoutPlaces(item), when) } };
    case "retired files in audits":
      return {
        objects,
        table: { ...table, query: (query) => (asksForAll(query, retiredSk("")) ? Promise.resolve(NOTHING) : table.query(query)) },
      };
    case "published tables in deletions":
      return {
        objects,
        table: { ...table, query: (query) => (asksForAll(query, publishedSk("")) ? Promise.resolve(NOTHING) : table.query(query)) },
      };
    case "deltas before their commit":
      return late(table, objects);
    default:
      return { table, objects };
  }
};

type Update = Extract<Write, { kind: "update" }>;

const swapping = (table: Table, conditionOf: (swap: Update) => Condition | undefined): Table => ({
  ...table,
  transact: (writes) =>
    table.transact(
      writes.map((write) => {
        if (write.kind !== "update" || write.key.sk !== HEAD_SK || REMOVALS in (write.change.set ?? {})) return write;
        const when = conditionOf(write);
        return { kind: "update", key: write.key, change: write.change, ...(when && { when }) };
      }),
    ),
});

/** The attribute of a head that names what was removed: who changes it swaps nothing. */
const REMOVALS = "removals";

type Manifest = Readonly<Record<string, unknown>>;

const putting = (objects: Objects, change: (manifest: Manifest) => Manifest): Objects => ({
  ...objects,
  put: (key, bytes) => objects.put(key, key.includes("/manifests/") ? pack(change(asRecord(unpack(bytes))), OBJECT_WORTH_PACKING) : bytes),
});

/** Puts the deltas of a commit after it. */
const late = (table: Table, objects: Objects): { readonly table: Table; readonly objects: Objects } => {
  let waiting: (() => Promise<void>)[] = [];
  return {
    objects: {
      ...objects,
      async put(key, bytes) {
        if (!key.includes("/deltas/")) return objects.put(key, bytes);
        waiting.push(() => objects.put(key, bytes));
      },
    },
    table: {
      ...table,
      async put(item, when) {
        await table.put(item, when);
        if (!item.sk.startsWith(commitSk(""))) return;
        const own = waiting;
        waiting = [];
        for (const put of own) await put();
      },
    },
  };
};

/** A commit whose deltas, where they travel in it, all say that their events were the first of their requests. */
const withoutPlaces = (item: Item): Item => {
  if (!item.sk.startsWith(commitSk("")) || !(item.body instanceof Uint8Array)) return item;
  const commit = asRecord(unpack(item.body));
  const { inline } = asRecord(commit.deltas ?? {});
  if (typeof inline !== "string") return item;
  const first = inline.replaceAll(/("-?\d+"),\d+,("[0-9a-f-]{36}")/g, "$1,0,$2");
  return { ...item, body: pack({ ...commit, deltas: { inline: first } }) };
};

const NOTHING = Object.freeze({ items: [], count: 0, cursor: null });
const asksForAll = ({ sk }: Query, prefix: string): boolean => sk !== undefined && "prefix" in sk && sk.prefix === prefix;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const queuesWithout = (queues: Queues, missing: Safeguard | null): Queues => {
  if (missing !== "usage after each swap") return queues;
  const isUsage = ({ body }: Outgoing): boolean => body.includes('"kind":"usage"');
  return {
    ...queues,
    send: (queue, messages) =>
      queues.send(
        queue,
        messages.filter((message) => !isUsage(message)),
      ),
  };
};

export const rowFilesWithout = (rowFiles: RowFiles, missing: Safeguard | null): RowFiles => {
  if (missing === "removed rows among those that wait")
    return { ...rowFiles, matching: async (project, files, match) => rowFiles.matching(project, files.filter(isGathered), match) };
  if (missing === "skipped rows are copies of nothing")
    return { ...rowFiles, duplicates: (project, segments, files) => rowFiles.duplicates(project, segments.map(whole), files.map(whole)) };
  if (missing === "persons without what removed rows said")
    return { ...rowFiles, readMatching: async () => undefined, countMatching: async () => [] };
  if (missing === "removal of waiting duplicates") return { ...rowFiles, duplicates: async () => new Map() };
  return missing === "comparison of every pair" ? { ...rowFiles, duplicates: ofPairsOnceNew(rowFiles) } : rowFiles;
};

const isGathered = ({ key }: FileFacts): boolean => key.startsWith("events/");
const whole = ({ skip: _, ...file }: FileFacts): FileFacts => file;

/** As if a waiting segment were compared only with those that are asked for together with it the first time. */
const ofPairsOnceNew = ({ duplicates }: RowFiles): RowFiles["duplicates"] => {
  const met = new Map<string, ReadonlySet<string>>();
  return async (project, segments, files) => {
    const asked = new Set(segments.map(({ key }) => key));
    const rows = new Map<string, Set<number>>();
    const add = (found: ReadonlyMap<string, readonly number[]>): void => {
      for (const [key, some] of found) rows.set(key, new Set([...(rows.get(key) ?? []), ...some]));
    };
    for (const segment of segments) {
      if (!met.has(segment.key)) met.set(segment.key, asked);
      add(await duplicates(project, [segment], files));
      for (const other of segments) if (met.get(segment.key)?.has(other.key)) add(await duplicates(project, [segment, other], []));
    }
    return new Map([...rows].map(([key, some]) => [key, [...some].sort((a, b) => a - b)]));
  };
};

const MINUTE_MS = 60_000;

export const policyWithout = (policy: Policy, missing: Safeguard | null): Policy => {
  switch (missing) {
    case "stay of commits":
      return { ...policy, commitStayMs: 0 };
    case "long stay of commits":
      return { ...policy, commitStayMs: MINUTE_MS };
    case "swap's bound of time":
      return { ...policy, swapWithinMs: Number.POSITIVE_INFINITY };
    case "delayed deletion":
      return { ...policy, retiredStayMs: 0 };
    case "age of orphans":
      return { ...policy, orphanAgeMs: 60 * MINUTE_MS };
    default:
      return policy;
  }
};

/** Manifests are objects. */
const asRecord = (value: unknown): Manifest => value as Manifest;
