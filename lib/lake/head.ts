import type { Condition, Item, Table, Write } from "../ports/table.ts";
import { CATALOGUE_FORMAT, type Head } from "./catalogue.ts";
import { HEAD_SK, lakePk, laterKeys } from "./paths.ts";
import { POLICIES } from "./policy.ts";

/** The head's entry for persons, groups and the identity map; all others are partitions. */
export const STATE_ENTRY = "state";

const PREFIX = "m:";
const REMOVED = "removed_at";

/** The head of a new project, to be put together with it. It also carries the time of the next audit. */
export const initialHead = (project: number, now: number): Item => ({
  ...headKey(project),
  v: CATALOGUE_FORMAT,
  project,
  ...laterKeys(project, now + POLICIES.deployed.auditEveryMs, HEAD_SK),
});

export const headKey = (project: number): { readonly pk: string; readonly sk: string } => ({ pk: lakePk(project), sk: HEAD_SK });

/** The head as one consistent read finds it. A project without one has no data. */
export const readHead = async (table: Table, project: number): Promise<Head> => {
  const item = await table.get(headKey(project), { consistent: true });
  return parseHead(project, item);
};

export const parseHead = (project: number, item: Item | undefined): Head => {
  const manifests: Record<string, string> = {};
  for (const [name, value] of Object.entries(item ?? {}))
    if (name.startsWith(PREFIX) && typeof value === "string") manifests[name.slice(PREFIX.length)] = value;
  const removedAt = item?.[REMOVED];
  return { v: CATALOGUE_FORMAT, project, manifests, removedAt: typeof removedAt === "number" ? removedAt : null };
};

/** Names another manifest for one entry, if the head still names `from` and the project is not removed. */
export const renameWrite = (project: number, entry: string, from: string | null, to: string): Write => ({
  kind: "update",
  key: headKey(project),
  change: { set: { [PREFIX + entry]: to, v: CATALOGUE_FORMAT, project } },
  when: { kind: "all", of: [stillNames(entry, from), NOT_REMOVED] },
});

/** Holds of a head without a tombstone, and with one. */
export const NOT_REMOVED: Condition = Object.freeze({ kind: "lacks", attribute: REMOVED });
export const IS_REMOVED: Condition = Object.freeze({ kind: "has", attribute: REMOVED });

const stillNames = (entry: string, id: string | null): Condition =>
  id === null ? { kind: "lacks", attribute: PREFIX + entry } : { kind: "equals", attribute: PREFIX + entry, value: id };

/**
 * The tombstone of a removed project, for the transaction that removes it. From then on no swap succeeds; the head is never
 * deleted, and `later` wakes the job that deletes the data.
 */
export const tombstone = (project: number, now: number, removeAt: number): Write => ({
  kind: "update",
  key: headKey(project),
  change: { set: { [REMOVED]: now, v: CATALOGUE_FORMAT, project, ...laterKeys(project, removeAt, HEAD_SK) } },
});
