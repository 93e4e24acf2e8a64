import { hash } from "node:crypto";
import { cache, perOwner } from "../core/cache.ts";
import { isReadable, writtenVersion } from "../core/formats.ts";
import { OBJECT_WORTH_PACKING, pack, unpack } from "../core/pack.ts";
import { DAY_MS } from "../core/time.ts";
import { Defect } from "../core/unreachable.ts";
import { partitionDays } from "../event/time-partitions.ts";
import type { Objects } from "../ports/objects.ts";
import type { ReadParts } from "./catalogue/parts.ts";
import type { FileFacts, Removal, Removals, Segment } from "./catalogue.ts";
import { type Head, readHead } from "./head.ts";
import { removalsKey } from "./paths.ts";
import type { Policy } from "./policy.ts";
import type { Publication } from "./published.ts";
import type { RowFiles, RowMatch, RowSource } from "./row-files.ts";
import { encodeSkipped, joinPlaces, skippedPlaces } from "./skipped-rows.ts";

/** Version of the objects of removals; readers accept this one and the one after. */
const REMOVALS_FORMAT = 1;

/** Hexadecimal digits of an erased id's digest. */
const DIGEST_DIGITS = 32;

/** What stays of an erased id: enough to know it again where it comes, and nobody can read it from that. */
export const erasedDigest = (salt: string, distinctId: string): string => hash("sha256", salt + distinctId, "hex").slice(0, DIGEST_DIGITS);

/** Removals that a process has read. They never change. */
const removalsRead = perOwner((_: Pick<Objects, "get">) => cache<string, Removals>({ capacity: 100 }));

/** The removals that a head names; undefined when the store no longer has them: the caller's head is too old. */
export const getRemovals = async (objects: Pick<Objects, "get">, project: number, id: string): Promise<Removals | undefined> => {
  const key = removalsKey(project, id);
  const known = removalsRead(objects).get(key);
  if (known !== undefined) return known;
  const bytes = await objects.get(key);
  if (bytes === undefined) return undefined;
  const read = written(unpack(bytes));
  if (!isReadable(read.v, REMOVALS_FORMAT)) throw new Defect(`removals of format ${read.v} are newer than this version`);
  removalsRead(objects).set(key, read);
  return read;
};

/** The removals that a head names, null where it names none; undefined as above. */
export const getHeadRemovals = async (
  objects: Pick<Objects, "get">,
  { project, removals }: Pick<Head, "project" | "removals">,
): Promise<Removals | null | undefined> => (removals === null ? null : getRemovals(objects, project, removals));

/** Writes removals before a head names them. */
export const putRemovals = (objects: Objects, project: number, removals: Omit<Removals, "v">): Promise<void> =>
  objects.put(removalsKey(project, removals.id), pack({ v: writtenVersion(REMOVALS_FORMAT), ...removals }, OBJECT_WORTH_PACKING));

/** The objects that a head names for its removals. */
export const removalKeys = async (objects: Pick<Objects, "get">, project: number, id: string): Promise<readonly string[]> => {
  const open = (await getRemovals(objects, project, id))?.open ?? [];
  return [removalsKey(project, id), ...open.flatMap(({ touched }) => (touched === undefined ? [] : [touched]))];
};

/** Only `putRemovals` writes these objects. */
const written = (value: unknown): Removals => value as Removals;

/** Removed rows have left a head that is read so long after they were removed. */
const LEAVES_HEAD_MS = 2 * DAY_MS;

/**
 * The policy beside removals: while snapshots are listed that may name what holds removed rows, they do not stay longer than that. Nor do
 * they where nobody was there to drop them for days, as where the platform was stopped.
 */
export const policyBeside = (
  policy: Policy,
  removals: Pick<Removals, "at"> | null | undefined,
  publications: readonly Pick<Publication, "reads">[],
): Policy =>
  removals && publications.some(({ reads: [oldest] }) => oldest !== undefined && oldest - removals.at < LEAVES_HEAD_MS)
    ? { ...policy, snapshotStayMs: Math.min(policy.snapshotStayMs, policy.removedStayMs) }
    : policy;

/** The removals that a project's head names now; null where there are none. */
export const currentRemovals = async (
  { table, objects }: Pick<ReadParts, "table" | "objects">,
  project: number,
): Promise<Removals | null> => (await getHeadRemovals(objects, await readHead(table, project))) ?? null;

