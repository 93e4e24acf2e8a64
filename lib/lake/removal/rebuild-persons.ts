import { Defect } from "../../core/unreachable.ts";
import { readCommits } from "../catalogue/commits.ts";
import { getHeadState } from "../catalogue/manifests.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import { STATE_ENTRY, type StateManifest } from "../catalogue.ts";
import { type Files, hasLayers, swapState, wholeFiles, writeChanges } from "../fold-persons.ts";
import { gatheredFiles } from "../gathered-files.ts";
import { readGroupTypes } from "../group-types.ts";
import { type Head, readHead } from "../head.ts";
import { type Deltas, gatherDeltas } from "../persons/deltas.ts";
import { groupName } from "../persons/group-log.ts";
import { stateLookup } from "../persons/state-lookup.ts";
import type { Policy } from "../policy.ts";
import { getHeadRemovals, sourceOf } from "../removals.ts";
import type { RowMatch } from "../row-files.ts";
import { replacedLogs } from "./replaced-logs.ts";
import { readRowDelta } from "./row-deltas.ts";
import type { Touched } from "./touched.ts";

/** Ids and groups that are made anew, and of the ids those that no row that stays has: for these no file is read. */
interface ToRebuild extends Pick<Touched, "ids" | "groups"> {
  readonly gone: ReadonlySet<string>;
}

/** Ids that are made anew at once: their logs and rows are held in memory. */
const IDS_AT_ONCE = 5_000;

/** Tries to swap in what was made anew: each lost race was won by a fold. */
const TRIES = 20;

/**
 * Makes persons and groups anew of the rows that stay, where removed rows said something of them: the log of each id from all gathered
 * rows of it, and then all persons that its merges touch. Safe to run again and beside folds, which swap the same entry of the head.
 */
export const rebuildPersons = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  { ids, groups, gone }: ToRebuild,
  inTime: () => boolean,
): Promise<"done" | "more" | "removed"> => {
  for (let from = 0; from < ids.length || from === 0; from += IDS_AT_ONCE) {
    const some = { ids: ids.slice(from, from + IDS_AT_ONCE), groups: from === 0 ? groups : [], gone };
    if (some.ids.length + some.groups.length === 0) continue;
    if (!inTime()) return "more";
    if ((await rebuildSome(parts, policy, project, some)) === "removed") return "removed";
  }
  return "done";
};

const rebuildSome = (parts: CompactParts, policy: Policy, project: number, touched: ToRebuild): Promise<"done" | "removed"> =>
  replaceState(parts, policy, project, async (state, head) => {
    const said = await rowsSay(parts, project, head, touched);
    if (said === undefined) return undefined;
    const changes = await replacedLogs(project, { ...touched, said }, stateLookup(parts.objects, state));
    return writeChanges(parts, policy, policy.fold, project, state, changes);
  });

/** Writes the state anew as one layer: what rows that are gone said is in none of its files any more. */
export const flattenState = (parts: CompactParts, policy: Policy, project: number): Promise<"done" | "removed"> =>
  replaceState(parts, policy, project, async (state) =>
    state === null || !hasLayers(state) ? "as it is" : wholeFiles(parts, project, state, policy.fold),
  );

/** Swaps in other files of a state; undefined where the head was too old to make them. */
const replaceState = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  make: (state: StateManifest | null, head: Head) => Promise<Files | "as it is" | undefined>,
): Promise<"done" | "removed"> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const head = await readHead(parts.table, project);
    if (head.removedAt !== null) return "removed";
    // The state before the files: what is folded was gathered, so the files have all that it says.
    const state = await getHeadState(parts.objects, head);
    const removals = await getHeadRemovals(parts.objects, head);
    if (state === undefined || removals === undefined) continue;
    const files = await make(state, head);
    if (files === undefined) continue;
    if (files === "as it is") return "done";
    const commits = await readCommits(parts.table, project);
    const outcome = await swapState(parts, policy, project, { state, commits, removals }, { files, taken: [], dropped: 0 });
    if (outcome !== "lost") return outcome;
  }
  throw new Defect(`the persons of project ${project} are changed too often`);
};

/** What all gathered rows say of some ids and groups; undefined where a manifest was replaced and is gone. */
const rowsSay = async (
  parts: CompactParts,
  project: number,
  { manifests }: Head,
  { ids, groups, gone }: ToRebuild,
): Promise<Deltas | undefined> => {
  const groupTypes = await readGroupTypes(parts.table, project);
  const [wantedIds, wantedGroups] = [new Set(ids), new Set(groups)];
  const match: RowMatch = { ids: ids.filter((id) => !gone.has(id)), ...(groups.length > 0 && { groupEvents: true }) };
  const deltas = gatherDeltas();
  for (const [entry, id] of Object.entries(manifests)) {
    if (entry === STATE_ENTRY) continue;
    const files = await gatheredFiles(parts.objects, project, entry, id);
    if (files === undefined) return undefined;
    await parts.rowFiles.readMatching(project, files.map(sourceOf), match, "all", (rows) => {
      for (const row of rows) {
        const delta = readRowDelta(row, groupTypes);
        if (delta === null) continue;
        if (wantedIds.has(row.distinct_id)) {
          deltas.seen(row.distinct_id, delta.at);
          if (delta.person) deltas.person(delta.person);
        }
        if (delta.group && wantedGroups.has(groupName(delta.group))) deltas.group(delta.group);
      }
    });
  }
  return deltas.take();
};
