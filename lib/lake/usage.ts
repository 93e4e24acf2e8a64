import { Defect } from "../core/unreachable.ts";
import { overlap, partitionOnDay, partitionsBeside } from "../event/time-partitions.ts";
import { type CountDifference, compareCounts, type DayCounts, isStillCounted, sumUsage } from "../usage/day-counts.ts";
import { hasKeyedCounts } from "../usage/keyed-counts.ts";
import { type Neighbours, NO_NEIGHBOURS, reaching, resolveKeyedCounts } from "../usage/resolve-keyed-counts.ts";
import {
  type Owner,
  type ProjectCounts,
  type ProjectUsage,
  type ReadUsage,
  type RollUp,
  readRollUp,
  replaceRollUp,
  withProject,
} from "../usage/roll-ups.ts";
import { decodeRuns } from "../usage/runs.ts";
import { manifestUsage } from "./catalogue/leaves.ts";
import { getManifest, getManifestRoot, hasManifest } from "./catalogue/manifests.ts";
import type { CompactParts, SwapParts } from "./catalogue/parts.ts";
import { type FileFacts, STATE_ENTRY } from "./catalogue.ts";
import { type Head, readHead } from "./head.ts";

/** Races for one roll-up that are tried again: each is won by somebody. */
const TRIES = 20;

/**
 * Brings a project's counts into its organization's roll-ups: those of one partition, or of all. They are facts about the files that
 * the manifest names, so nothing is added up twice however often this runs.
 */
export const foldUsage = async (
  parts: SwapParts,
  { partition, ...owner }: Owner & { readonly partition?: string | undefined },
): Promise<void> => {
  const { manifests } = await readHead(parts.table, owner.project);
  for (const entry of partition === undefined ? Object.keys(manifests) : [partition]) {
    if (entry !== STATE_ENTRY) await rollUp(parts, owner, entry);
  }
};

/**
 * Puts the counts of the manifest that the head names into the roll-up of its partition. Where more of its keyed counts bear on one beside it
 * than when it was counted last, that is settled anew first: so what is counted is settled with its neighbours, too, and a job that dies
 * in between is done again because its own partition is not counted yet.
 */
const rollUp = (parts: SwapParts, owner: Owner, partition: string): Promise<void> =>
  replaceCounts(parts, owner, partition, async (stored, { manifests }) => {
    const id = manifests[partition];
    if (id === undefined || (stored?.manifest === id && stored.reaching !== undefined)) return "counted";
    // Whose time is over keeps the counts that it had when its rows went.
    if ((await getManifestRoot(parts.objects, owner.project, partition, id))?.expired) return "counted";
    const found = await countsAround(parts, owner.project, partition, manifests);
    if (found === undefined) return "gone";
    const [before, after] = reaching(found.own, found);
    const [knownBefore, knownAfter] = stored?.reaching ?? [0, 0];
    const beside = partitionsBeside(partition);
    if (before !== knownBefore && beside.before !== undefined) await settleAnew(parts, owner, beside.before);
    if (after !== knownAfter) await settleAnew(parts, owner, beside.after);
    return { manifest: id, reaching: [before, after], days: resolveKeyedCounts(found.own, found) };
  });

/**
 * Counts a partition anew because one beside it has changed. It is said to be counted no further than before: what was gathered of it
 * meanwhile may bear on its other neighbour, to which its own roll sees.
 */
const settleAnew = (parts: SwapParts, { organization, project }: Owner, partition: string): Promise<void> =>
  replaceCounts(parts, { organization, project }, partition, async (stored, { manifests }) => {
    const id = manifests[partition];
    if (id === undefined || (await getManifestRoot(parts.objects, project, partition, id))?.expired) return "counted";
    const found = await countsAround(parts, project, partition, manifests);
    return found === undefined
      ? "gone"
      : { manifest: stored?.manifest ?? "", reaching: stored?.reaching, days: resolveKeyedCounts(found.own, found) };
  });

/**
 * Replaces a project's part of a roll-up: a new object, and then the item that names it. The roll-up is read before the head, and
 * replaced only if nobody else did, so it never goes back to an older head, whichever partition that was changed for.
 */
