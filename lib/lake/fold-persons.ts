import { forEachConcurrent } from "../core/concurrency.ts";
import { writtenVersion } from "../core/formats.ts";
import { Defect } from "../core/unreachable.ts";
import { type EarnedColumn, earnedColumn, type StateOwner } from "../event/earned-properties.ts";
import { absorbing } from "./catalogue/absorbed.ts";
import { readCommits } from "./catalogue/commits.ts";
import { getHeadState, getManifestRoot } from "./catalogue/manifests.ts";
import type { SwapParts } from "./catalogue/parts.ts";
import { type KnownRemovals, type SwapOutcome, swap } from "./catalogue/swap.ts";
import {
  CATALOGUE_FORMAT,
  type Commit,
  type DeltaRef,
  type ManifestRoot,
  STATE_ENTRY,
  type StateFile,
  type StateManifest,
} from "./catalogue.ts";
import { earnedBy, type NamedProperty, readEarned, SETTLED_MS } from "./earned-properties.ts";
import { type Head, readHead } from "./head.ts";
import { correctedDeltas } from "./persons/corrections.ts";
import type { Deltas } from "./persons/deltas.ts";
import { boundedChanges, type StateChanges } from "./persons/state-changes.ts";
import { buildColumns } from "./persons/state-columns.ts";
import { layeredFiles, writeFiles } from "./persons/state-files.ts";
import { stateLookup } from "./persons/state-lookup.ts";
import { mergedRows } from "./persons/state-merge.ts";
import { STATE_KINDS, type StateKind, type StateMap } from "./persons/state-rows.ts";
import { areByPartition, entriesIn, readDeltas } from "./persons/stored-deltas.ts";
import { gatheredCommits, unfoldedCommits } from "./pin.ts";
import type { FoldSizes, Policy } from "./policy.ts";
import { getHeadRemovals } from "./removals.ts";

/** Tries to read a state that the head named a moment ago. */
const TRIES = 3;

/** Whether there was anything to fold, whether more is left, and how the swap ended. */
export interface FoldResult {
  readonly commits: number;
  readonly left: number;
  /** Properties that were more than a person or a group may have, or than one event may change. */
  readonly dropped: number;
  readonly outcome: SwapOutcome;
}

/**
 * Folds the deltas of gathered commits into the project's state: persons, the identity map, groups and the logs that later replays
 * need. Before a commit is gathered it is not decided which of its rows stay, and persons come from those alone. Safe to run again
 * and beside itself; what a lost race wrote is never named.
 */
export const fold = async (parts: SwapParts, policy: Policy, project: number, sizes: FoldSizes = policy.fold): Promise<FoldResult> => {
  const found = await find(parts, project);
  if (found === "removed") return { commits: 0, left: 0, dropped: 0, outcome: "removed" };
  const { state, waiting, manifests } = found;
  const { taken, deltas } = await take(parts, waiting, manifests, sizes);
  if (taken.length === 0) return { commits: 0, left: 0, dropped: 0, outcome: "done" };
  const { changes, dropped: outgrown } = await boundedChanges(project, deltas, stateLookup(parts.objects, state));
  const dropped = taken.reduce((sum, { over = 0 }) => sum + over, outgrown);
  const files = await writeChanges(parts, policy, sizes, project, state, changes);
  const outcome = await swapState(parts, policy, project, found, { files, taken, dropped });
  return { commits: taken.length, left: waiting.length - taken.length, dropped, outcome };
};

/** A state with all that a fold needs, as one head has it. */
const find = async (parts: SwapParts, project: number) => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const head = await readHead(parts.table, project);
    if (head.removedAt !== null) return "removed";
    const state = await getHeadState(parts.objects, head);
    const removals = await getHeadRemovals(parts.objects, head);
    if (state === undefined || removals === undefined) continue;
    const commits = await readCommits(parts.table, project);
    const unfolded = unfoldedCommits(commits, state);
    const manifests = await readManifests(parts, head, unfolded);
    if (manifests !== undefined) return { state, commits, manifests, removals, waiting: gatheredCommits(unfolded, manifests) };
  }
  throw new Defect(`the state of project ${project} is missing`);
};