/** The rows of gathered files that a removal means; of whole months none by themselves. */
export const matchOf = (removal: Removal): RowMatch => {
  switch (removal.kind) {
    case "ids":
      return { ids: removal.distinctIds };
    case "import":
      return { imports: [removal.import] };
    case "before":
      return {};
  }
};

/** The rows that nobody may see, whenever they come. */
const matchInForce = ({ salt, erased, imports }: Removals): RowMatch => ({
  ...(erased.length > 0 && { erased: { salt, digests: erased } }),
  ...(imports.length > 0 && { imports: imports.map(({ id }) => id) }),
});

/** Whether a partition ended before a month (`2026-03`). */
export const isBefore = (partition: string, month: string): boolean => partitionDays(partition)[1] < partitionDays(month)[0];

/** Places of removed rows in waiting segments, which never change, remembered by the removals that they were found for. */
const MOST_REMEMBERED = 2_000_000;
const placesFound = perOwner((_: Pick<RowFiles, "matching">) =>
  cache<string, readonly number[]>({ capacity: MOST_REMEMBERED, weigh: ({ length }) => length + 20 }),
);

/** The places of the rows of waiting segments that nobody may see; segments without any are left out. */
const removedPlaces = async (
  rowFiles: Pick<RowFiles, "matching">,
  project: number,
  segments: readonly Segment[],
  removals: Removals | null | undefined,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const removed = new Map<string, readonly number[]>();
  if (!removals) return removed;
  const { before, id } = removals;
  const isGone = ({ partition }: Segment): boolean => before !== null && isBefore(partition, before);
  for (const segment of segments) if (isGone(segment)) removed.set(segment.key, everyRow(segment));
  const match = matchInForce(removals);
  if (match.erased === undefined && match.imports === undefined) return removed;
  const remembered = placesFound(rowFiles);
  const unknown: Segment[] = [];
  for (const segment of segments.filter((each) => !isGone(each))) {
    const places = remembered.get(`${id} ${segment.key}`);
    if (places === undefined) unknown.push(segment);
    else if (places.length > 0) removed.set(segment.key, places);
  }
  if (unknown.length === 0) return removed;
  const found = await rowFiles.matching(project, unknown, match);
  for (const { key } of unknown) {
    const places = found.get(key) ?? NONE;
    remembered.set(`${id} ${key}`, places);
    if (places.length > 0) removed.set(key, places);
  }
  return removed;
};

const NONE: readonly number[] = Object.freeze([]);

const everyRow = ({ rows }: Pick<FileFacts, "rows">): readonly number[] => Array.from({ length: rows }, (_, place) => place);

/** Places to skip in waiting segments: rows that nobody may see, and copies among the others and of rows in files. */
export const hiddenPlaces = async (
  rowFiles: Pick<RowFiles, "matching" | "duplicates">,
  project: number,
  { waiting, files }: { readonly waiting: readonly Segment[]; readonly files: readonly FileFacts[] },
  removals: Removals | null | undefined,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const removed = await removedPlaces(rowFiles, project, waiting, removals);
  const segments = waiting.map((segment): FileFacts => {
    const places = removed.get(segment.key);
    return places === undefined ? segment : { ...segment, skip: encodeSkipped(places) };
  });
  const duplicates = await rowFiles.duplicates(project, segments, files);
  if (removed.size === 0) return duplicates;
  const keys = new Set([...removed.keys(), ...duplicates.keys()]);
  return new Map([...keys].map((key) => [key, joinPlaces(removed.get(key) ?? NONE, duplicates.get(key) ?? NONE)]));
};

/** The rows of a plan that readers see: of files without those that are skipped, of waiting segments without those that are hidden. */
export const seenSources = async (
  rowFiles: Pick<RowFiles, "matching" | "duplicates">,
  project: number,
  plan: { readonly waiting: readonly Segment[]; readonly files: readonly FileFacts[] },
  removals: Removals | undefined,
): Promise<readonly RowSource[]> => {
  const hidden = await hiddenPlaces(rowFiles, project, plan, removals);
  return [...plan.files.map(sourceOf), ...plan.waiting.map((file): RowSource => ({ file, skip: hidden.get(file.key) ?? NONE }))];
};

/** A gathered file without its skipped rows. */
export const sourceOf = (file: FileFacts): RowSource => ({ file, skip: skippedPlaces(file) });