const replaceCounts = async (
  parts: SwapParts,
  { organization, project }: Owner,
  partition: string,
  count: (stored: ProjectUsage | undefined, head: Head) => Promise<ProjectCounts | "counted" | "gone">,
): Promise<void> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const { item, rollUp: old } = await readRollUp(parts, organization, partition);
    const head = await readHead(parts.table, project);
    const next = await count(old.projects[project], head);
    if (next === "counted") return;
    if (next === "gone") {
      // A removed project's head names manifests for ever, which are deleted soon: what was counted by then stays counted.
      if (head.removedAt !== null) return;
    } else if (await replaceRollUp(parts, organization, partition, item, withProject(old, project, next))) return;
  }
  throw new Defect(`the usage of organization ${organization} is changed too often`);
};

/** What a partition's files count, and where any is keyed, what those of the partitions beside it do; undefined where a manifest is gone. */
const countsAround = async (
  { objects }: Pick<SwapParts, "objects">,
  project: number,
  partition: string,
  manifests: Head["manifests"],
): Promise<(Neighbours & { readonly own: DayCounts }) | undefined> => {
  const manifestCounts = async (named: string | undefined): Promise<DayCounts | undefined> => {
    const id = named === undefined ? undefined : manifests[named];
    if (named === undefined || id === undefined) return {};
    const manifest = await getManifest(objects, project, named, id, ({ usage }) => usage === undefined);
    return manifest && manifestUsage(manifest);
  };
  const own = await manifestCounts(partition);
  if (own === undefined || !hasKeyedCounts(own)) return own && { own, ...NO_NEIGHBOURS };
  const beside = partitionsBeside(partition);
  const [before, after] = [await manifestCounts(beside.before), await manifestCounts(beside.after)];
  return before && after && { own, before, after };
};

/** Knows whose rows are in the usage. Reads each roll-up once: what was counted stays counted. */
export interface CountedManifests {
  /** Says of the commits of a project that its partition absorbed whether their rows are counted. */
  of(head: Head, partition: string): Promise<(commit: string) => boolean>;
}

/** The organization that a project's usage is counted for; a project that was never described counts for nobody. */
export type OrganizationOf = (project: number) => Promise<string | undefined>;

export const countedManifests = (parts: ReadUsage, organizationOf: OrganizationOf): CountedManifests => {
  const organizations = new Map<number, Promise<string | undefined>>();
  const rolled = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const countedManifestIds = async (organization: string, partition: string): Promise<ReadonlyMap<string, string>> => {
    const { rollUp } = await readRollUp(parts, organization, partition);
    return new Map(Object.entries(rollUp.projects).map(([project, { manifest }]) => [project, manifest]));
  };
  return {
    async of({ project, manifests }, partition) {
      const organization = await readOnce(organizations, project, () => organizationOf(project));
      if (organization === undefined) return () => true;
      const own = await readOnce(rolled, `${organization}/${partition}`, () => countedManifestIds(organization, partition));
      const [id, current] = [own.get(String(project)), manifests[partition]];
      if (id !== undefined && id === current) return () => true;
      const isExpired = current !== undefined && (await getManifestRoot(parts.objects, project, partition, current))?.expired;
      if (isExpired) return () => true;
      if (id === undefined) return () => false;
      // Files were merged since, or more was gathered: what the counted manifest had absorbed is counted.
      const absorbed = new Set((await getManifestRoot(parts.objects, project, partition, id))?.absorbed);
      return (commit) => absorbed.has(commit);
    },
  };
};

const readOnce = <K, T>(known: Map<K, Promise<T>>, key: K, read: () => Promise<T>): Promise<T> => {
  const found = known.get(key) ?? read();
  known.set(key, found);
  return found;
};

/** Rows that one recount reads at most: minutes of work. Of a day with more, what the files state is believed. */
export const MOST_ROWS = 2_000_000;

/** A day of a project, counted anew. */
export interface Recount {
  /** Rows that were read. */
  readonly rows: number;
  /** Where the stored usage is another. */
  readonly differences: readonly CountDifference[];
}

type Parts = Pick<CompactParts, "table" | "objects" | "rowFiles">;

/**
 * Counts a UTC day of a project from the rows of its files, settles the day's partition of time and the one before anew, and compares both
 * with the stored usage, which it leaves as it is. It looks at the manifests that were counted, so what came since is no difference;
 * undefined where none was.
 */