/** The manifests of the partitions that some commits touch; undefined when one is gone, because the head is too old. */
const readManifests = async (
  parts: SwapParts,
  head: Head,
  commits: readonly Commit[],
): Promise<ReadonlyMap<string, ManifestRoot> | undefined> => {
  const manifests = new Map<string, ManifestRoot>();
  for (const partition of new Set(commits.flatMap(({ segments }) => segments.map((segment) => segment.partition)))) {
    const id = head.manifests[partition];
    if (id === undefined) continue;
    const manifest = await getManifestRoot(parts.objects, head.project, partition, id);
    if (manifest === undefined) return undefined;
    manifests.set(partition, manifest);
  }
  return manifests;
};

/** Objects of deltas read side by side. */
const CONCURRENCY = 16;

/** The oldest waiting deltas, as many as fit; at least one commit's. */
const take = async (
  parts: SwapParts,
  waiting: readonly Commit[],
  manifests: ReadonlyMap<string, ManifestRoot>,
  sizes: FoldSizes,
): Promise<{ taken: readonly Commit[]; deltas: readonly Deltas[] }> => {
  const taken = fitting(waiting, sizes);
  const deltas: Deltas[] = [];
  await forEachConcurrent(taken.entries(), CONCURRENCY, async ([at, commit]) => {
    const said = await readDeltas(parts.objects, commit.deltas);
    deltas[at] = areByPartition(commit.deltas) ? await correctedDeltas(parts.objects, commit, said, manifests) : said;
  });
  return { taken, deltas };
};

const fitting = (commits: readonly Commit[], sizes: FoldSizes): readonly Commit[] => {
  let [entries, bytes] = [0, 0];
  const end = commits.findIndex(({ deltas }, at) => {
    const isFull = entries >= sizes.entries;
    entries += entriesIn(deltas);
    bytes += deltaBytes(deltas);
    return at > 0 && (isFull || bytes > sizes.bytes);
  });
  return end < 0 ? commits : commits.slice(0, end);
};

const deltaBytes = (ref: DeltaRef | null): number => (ref === null ? 0 : "inline" in ref ? ref.inline.length : ref.bytes);

export type Files = Pick<StateManifest, StateKind>;

/** The files of a state with changes. */
export const writeChanges = async (
  parts: SwapParts,
  policy: Policy,
  sizes: FoldSizes,
  project: number,
  state: StateManifest | null,
  changes: StateChanges,
): Promise<Files> => {
  const files: Record<StateKind, readonly StateFile[]> = { persons: [], distinctIds: [], groups: [], history: [] };
  const named = await readEarned(parts.table, project, parts.clock.now());
  for (const kind of STATE_KINDS)
    files[kind] = await writeKind(parts, policy, sizes, project, kind, state?.[kind] ?? [], changes[kind], columnsFor(named, kind));
  return files;
};

const EARNING: Partial<Record<StateKind, StateOwner>> = { persons: "person", groups: "group" };

/** The properties that have a column in the files of a kind: their texts. */
const columnsFor = (named: readonly NamedProperty[], kind: StateKind): readonly NamedProperty[] => {
  const owner = EARNING[kind];
  return owner === undefined ? [] : earnedBy(named, owner).filter(({ type }) => type === "text");
};

/**
 * The files of one kind with its changes: a layer more, or all layers in one, or the whole snapshot anew when its layers come to the
 * share of it from which on files are rewritten, or a file of it lacks the column of a property that has had one for a day.
 */
