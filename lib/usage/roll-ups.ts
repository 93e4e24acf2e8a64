import { pack, unpack } from "../core/pack.ts";
import { Defect } from "../core/unreachable.ts";
import { usageKey, usagePk } from "../lake/catalogue/paths.ts";
import type { Policy } from "../lake/catalogue/policy.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, type Item, type Table } from "../ports/table.ts";
import type { DayCounts } from "./day-counts.ts";
import type { Reach } from "./resolve-keyed-counts.ts";
import { type Run, runsOf } from "./runs.ts";

/** Version of the roll-ups; readers accept this and the one before, which held days with their counts by name. */
const USAGE_FORMAT = 2;

/** Attempts before giving up; a failed attempt means that another writer won. */
const TRIES = 20;

/** The usage of one organization in one partition of time. */
export interface RollUp {
  /** What the runs count, by their place. */
  readonly names: readonly string[];
  readonly projects: Readonly<Record<string, ProjectUsage>>;
}

/** Whose counts a project's usage is. */
interface Counted {
  /** The manifest of which all is counted; empty where that was only settled anew with a neighbour and none was yet. */
  readonly manifest: string;
  /** How many of its keyed counts bear on the partitions beside it; missing where that was not looked at yet. */
  readonly reaching?: Reach | undefined;
}

export interface ProjectUsage extends Counted {
  readonly runs: readonly Run[];
}

/** A roll-up with the counts of one project in the place of those before. */
export const withProject = (
  { names, projects }: RollUp,
  project: number,
  { days, ...counted }: Counted & { readonly days: DayCounts },
): RollUp => {
  const known = [...names];
  const runs = runsOf(days, known);
  return { names: known, projects: { ...projects, [project]: { ...counted, runs } } };
};

const EMPTY: RollUp = { names: [], projects: {} };

export type ReadUsage = Pick<Ports, "table" | "objects">;

/** The roll-up that the item names. One that is replaced twice while it is read is looked for again. */
export const readRollUp = async (
  parts: ReadUsage,
  organization: string,
  partition: string,
): Promise<{ readonly item: Item | undefined; readonly rollUp: RollUp }> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const item = await parts.table.get(keyOf(organization, partition), { consistent: true });
    if (item === undefined) return { item, rollUp: EMPTY };
    const bytes = await parts.objects.get(`${usageKey(organization, partition)}/${textOf(item.current)}`);
    if (bytes !== undefined) return { item, rollUp: decode(bytes) };
  }
  throw new Defect(`the usage of organization ${organization} is missing`);
};

interface StoredRollUp extends RollUp {
  readonly v: 2;
}

interface StoredDays {
  readonly v: 1;
  readonly projects: Readonly<Record<string, { readonly manifest: string; readonly days: DayCounts }>>;
}

/** Only `replaceRollUp` writes these objects, in a format that is checked here. */
const decode = (bytes: Uint8Array): RollUp => {
  const stored = unpack(bytes) as StoredRollUp | StoredDays;
  if (stored.v === USAGE_FORMAT) return stored;
  if (stored.v !== 1) throw new Defect(`usage of format ${String(Reflect.get(stored, "v"))} is newer than this version`);
  return Object.entries(stored.projects).reduce((rollUp, [project, entry]) => withProject(rollUp, Number(project), entry), EMPTY);
};

const textOf = (value: Item[string]): string => (typeof value === "string" ? value : "");

const keyOf = (organization: string, partition: string) => ({ pk: usagePk(organization), sk: partition });

/**
 * Puts a roll-up in the place of the one that was read: a new object, then the item that names it. False when somebody else was first.
 * The one before stays for its readers; what a crash leaves behind is found by `deleteOldRollUps`.
 */
export const replaceRollUp = async (
  parts: Pick<Ports, "table" | "objects" | "ids">,
  organization: string,
  partition: string,
  old: Item | undefined,
  next: RollUp,
): Promise<boolean> => {
  const name = parts.ids.ulid();
  const objectOf = (own: string): string => `${usageKey(organization, partition)}/${own}`;
  await parts.objects.put(objectOf(name), pack({ v: USAGE_FORMAT, ...next } satisfies StoredRollUp));
  const before = textOf(old?.current);
  try {
    await parts.table.update(
      keyOf(organization, partition),
      { set: { current: name, previous: before } },
      before === "" ? { kind: "lacks", attribute: "current" } : { kind: "equals", attribute: "current", value: before },
    );
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Perhaps it was carried out and only its answer was lost: then the next reading shows it.
    const now = await parts.table.get(keyOf(organization, partition), { consistent: true });
    if (now?.current === name) return true;
    await parts.objects.remove([objectOf(name)]);
    return false;
  }
  const outdated = textOf(old?.previous);
  if (outdated !== "") await parts.objects.remove([objectOf(outdated)]);
  return true;
};

/** The partitions of time in which an organization has usage, with the names of its roll-ups. */
export const rollUpItems = async (table: Table, organization: string): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: usagePk(organization), consistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
};

/** Deletes the roll-ups that no item names, left by whoever died between putting one and naming it, or naming it and deleting the last. */
export const deleteOldRollUps = async (
  parts: Pick<Ports, "table" | "objects" | "clock">,
  policy: Policy,
  organization: string,
): Promise<void> => {
  const before = parts.clock.now() - policy.orphanAgeMs;
  const named = new Set<string>();
  for (const { sk, current, previous } of await rollUpItems(parts.table, organization))
    for (const name of [current, previous]) named.add(`${usageKey(organization, sk)}/${textOf(name)}`);
  let cursor: string | null = null;
  do {
    const page = await parts.objects.list(usageKey(organization, ""), cursor);
    await parts.objects.remove(page.objects.filter(({ key, modified }) => modified < before && !named.has(key)).map(({ key }) => key));
    cursor = page.cursor;
  } while (cursor !== null);
};
