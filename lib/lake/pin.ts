import { createHash } from "node:crypto";
import { cache, perOwner } from "../core/cache.ts";
import { Defect } from "../core/unreachable.ts";
import { daysWithin, overlap, partitionDays, type TimeRange } from "../event/time-partitions.ts";
import type { Table } from "../ports/table.ts";
import { readCommits, readCommitsAndHead } from "./catalogue/commits.ts";
import { getHeadState, getManifest } from "./catalogue/manifests.ts";
import type { ReadParts } from "./catalogue/parts.ts";
import {
  type Commit,
  type FileFacts,
  MAX_BOUND_LENGTH,
  type Manifest,
  type PinnedState,
  type Segment,
  STATE_ENTRY,
  type StateManifest,
} from "./catalogue.ts";
import { type Head, readHead } from "./head.ts";
import { getHeadRemovals } from "./removals.ts";

/** The parts of the lake that a query touches: events, or persons, groups and the identity map, or both. */
export interface Wants {
  readonly events: boolean;
  readonly state: boolean;
}

/** A commit is deleted 15 minutes after it was absorbed; a reader that took this long starts again, far within that. */
const FRESH_MS = 60_000;

/** A reader that is this unlucky has met a fault, not a race. */
const TRIES = 5;

/** A head, and the commits as they were when it was the head, or later. */
export interface CatalogueSnapshot {
  readonly head: Head;
  readonly commits: readonly Commit[];
  /** When reading it began, in milliseconds. */
  readonly at: number;
}

/**
 * The head first, then all commits. Where this process knows a head both are read in one call: if it is the head still, it was that all
 * the time, since no head comes back, and the commits are none older than it. If it is not, they are read again.
 */
export const readCatalogueSnapshot = async (
  { table, clock }: Pick<ReadParts, "table" | "clock">,
  project: number,
): Promise<CatalogueSnapshot> => {
  const at = clock.now();
  const known = lastHeads(table).get(project);
  const early = known && (await readCommitsAndHead(table, project));
  const head = early?.head ?? (await readHead(table, project));
  lastHeads(table).set(project, head);
  const commits = known && early && isSameHead(known, head) ? early.commits : await readCommits(table, project);
  return { head, commits, at };
};

const HEADS_REMEMBERED = 1_000;

const lastHeads = perOwner((_: Table) => cache<number, Head>({ capacity: HEADS_REMEMBERED }));

/** An entry of a head may come, and never goes; and of a removed project nobody reads the commits. */
const isSameHead = (known: Head, head: Head): boolean =>
  Object.entries(head.manifests).every(([entry, id]) => known.manifests[entry] === id);

/**
 * One state of a project's catalogue: a snapshot, and the manifests that its head names. An absorbed commit stays for a while, so
 * whatever the pinned manifests lack is still found. A removed project is empty. `ahead` is a snapshot whose reading was begun for this.
 */
export const pin = async (
  parts: ReadParts,
  project: number,
  range: TimeRange | null,
  wants: Wants,
  ahead?: Promise<CatalogueSnapshot>,
): Promise<PinnedState> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const snapshot = await (attempt === 1 && ahead !== undefined ? ahead : readCatalogueSnapshot(parts, project));
    const pinned = await pinnedAt(parts, project, snapshot, range, wants);
    if (pinned && parts.clock.now() - snapshot.at <= FRESH_MS) return pinned;
  }
  throw new Defect(`the catalogue of project ${project} could not be read within ${FRESH_MS} ms`);
};

/** The rows of these commits alone, whatever has been gathered of them, with persons and groups as a snapshot has them if `state` is wanted. */
export const pinCommits = async (
  parts: ReadParts,
  project: number,
  commits: readonly Commit[],
  state: boolean,
  ahead: Promise<CatalogueSnapshot>,
): Promise<PinnedState> => {
  const now = await pin(parts, project, null, { events: false, state }, ahead);
  return makePinned({ ...now, waiting: commits });
};

const pinnedAt = async (
  parts: ReadParts,
  project: number,
  { head, commits }: CatalogueSnapshot,
  range: TimeRange | null,
  wants: Wants,
): Promise<PinnedState | undefined> => {
  if (head.removedAt !== null) return makePinned({ project, manifests: new Map(), waiting: [], state: null, waitingDeltas: [] });
  const inRange = wants.events ? touching(range) : () => false;
  const [manifests, state, removals] = await Promise.all([
    readManifests(parts, head, inRange),
    wants.state ? getHeadState(parts.objects, head) : null,
    getHeadRemovals(parts.objects, head),
  ]);
  if (manifests === undefined || state === undefined || removals === undefined) return undefined;
  const waiting = wants.events ? waitingSegments(commits, manifests, (partition) => inRange(partitionDays(partition))) : [];
  const waitingDeltas = wants.state ? unfoldedCommits(commits, state) : [];
  return makePinned({ project, manifests, waiting, state, waitingDeltas, ...(removals && { removals }) });
};