const writeKind = async <K extends StateKind>(
  parts: SwapParts,
  policy: Policy,
  sizes: FoldSizes,
  project: number,
  kind: K,
  files: readonly StateFile[],
  changes: StateMap<K>,
  named: readonly NamedProperty[],
): Promise<readonly StateFile[]> => {
  if (changes.size === 0) return files;
  const keys = [...changes.keys()].sort();
  const newest = buildColumns(
    kind,
    keys.map((key) => [key, changes.get(key) ?? null]),
  );
  const written = (replaced: readonly StateFile[], layer: number): Promise<readonly StateFile[]> => {
    const cut = { most: sizes.fileRows, withGone: layer > 0 };
    return writeFiles(parts, project, kind, mergedRows(parts.objects, kind, replaced, newest, cut), layer, named.map(earnedColumn));
  };
  const layers = layeredFiles(files);
  const base = files.filter((file) => !layers.includes(file));
  if (rowsIn(layers) + changes.size >= policy.rewriteShare * rowsIn(base)) return written(files, 0);
  if (lackColumns(base, named, parts.clock.now())) return written(files, 0);
  const numbers = new Set(layers.map(({ layer = 0 }) => layer));
  if (numbers.size < sizes.layers) return [...files, ...(await written([], Math.max(0, ...numbers) + 1))];
  return [...base, ...(await written(layers, 1))];
};

const lackColumns = (base: readonly StateFile[], named: readonly NamedProperty[], now: number): boolean => {
  const settled: readonly EarnedColumn[] = named.filter(({ since }) => now - since >= SETTLED_MS).map(earnedColumn);
  return base.some(({ earned }) => settled.some(({ column }) => earned?.includes(column) !== true));
};

/** The files of a state with all its layers in one: what a layer says is gone is in no file any more. */
export const wholeFiles = async (parts: SwapParts, project: number, state: StateManifest, sizes: FoldSizes): Promise<Files> => {
  const files: Record<StateKind, readonly StateFile[]> = { ...state };
  const named = await readEarned(parts.table, project, parts.clock.now());
  for (const kind of STATE_KINDS) {
    if (layeredFiles(state[kind]).length === 0) continue;
    const rows = mergedRows(parts.objects, kind, state[kind], buildColumns(kind, []), { most: sizes.fileRows, withGone: false });
    files[kind] = await writeFiles(parts, project, kind, rows, 0, columnsFor(named, kind).map(earnedColumn));
  }
  return { persons: files.persons, distinctIds: files.distinctIds, groups: files.groups, history: files.history };
};

/** Whether some of its rows replace others. */
export const hasLayers = (state: StateManifest): boolean => STATE_KINDS.some((kind) => layeredFiles(state[kind]).length > 0);

/** A state as a head named it, with the commits and removals beside it. */
interface CurrentState {
  readonly state: StateManifest | null;
  readonly commits: readonly Commit[];
  readonly removals: KnownRemovals;
}

/** What a new state is made of: its files, the commits whose deltas these contain beside those of the old one, and how much that dropped. */
interface NewState {
  readonly files: Files;
  readonly taken: readonly Commit[];
  readonly dropped: number;
}

/** Swaps in a new state. */
export const swapState = async (
  parts: SwapParts,
  policy: Policy,
  project: number,
  { state, commits, removals }: CurrentState,
  { files, taken, dropped }: NewState,
): Promise<SwapOutcome> => {
  const allDropped = (state?.dropped ?? 0) + dropped;
  const next: StateManifest = {
    v: writtenVersion(CATALOGUE_FORMAT),
    id: parts.ids.ulid(),
    ...files,
    ...(allDropped > 0 && { dropped: allDropped }),
    ...absorbing(state, commits, taken, parts.clock.now()),
  };
  const retired = retiredBy(state, next, taken);
  return swap(parts, policy, project, STATE_ENTRY, state?.id ?? null, next, removals, { retired });
};

const rowsIn = (files: readonly StateFile[]): number => files.reduce((sum, { rows }) => sum + rows, 0);

/** The objects that the new state no longer names, and the deltas that it contains now. */
const retiredBy = (old: StateManifest | null, next: StateManifest, taken: readonly Commit[]): readonly string[] => {
  const named = new Set(STATE_KINDS.flatMap((kind) => next[kind].map(({ key }) => key)));
  const before = old ? STATE_KINDS.flatMap((kind) => old[kind].map(({ key }) => key)) : [];
  const deltas = taken.flatMap((commit) => (commit.deltas && "key" in commit.deltas ? [commit.deltas.key] : []));
  return [...before.filter((key) => !named.has(key)), ...deltas];
};
