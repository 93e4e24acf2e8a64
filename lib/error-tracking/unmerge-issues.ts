import { isoMicros } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, Conflict, type Write } from "../ports/table.ts";
import { counting } from "../table/paging.ts";
import { counterKey } from "../table/partitions.ts";
import { getMany, putting, removing } from "../table/store.ts";
import { transact } from "../table/transact.ts";
import { activityWrite } from "./activity.ts";
import { type Issue, Issues, type MergedIssue, MergedIssues } from "./issues.ts";
import { readCommonIssue, readLiveIssue, readLiveIssues } from "./live-issues.ts";
import type { Merging } from "./merge-issues.ts";
import { checkingChains, checkingLive } from "./merging/fingerprint-moves.ts";
import { readMergeChains } from "./merging/merge-chains.ts";
import { addingMove, checkingMoved } from "./merging/pending-moves.ts";
import { settleOrHandOver } from "./merging/settle-or-hand-over.ts";
import { settleIssues } from "./settle-issues.ts";

type Parts = Pick<Ports, "table" | "clock" | "ids" | "queues" | "log">;

/** Tries of an issue that others change at the same time. */
const TRIES = 20;

/**
 * Takes issues out of the one that they were merged into: each is an issue again as it was, and what came by it goes back to it. Ids
 * that were not merged into this issue are passed over.
 */
export const unmergeIssues = async (parts: Parts, from: Issue, ids: readonly string[], by: number | null): Promise<Merging> => {
  const { project } = from;
  const chains = await readMergeChains(parts.table, project, [...ids, from.id]);
  // Those that stand for nothing are told apart in a few reads for all.
  const live = await readLiveIssues(parts.table, project, ids);
  let restored = 0;
  for (const id of live.keys()) if (await restore(parts, from, id, chains, by)) restored += 1;
  if (restored === 0) return { success: false, finished: true };
  return { success: true, finished: await settleOrHandOver(parts, project) };
};

/** False where the issue was not merged into the other one. `known` are merge chains as they were read, which the write holds to be so still. */
const restore = async (
  parts: Parts,
  { project, id: from }: Issue,
  id: string,
  known: ReadonlyMap<string, readonly string[]>,
  by: number | null,
): Promise<boolean> => {
  for (let attempt = 1; ; attempt += 1) {
    const chains = attempt === 1 ? known : await readMergeChains(parts.table, project, [id, from]);
    const [chain = [], other = []] = [chains.get(id), chains.get(from)];
    if (chain.length < 2 || chain.at(-1) !== other.at(-1)) {
      if ((await readCommonIssue(parts.table, project, id, from)) === undefined) return false;
      if ((await readLiveIssue(parts.table, project, id))?.id === id) return false;
      continue;
    }
    const [merged] = await getMany(parts.table, MergedIssues, [{ project, id }], { consistent: true });
    if (merged === undefined) continue;
    try {
      // What came by the issue leads with it only once it was moved. Nothing is merged into one that is merged, so that stays so. Mostly it was.
      if (attempt > 1 && !(await settleIssues(parts, project, () => true)))
        throw new Conflict("others merge faster than their issues are moved");
      await transact(parts.table, restoring(parts, merged, [chain.slice(1), other], by));
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed || error instanceof Conflict) || attempt === TRIES) throw error;
    }
  }
};

/** Links of chains that a transaction checks to be as they were read: it has no room for more. */
const MOST_LINKS = 90;

/** The writes that make a merged issue one of its own. They fail while something of it is still to be moved, or where its issue is gone. */
const restoring = (parts: Parts, merged: MergedIssue, chains: readonly (readonly string[])[], by: number | null): readonly Write[] => {
  const { project, id, merged_into, merged_at, merged_by: _by, ...issue } = merged;
  const other = chains[0]?.at(-1) ?? merged_into;
  return [
    checkingLive(project, other),
    ...checkingChains(
      project,
      chains.filter((chain) => !chain.includes(id)),
      MOST_LINKS,
    ),
    removing(MergedIssues, { project, id }, { kind: "equals", attribute: "merged_at", value: merged_at }),
    putting(Issues, { project, id, ...issue, restored_at: isoMicros(parts.clock.now()) }, { kind: "absent" }),
    checkingMoved(project, id),
    addingMove({ project, id, why: "restored", other, act: parts.ids.uuid() }, parts.clock.now()),
    counting(counterKey("issueCount", project), 1),
    activityWrite(parts, { project, issue_id: other, user: by, activity: "unmerged", detail: { ids: [id] } }),
  ];
};
