import { writtenVersion } from "../core/formats.ts";
import type { Condition, Item, Table, Write } from "../ports/table.ts";
import { CATALOGUE_FORMAT } from "./catalogue.ts";
import { HEAD_SK, lakePk, laterKeys } from "./paths.ts";
import { POLICIES } from "./policy.ts";

/** The one item that says what is: partition → manifest id, `state` among them. */
export interface Head {
  readonly v: number;
  readonly project: number;
  readonly manifests: Readonly<Record<string, string>>;
  /** The object that says which rows nobody may see, whenever they come; null where there is none. */
  readonly removals: string | null;
  /** When the project was removed: the head stays for ever as its tombstone. */
  readonly removedAt: number | null;
}

const PREFIX = "m:";
const REMOVED = "removed_at";
const REMOVALS = "removals";

/** The head of a new project, to be put together with it. It also carries the time of the next audit. */
export const initialHead = (project: number, now: number): Item => ({
  ...headKey(project),
  v: writtenVersion(CATALOGUE_FORMAT),
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
  const [removedAt, removals] = [item?.[REMOVED], item?.[REMOVALS]];
  return {
    ...{ v: CATALOGUE_FORMAT, project, manifests },
    removals: typeof removals === "string" ? removals : null,
    removedAt: typeof removedAt === "number" ? removedAt : null,
  };
};

/**
 * Names another manifest for one entry, if the head still names `from`, the project is not removed, and the rows that nobody may see are
 * those that `to` was made without.
 */
export const renameWrite = (project: number, entry: string, from: string | null, to: string, removals: string | null): Write => ({
  kind: "update",
  key: headKey(project),
  change: { set: { [PREFIX + entry]: to, v: writtenVersion(CATALOGUE_FORMAT), project } },
  when: { kind: "all", of: [isStill(PREFIX + entry, from), NOT_REMOVED, isStill(REMOVALS, removals)] },
});

/** Names other removals, if the head still names `from` and the project is not removed. */
export const removalsWrite = (project: number, from: string | null, to: string): Write => ({
  kind: "update",
  key: headKey(project),
  change: { set: { [REMOVALS]: to, v: writtenVersion(CATALOGUE_FORMAT), project } },
  when: { kind: "all", of: [isStill(REMOVALS, from), NOT_REMOVED] },
});

/** Holds of a head without a tombstone, and with one. */
export const NOT_REMOVED: Condition = Object.freeze({ kind: "lacks", attribute: REMOVED });
export const IS_REMOVED: Condition = Object.freeze({ kind: "has", attribute: REMOVED });

const isStill = (attribute: string, id: string | null): Condition =>
  id === null ? { kind: "lacks", attribute } : { kind: "equals", attribute, value: id };

/**
 * The tombstone of a removed project, for the transaction that removes it. From then on no swap succeeds; the head is never
 * deleted, and `later` wakes the job that deletes the data.
 */
export const tombstone = (project: number, now: number, removeAt: number): Write => ({
  kind: "update",
  key: headKey(project),
  change: { set: { [REMOVED]: now, v: writtenVersion(CATALOGUE_FORMAT), project, ...laterKeys(project, removeAt, HEAD_SK) } },
});
