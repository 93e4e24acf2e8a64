import { isReadable, writtenVersion } from "../../core/formats.ts";
import { OBJECT_WORTH_PACKING, pack, unpack } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import { partitionAt } from "../../event/time-partitions.ts";
import type { Objects } from "../../ports/objects.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import type { Commit, CorrectionRef, Manifest, Segment } from "../catalogue.ts";
import { correctionKey } from "../paths.ts";
import type { Sighting } from "../row-files.ts";
import { type At, type Deltas, gatherDeltas, type IdSighting } from "./deltas.ts";

/** Version of these objects; readers accept this one and the one after. */
const CORRECTION_FORMAT = 1;

/** The changes of a commit's deltas that rows which compaction dropped take back, of one partition. */
interface Correction {
  /** Ids that lost rows; what the deltas say of when they were seen is replaced by `seen`. */
  readonly ids: ReadonlySet<string>;
  readonly seen: readonly IdSighting[];
  /** Events whose changes do not count. */
  readonly gone: readonly Sighting[];
}

/** By commit, as stored: ids, their sightings that stay, and the events that are gone. Times are decimal text. */
interface StoredCorrections {
  readonly v: number;
  readonly commits: Readonly<
    Record<
      string,
      {
        readonly ids: readonly string[];
        readonly seen: readonly (readonly [id: string, last: string, time: string, index: number, uuid: string])[];
        readonly gone: readonly (readonly [id: string, time: string, index: number, uuid: string])[];
      }
    >
  >;
}

/** The corrections that a partition's next manifest names, and the objects that it no longer does. */
export interface Corrections {
  readonly corrections: readonly CorrectionRef[];
  readonly retired: readonly string[];
}

/**
 * Writes down what rows dropped from waiting segments did to persons and groups, so that folding leaves it out: only here is it
 * decided which copies stay. Corrections of commits that are deleted are named no longer.
 */
export const recordCorrections = async (
  parts: CompactParts,
  project: number,
  old: Manifest | null,
  commits: readonly Commit[],
  merged: readonly Commit[],
  partition: string,
  duplicates: ReadonlyMap<string, readonly number[]>,
): Promise<Corrections> => {
  const exists = new Set(commits.map(({ id }) => id));
  const kept = (old?.corrections ?? []).filter((correction) => correction.commits.some((id) => exists.has(id)));
  const retired = (old?.corrections ?? []).filter((correction) => !kept.includes(correction)).map(({ key }) => key);
  const found: [string, Correction][] = [];
  for (const commit of merged) {
    const segments = commit.deltas === null ? [] : commit.segments.filter((segment) => segment.partition === partition);
    const correction = await findCorrection(parts, segments, duplicates);
    if (correction.ids.size > 0) found.push([commit.id, correction]);
  }
  if (found.length === 0) return { corrections: kept, retired };
  const key = correctionKey(project, parts.ids.ulid());
  await parts.objects.put(key, pack(storedForm(found), OBJECT_WORTH_PACKING));
  return { corrections: [...kept, { key, commits: found.map(([id]) => id) }], retired };
};

const findCorrection = async (
  { rowFiles }: Pick<CompactParts, "rowFiles">,
  segments: readonly Segment[],
  duplicates: ReadonlyMap<string, readonly number[]>,
): Promise<Correction> => {
  const skipped: Sighting[] = [];
  const staying: Sighting[] = [];
  for (const file of segments) {
    const skip = duplicates.get(file.key) ?? [];
    if (skip.length === 0) continue;
    const found = await rowFiles.sightings({ file, skip });
    for (const each of found.skipped) skipped.push(each);
    for (const each of found.staying) staying.push(each);
  }
  const seen = gatherDeltas();
  for (const { id, at } of staying) seen.seen(id, at);
  const stays = new Set(staying.map(sightingKey));
  return {
    ids: new Set(skipped.map(({ id }) => id)),
    seen: seen.take().seen,
    gone: skipped.filter((each) => !stays.has(sightingKey(each))),
  };
};

const sightingKey = ({ id, at }: Sighting): string => `${placeKey({ at })} ${id}`;
const placeKey = ({ at: { time, index, uuid } }: Pick<Sighting, "at">): string => `${time} ${index} ${uuid}`;

const storedForm = (found: readonly (readonly [string, Correction])[]): StoredCorrections => ({
  v: writtenVersion(CORRECTION_FORMAT),
  commits: Object.fromEntries(
    found.map(([id, { ids, seen, gone }]) => [
      id,
      {
        ids: [...ids],
        seen: seen.map(({ id: own, last, first }) => [own, String(last), String(first.time), first.index, first.uuid]),
        gone: gone.map(({ id: own, at }) => [own, String(at.time), at.index, at.uuid]),
      },
    ]),
  ),
});

/** A commit's deltas without what rows that did not stay said; `manifests` have absorbed all its partitions. */
export const correctedDeltas = async (
  objects: Pick<Objects, "get">,
  commit: Commit,
  deltas: Deltas,
  manifests: ReadonlyMap<string, Pick<Manifest, "corrections">>,
): Promise<Deltas> => {
  let corrected = deltas;
  for (const partition of new Set(commit.segments.map((segment) => segment.partition))) {
    for (const { key, commits } of manifests.get(partition)?.corrections ?? []) {
      if (commits.includes(commit.id)) corrected = without(corrected, partition, await readCorrection(objects, key, commit.id));
    }
  }
  return corrected;
};

const without = ({ seen, persons, groups }: Deltas, partition: string, { ids, seen: instead, gone }: Correction): Deltas => {
  const within = ({ time }: At): boolean => partitionAt(time) === partition;
  const events = new Set(gone.map(sightingKey));
  // A change of a group does not say whose event it was; its place in the order says it well enough.
  const places = new Set(gone.map(placeKey));
  return {
    seen: [...seen.filter(({ id, first }) => !(ids.has(id) && within(first))), ...instead],
    persons: persons.filter((op) => !events.has(sightingKey(op))),
    groups: groups.filter((op) => !places.has(placeKey(op))),
  };
};

const readCorrection = async (objects: Pick<Objects, "get">, key: string, commit: string): Promise<Correction> => {
  const bytes = await objects.get(key);
  if (bytes === undefined) throw new Defect(`the corrections ${key} are missing`);
  const { v, commits } = written(unpack(bytes));
  if (!isReadable(v, CORRECTION_FORMAT)) throw new Defect(`corrections of format ${v} are newer than this version`);
  const own = commits[commit];
  if (own === undefined) throw new Defect(`the corrections ${key} lack commit ${commit}`);
  return {
    ids: new Set(own.ids),
    seen: own.seen.map(([id, last, time, index, uuid]) => ({ id, first: { time: BigInt(time), index, uuid }, last: BigInt(last) })),
    gone: own.gone.map(([id, time, index, uuid]) => ({ id, at: { time: BigInt(time), index, uuid } })),
  };
};

/** Only `storedForm` makes these objects, so they have this shape. */
const written = (value: unknown): StoredCorrections => value as StoredCorrections;
