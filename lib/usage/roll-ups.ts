import { forEachConcurrent } from "../core/concurrency.ts";
import { isReadable, writtenVersion } from "../core/formats.ts";
import { pack, unpack } from "../core/pack.ts";
import { Defect } from "../core/unreachable.ts";
import { overlap, partitionDays } from "../event/time-partitions.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, type Item, type Key, type Table, type Value } from "../ports/table.ts";
import { partitionKey } from "../table/partitions.ts";
import type { DayCounts } from "./day-counts.ts";
import type { Reach } from "./resolve-keyed-counts.ts";
import { decodeRuns, encodeRuns, type Run } from "./runs.ts";

/** Version of the roll-ups; readers accept this one, the one after, and the one before, which held days with their counts by name. */
const USAGE_FORMAT = 2;

/** Attempts before giving up; a failed attempt means that another writer won. */
const TRIES = 20;

/** The usage of one organization in one partition of time. */
export interface RollUp {
  /** What the runs count, by their place. */
  readonly names: readonly string[];
  readonly projects: Readonly<Record<string, ProjectUsage>>;
}

export interface ProjectUsage {
  /** The manifest of which all is counted; empty where that was only settled anew with a neighbour and none was yet. */
  readonly manifest: string;
  /** How many of its keyed counts bear on the partitions beside it; missing where that was not looked at yet. */
  readonly reaching?: Reach | undefined;
  readonly runs: readonly Run[];
}

/** The same with the counts by day and name. */
export type ProjectCounts = Omit<ProjectUsage, "runs"> & { readonly days: DayCounts };

/** A roll-up with the counts of one project in the place of those before. */
export const withProject = ({ names, projects }: RollUp, project: number, { days, ...counted }: ProjectCounts): RollUp => {
  const known = [...names];
  const runs = encodeRuns(days, known);
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
    const item = await parts.table.get(itemKey(organization, partition), { consistent: true });
    if (item === undefined) return { item, rollUp: EMPTY };
    const bytes = await parts.objects.get(objectKey(organization, partition, objectName(item.current)));
    if (bytes !== undefined) return { item, rollUp: decode(bytes) };
  }
  throw new Defect(`the usage of organization ${organization} is missing`);
};

interface StoredRollUp extends RollUp {
  readonly v: number;
}

interface StoredDays {
  readonly v: 1;
  readonly projects: Readonly<Record<string, { readonly manifest: string; readonly days: DayCounts }>>;
}

/** Only `replaceRollUp` writes these objects, in a format that is checked here. */
const decode = (bytes: Uint8Array): RollUp => {
  const stored = unpack(bytes) as StoredRollUp | StoredDays;
  if (!isReadable(stored.v, USAGE_FORMAT)) throw new Defect(`usage of format ${stored.v} is newer than this version`);
  if (!isOfDays(stored)) return { names: stored.names, projects: stored.projects };
  return Object.entries(stored.projects).reduce((rollUp, [project, entry]) => withProject(rollUp, Number(project), entry), EMPTY);
};

const isOfDays = (stored: StoredRollUp | StoredDays): stored is StoredDays => stored.v === 1;

const objectName = (value: Value | undefined): string => (typeof value === "string" ? value : "");

const pk = (organization: string): string => partitionKey("usage", { organization });
const itemKey = (organization: string, partition: string): Key => ({ pk: pk(organization), sk: partition });

/** The key of a roll-up's object; without a name, the beginning that all of a partition's share, and without either, all of an organization's. */
const objectKey = (organization: string, partition = "", name = ""): string =>
  `usage/${organization}/${partition === "" ? "" : `${partition}/${name}`}`;

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
  await parts.objects.put(
    objectKey(organization, partition, name),
    pack({ v: writtenVersion(USAGE_FORMAT), ...next } satisfies StoredRollUp),
  );
  const before = objectName(old?.current);
  try {
    await parts.table.update(
      itemKey(organization, partition),
      { set: { current: name, previous: before } },
      before === "" ? { kind: "lacks", attribute: "current" } : { kind: "equals", attribute: "current", value: before },
    );
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Perhaps it was carried out and only its answer was lost: then the next reading shows it.
    const now = await parts.table.get(itemKey(organization, partition), { consistent: true });
    if (now?.current === name) return true;
    await parts.objects.remove([objectKey(organization, partition, name)]);
    return false;
  }
  const outdated = objectName(old?.previous);
  if (outdated !== "") await parts.objects.remove([objectKey(organization, partition, outdated)]);
  return true;
};

