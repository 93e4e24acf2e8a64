import { OBJECT_WORTH_PACKING, pack, unpack } from "../../lib/lake/pack.ts";
import { HEAD_SK, TYPES_SK } from "../../lib/lake/paths.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { RowFiles } from "../../lib/lake/row-files.ts";
import type { Table } from "../../lib/table/table.ts";
import type { Objects } from "../../lib/world/objects.ts";

/** What the lake's exactness rests on; each can be taken away by standing between the lake and a port. */
export const SAFEGUARDS = [
  "head condition",
  "types condition",
  "absorbed list",
  "stay of commits",
  "delayed deletion",
  "removal of waiting duplicates",
  "comparison of every pair",
  "acknowledge after commit",
  "receive time in the message",
] as const;
export type Safeguard = (typeof SAFEGUARDS)[number];

export const tableWithout = (table: Table, missing: Safeguard | null): Table => {
  if (missing === "types condition") return { ...table, put: (item, when) => table.put(item, item.sk === TYPES_SK ? undefined : when) };
  if (missing !== "head condition") return table;
  return {
    ...table,
    transact: (writes) =>
      table.transact(
        writes.map((write) =>
          write.kind === "update" && write.key.sk === HEAD_SK ? { kind: "update", key: write.key, change: write.change } : write,
        ),
      ),
  };
};

export const objectsWithout = (objects: Objects, missing: Safeguard | null): Objects => {
  if (missing !== "absorbed list") return { ...objects };
  return {
    ...objects,
    put: (key, bytes) =>
      objects.put(
        key,
        key.includes("/manifests/") ? pack({ ...asRecord(unpack(bytes)), absorbed: [], absorbedAt: [] }, OBJECT_WORTH_PACKING) : bytes,
      ),
  };
};

export const rowFilesWithout = (rowFiles: RowFiles, missing: Safeguard | null): RowFiles => {
  if (missing === "removal of waiting duplicates") return { ...rowFiles, duplicates: async () => new Map() };
  return missing === "comparison of every pair" ? { ...rowFiles, duplicates: ofPairsOnceNew(rowFiles) } : rowFiles;
};

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

export const policyWithout = (policy: Policy, missing: Safeguard | null): Policy => {
  if (missing === "stay of commits") return { ...policy, commitStayMs: 0 };
  return missing === "delayed deletion" ? { ...policy, retiredStayMs: 0 } : policy;
};

/** Manifests are objects. */
const asRecord = (value: unknown): Readonly<Record<string, unknown>> => value as Readonly<Record<string, unknown>>;