type DaysTest = (days: readonly [number, number]) => boolean;

const touching = (range: TimeRange | null): DaysTest => {
  if (range === null) return () => true;
  const asked = daysWithin(range);
  return (days) => overlap(days, asked);
};

const readManifests = async (parts: ReadParts, head: Head, inRange: DaysTest): Promise<ReadonlyMap<string, Manifest> | undefined> => {
  const entries = Object.entries(head.manifests).filter(([entry]) => entry !== STATE_ENTRY && inRange(partitionDays(entry)));
  const found = await Promise.all(
    entries.map(([partition, id]) => getManifest(parts.objects, head.project, partition, id, ({ days }) => inRange(days))),
  );
  const manifests = new Map<string, Manifest>();
  for (const manifest of found) {
    if (manifest === undefined) return undefined;
    manifests.set(manifest.partition, manifest);
  }
  return manifests;
};

/** The segments that no manifest contains yet; of a commit of several partitions, only those. */
export const waitingSegments = (
  commits: readonly Commit[],
  manifests: ReadonlyMap<string, Pick<Manifest, "absorbed">>,
  inRange: (partition: string) => boolean = () => true,
): readonly Commit[] => {
  const absorbed = new Map([...manifests].map(([partition, manifest]) => [partition, new Set(manifest.absorbed)]));
  return commits.flatMap((commit) => {
    const segments = commit.segments.filter(({ partition }) => inRange(partition) && !absorbed.get(partition)?.has(commit.id));
    if (segments.length === 0) return [];
    return segments.length === commit.segments.length ? [commit] : [{ ...commit, segments }];
  });
};

/** The commits whose deltas the state does not contain yet. */
export const unfoldedCommits = (commits: readonly Commit[], state: StateManifest | null): readonly Commit[] => {
  const absorbed = new Set(state?.absorbed);
  return commits.filter((commit) => commit.deltas !== null && !absorbed.has(commit.id));
};

/** Of these commits those all of whose rows are gathered: what stays of them is decided, so their deltas may be folded. */
export const gatheredCommits = (
  commits: readonly Commit[],
  manifests: ReadonlyMap<string, Pick<Manifest, "absorbed">>,
): readonly Commit[] => {
  const absorbed = new Map([...manifests].map(([partition, manifest]) => [partition, new Set(manifest.absorbed)]));
  return commits.filter(({ id, segments }) => segments.every(({ partition }) => absorbed.get(partition)?.has(id)));
};

type Read = Omit<PinnedState, "digest">;

const makePinned = (read: Read): PinnedState => ({ ...read, digest: stateDigest(read) });

/** What was removed is told by the manifests, but of what waits. */
const stateDigest = ({ manifests, waiting, state, waitingDeltas, removals }: Read): string => {
  const inputs = [
    [...manifests.values()].map(({ id }) => id).sort(),
    waiting.flatMap((commit) => commit.segments.map(({ key }) => key)),
    state?.id ?? "",
    waitingDeltas.map(({ id }) => id),
    ...(removals && waiting.length + waitingDeltas.length > 0 ? [removals.id] : []),
  ];
  return createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
};

/** The bounds of a scan of events; null is none. */
export interface EventRange {
  /** Microseconds since 1970: from inclusive, to exclusive. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  readonly events: readonly string[] | null;
  readonly distinctIds: readonly string[] | null;
}

export interface EventPlan {
  /** Compacted and loose files: no duplicates among them. */
  readonly files: readonly FileFacts[];
  /** Waiting segments: rows of theirs may stand in files and in each other, also in those that the plan leaves out. */
  readonly waiting: readonly Segment[];
}

/**
 * The files that may hold rows of the range. Prunes by whole days, event names and distinct_ids only: these are parts of an
 * identity, so the copies of one row are kept or left out together, and removing duplicates below the plan stays exact.
 */
export const planEvents = (pinned: PinnedState, range: EventRange): EventPlan => {
  const mayHold = pruning(range);
  const manifests = [...pinned.manifests.values()];
  return {
    files: manifests.flatMap(({ files, loose }) => [...files, ...loose]).filter(mayHold),
    waiting: pinned.waiting.flatMap(({ segments }) => segments).filter(mayHold),
  };
};

const pruning = (range: EventRange): ((file: FileFacts) => boolean) => {
  const days = daysWithin(range);
  const names = range.events && new Set(range.events);
  const ids = range.distinctIds?.map((id) => id.toWellFormed().slice(0, MAX_BOUND_LENGTH));
  return (file) => {
    if (!overlap(file.days, days)) return false;
    if (names && file.events && !file.events.some((name) => names.has(name))) return false;
    return !ids || ids.some((id) => id >= file.ids[0] && id <= file.ids[1]);
  };
};