/** The partitions of time in which an organization has usage, with the names of its roll-ups. */
export const rollUpItems = async (table: Table, organization: string): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: pk(organization), consistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
};

/** The folder of an organization's roll-ups, and the objects that its items name: the current ones, and those before them. */
export const rollUpKeys = async (
  table: Table,
  organization: string,
): Promise<{ readonly prefix: string; readonly current: readonly string[]; readonly previous: readonly string[] }> => {
  const items = await rollUpItems(table, organization);
  const keys = (attribute: "current" | "previous"): readonly string[] =>
    items.flatMap((item) => (objectName(item[attribute]) === "" ? [] : [objectKey(organization, item.sk, objectName(item[attribute]))]));
  return { prefix: objectKey(organization), current: keys("current"), previous: keys("previous") };
};

/** Whose usage it is. */
export interface Owner {
  readonly organization: string;
  readonly project: number;
}

/** Usage of one project per UTC day and name: see `organizationUsage`. */
export const projectUsage = async (parts: ReadUsage, { organization, project }: Owner, from: number, to: number): Promise<DayCounts> =>
  (await organizationUsage(parts, organization, from, to)).get(project) ?? {};

/**
 * Usage per UTC day (days since 1970, `from` and `to` inclusive) and name of every project of an organization that has any. Rows of imports
 * have names of their own.
 */
export const organizationUsage = async (
  parts: ReadUsage,
  organization: string,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, DayCounts>> => {
  const usage = new Map<number, DayCounts>();
  for (const { names, projects } of await readRollUps(parts, organization, from, to)) {
    for (const [project, { runs }] of Object.entries(projects)) {
      const days = decodeRuns(runs, names, from, to);
      if (Object.keys(days).length > 0) usage.set(Number(project), { ...usage.get(Number(project)), ...days });
    }
  }
  return usage;
};

/** The roll-ups of an organization that hold any of the days, both inclusive: as they are stored, for those with much to add up. */
export const readRollUps = async (parts: ReadUsage, organization: string, from: number, to: number): Promise<readonly RollUp[]> => {
  const items = await rollUpItems(parts.table, organization);
  const partitions = items.map(({ sk }) => sk).filter((partition) => overlap(partitionDays(partition), [from, to]));
  const rollUps: RollUp[] = [];
  await forEachConcurrent(partitions, CONCURRENCY, async (partition) => {
    rollUps.push((await readRollUp(parts, organization, partition)).rollUp);
  });
  return rollUps;
};

/** Objects read at once. */
const CONCURRENCY = 8;

/**
 * Deletes the roll-ups that no item names and that are at least `minAgeMs` old, left by whoever died between putting one and naming it, or
 * naming it and deleting the last.
 */
export const deleteOldRollUps = async (
  parts: Pick<Ports, "table" | "objects" | "clock">,
  minAgeMs: number,
  organization: string,
): Promise<void> => {
  const before = parts.clock.now() - minAgeMs;
  const named = new Set<string>();
  for (const { sk, current, previous } of await rollUpItems(parts.table, organization))
    for (const name of [current, previous]) named.add(objectKey(organization, sk, objectName(name)));
  let cursor: string | null = null;
  do {
    const page = await parts.objects.list(objectKey(organization), cursor);
    await parts.objects.remove(page.objects.filter(({ key, modified }) => modified < before && !named.has(key)).map(({ key }) => key));
    cursor = page.cursor;
  } while (cursor !== null);
};
