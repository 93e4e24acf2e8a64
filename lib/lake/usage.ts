import { Defect } from "../core/unreachable.ts";
import { ConditionFailed, type Item, type Table } from "../table/table.ts";
import type { Objects } from "../world/objects.ts";
import type { DayCounts, FileFacts } from "./catalogue.ts";
import { readHead, STATE_ENTRY } from "./head.ts";
import { getManifest } from "./manifests.ts";
import { pack, unpack } from "./pack.ts";
import { overlap, partitionDays } from "./partition.ts";
import type { SwapParts } from "./parts.ts";
import { usageKey, usagePk } from "./paths.ts";

/** Version of the roll-ups; readers accept this and the one before. */
const USAGE_FORMAT = 1;

/** Races for one roll-up that are tried again: each is won by somebody. */
const TRIES = 20;

/** The usage of one organization in one partition of time: per project, the counts of its manifest and which one that was. */
interface RollUp {
  readonly v: number;
  readonly projects: Readonly<Record<string, { readonly manifest: string; readonly days: DayCounts }>>;
}

/**
 * Brings a project's counts into its organization's roll-ups: those of one partition, or of all. They are facts about the files that
 * the manifest names, so nothing is added up twice however often this runs.
 */
export const foldUsage = async (
  parts: SwapParts,
  {
    organization,
    project,
    partition,
  }: { readonly organization: string; readonly project: number; readonly partition?: string | undefined },
): Promise<void> => {
  const { manifests, removedAt } = await readHead(parts.table, project);
  if (removedAt !== null) return;
  for (const entry of partition === undefined ? Object.keys(manifests) : [partition]) {
    if (entry !== STATE_ENTRY) await roll(parts, organization, project, entry);
  }
};

/**
 * Puts the counts of the manifest that the head names into the roll-up of its partition: a new object, and then the item that names
 * it. The roll-up is read before the head, and replaced only if nobody else did, so it never goes back to an older manifest.
 */
const roll = async (parts: SwapParts, organization: string, project: number, partition: string): Promise<void> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const current = await read(parts, organization, partition);
    // A removed project's head still names manifests, which are deleted.
    const { manifests, removedAt } = await readHead(parts.table, project);
    const id = manifests[partition];
    if (removedAt !== null || id === undefined || current.rollUp.projects[project]?.manifest === id) return;
    const manifest = await getManifest(parts.objects, project, partition, id);
    if (manifest === undefined) continue;
    const entry = { manifest: id, days: sumOf([...manifest.files, ...manifest.loose]) };
    const next: RollUp = { v: USAGE_FORMAT, projects: { ...current.rollUp.projects, [project]: entry } };
    if (await replace(parts, organization, partition, current.item, next)) return;
  }
  throw new Defect(`the usage of organization ${organization} is changed too often`);
};

const replace = async (
  parts: SwapParts,
  organization: string,
  partition: string,
  old: Item | undefined,
  next: RollUp,
): Promise<boolean> => {
  const name = parts.ids.ulid();
  const objectOf = (own: string): string => `${usageKey(organization, partition)}/${own}`;
  await parts.objects.put(objectOf(name), pack(next));
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

/** Usage per UTC day and type of one project, from day to day (days since 1970, both inclusive). Historical rows have names of their own. */
export const usageOf = async (
  parts: ReadUsage,
  { organization, project }: { readonly organization: string; readonly project: number },
  from: number,
  to: number,
): Promise<DayCounts> => (await usageOfOrganization(parts, organization, from, to)).get(project) ?? {};

type ReadUsage = { readonly table: Table; readonly objects: Objects };

/** The same for every project of an organization that has any. */
export const usageOfOrganization = async (
  parts: ReadUsage,
  organization: string,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, DayCounts>> => {
  const partitions = await partitionsOf(parts.table, organization, from, to);
  const rollUps = await Promise.all(partitions.map((partition) => read(parts, organization, partition)));
  const usage = new Map<number, DayCounts>();
  for (const { rollUp } of rollUps) {
    for (const [project, { days }] of Object.entries(rollUp.projects)) {
      const asked = Object.entries(days).filter(([day]) => Number(day) >= from && Number(day) <= to);
      if (asked.length > 0) usage.set(Number(project), { ...usage.get(Number(project)), ...Object.fromEntries(asked) });
    }
  }
  return usage;
};

const partitionsOf = async (table: Table, organization: string, from: number, to: number): Promise<readonly string[]> => {
  const partitions: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: usagePk(organization), consistent: true, cursor });
    for (const { sk } of page.items) if (overlap(partitionDays(sk), [from, to])) partitions.push(sk);
    cursor = page.cursor;
  } while (cursor !== null);
  return partitions;
};

const keyOf = (organization: string, partition: string) => ({ pk: usagePk(organization), sk: partition });

/** The roll-up that the item names. One that is replaced twice while it is read is looked for again. */
const read = async (
  parts: ReadUsage,
  organization: string,
  partition: string,
): Promise<{ readonly item: Item | undefined; readonly rollUp: RollUp }> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const item = await parts.table.get(keyOf(organization, partition), { consistent: true });
    if (item === undefined) return { item, rollUp: { v: USAGE_FORMAT, projects: {} } };
    const bytes = await parts.objects.get(`${usageKey(organization, partition)}/${textOf(item.current)}`);
    if (bytes !== undefined) return { item, rollUp: decode(bytes) };
  }
  throw new Defect(`the usage of organization ${organization} is missing`);
};

/** Only `replace` writes these objects, in a format that is checked here. */
const decode = (bytes: Uint8Array): RollUp => {
  const rollUp = unpack(bytes) as RollUp;
  if (!(rollUp.v <= USAGE_FORMAT)) throw new Defect(`usage of format ${rollUp.v} is newer than this version`);
  return rollUp;
};

const textOf = (value: Item[string]): string => (typeof value === "string" ? value : "");

const sumOf = (files: readonly FileFacts[]): DayCounts => {
  const days = new Map<string, Map<string, number>>();
  for (const { usage } of files) {
    for (const [day, counts] of Object.entries(usage)) {
      const sums = days.get(day) ?? new Map<string, number>();
      days.set(day, sums);
      for (const [type, count] of Object.entries(counts)) sums.set(type, (sums.get(type) ?? 0) + count);
    }
  }
  return Object.fromEntries([...days].map(([day, sums]) => [day, Object.fromEntries(sums)]));
};