export const recountDay = async (parts: Parts, owner: Owner, day: number, mostRows = MOST_ROWS): Promise<Recount | undefined> => {
  const { manifests } = await readHead(parts.table, owner.project);
  const read = (partition: string | undefined) => readCounted(parts, owner, partition, manifests);
  const partition = partitionOnDay(day);
  const own = await read(partition);
  if (own?.stored === undefined || own.expired) return undefined;
  const beside = partitionsBeside(partition);
  const before = await read(beside.before);
  const { rows, counts } = await countAnew(parts, owner.project, own.files, day, mostRows);
  const earlier = fileCounts(before);
  const after = fileCounts(await read(beside.after));
  const differences = compareUsage(own.stored, resolveKeyedCounts(counts, { before: earlier, after }));
  if (beside.before === undefined || before?.stored === undefined || before.expired) return { rows, differences };
  const farther = fileCounts(await read(partitionsBeside(beside.before).before));
  return {
    rows,
    differences: [...compareUsage(before.stored, resolveKeyedCounts(earlier, { before: farther, after: counts })), ...differences],
  };
};

/**
 * Where the stored usage of a partition is another than what the files of the manifest state that it was counted of; undefined where none
 * was yet.
 */
export const comparePartition = async (
  parts: Pick<Parts, "table" | "objects">,
  owner: Owner,
  partition: string,
): Promise<readonly CountDifference[] | undefined> => {
  const { manifests } = await readHead(parts.table, owner.project);
  const own = await readCounted(parts, owner, partition, manifests);
  if (own?.stored === undefined) return undefined;
  const beside = partitionsBeside(partition);
  const before = fileCounts(await readCounted(parts, owner, beside.before, manifests));
  const after = fileCounts(await readCounted(parts, owner, beside.after, manifests));
  return compareUsage(own.stored, resolveKeyedCounts(fileCounts(own), { before, after }));
};

/** A partition as it was counted. */
interface Counted {
  readonly files: readonly FileFacts[];
  /** Undefined where only the partitions beside it were settled by it. */
  readonly stored: DayCounts | undefined;
  /** Its rows are gone, and what was counted of them stays. */
  readonly expired: boolean;
}

/**
 * Where the manifest that was counted is gone, its files were merged long ago: those of the head hold the same rows. The store is asked
 * whether it is, because this process may remember what others have removed.
 */
const readCounted = async (
  parts: Pick<Parts, "table" | "objects">,
  { organization, project }: Owner,
  partition: string | undefined,
  manifests: Head["manifests"],
): Promise<Counted | undefined> => {
  if (partition === undefined) return undefined;
  const { rollUp } = await readRollUp(parts, organization, partition);
  const entry = rollUp.projects[project];
  const [counted, current] = [entry?.manifest ?? "", manifests[partition] ?? ""];
  const isKept = counted === current || (await hasManifest(parts.objects, project, partition, counted));
  const manifest = await getManifest(parts.objects, project, partition, isKept ? counted : current);
  if (manifest === undefined) return undefined;
  const stored = entry?.reaching === undefined ? undefined : storedCounts(entry, rollUp);
  return { files: [...manifest.files, ...manifest.loose], stored, expired: manifest.expired ?? false };
};

const storedCounts = ({ runs }: ProjectUsage, { names }: RollUp): DayCounts =>
  decodeRuns(runs, names, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);

const fileCounts = (counted: Counted | undefined): DayCounts => sumUsage(counted?.files ?? []);

/** Without what was counted once and is not any more. */
const compareUsage = (stored: DayCounts, counted: DayCounts): readonly CountDifference[] =>
  compareCounts(stored, counted).filter(({ type }) => isStillCounted(type));

/**
 * What files count, of one day by its rows, as far as all of these may be read. Other days are left to what is stated, by whichever file:
 * a release before counted a day that is split with the first of its files.
 */
const countAnew = async (
  { rowFiles }: Pick<CompactParts, "rowFiles">,
  project: number,
  files: readonly FileFacts[],
  day: number,
  mostRows: number,
): Promise<{ readonly rows: number; readonly counts: DayCounts }> => {
  const stated = sumUsage(files);
  const holding = files.filter(({ days }) => overlap(days, [day, day]));
  const rows = holding.reduce((sum, file) => sum + file.rows, 0);
  if (rows > mostRows) return { rows: 0, counts: stated };
  const recounted: FileFacts[] = [];
  for (const file of holding) recounted.push({ ...file, usage: await rowFiles.recount(project, file) });
  return { rows, counts: { ...stated, [day]: sumUsage(recounted)[day] ?? {} } };
};
