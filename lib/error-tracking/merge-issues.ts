import { earlier, isoMicros } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, Conflict, type Write } from "../ports/table.ts";
import { counting } from "../table/paging.ts";
import { counterKey } from "../table/partitions.ts";
import { putting, removing, updating } from "../table/store.ts";
import { transact } from "../table/transact.ts";
import { activityWrite } from "./activity.ts";
import { type Issue, Issues, MergedIssues } from "./issues.ts";
import { type LiveIssue, type ResolvedIssue, resolveIssueIds } from "./live-issues.ts";
import { checkingChains, checkingLive } from "./merging/fingerprint-moves.ts";
import { addingMove } from "./merging/pending-moves.ts";
import { settleOrHandOver } from "./merging/settle-or-hand-over.ts";

type Parts = Pick<Ports, "table" | "clock" | "ids" | "queues" | "log">;

/** What became of a request to merge or to take out. */
export interface Merging {
  /** False where there was nothing to do. */
  readonly success: boolean;
  /** False where a job goes on moving fingerprints, which lead to the right issue already. */
  readonly finished: boolean;
}

/** Issues merged in one transaction: each is taken away, kept as an entry, and noted as to be moved; or the entry that leads to it is held to be. */
const AT_ONCE = 24;

/** Links of chains that a transaction checks to be as they were read: it has no room for more. */
const MOST_LINKS = 24;

/** Rounds in a row in which others were faster. */
const TRIES = 50;

/**
 * Makes one issue of several. Each is turned into an entry that leads to the target, in the transaction that holds the target to be there: so
 * of two that are merged into each other one stays, and no ring closes. Then what they have is moved. Ids that were merged before
 * stand for the issues that they lead to. `by` is the user's number. The target's `first_seen` and assignee take theirs into account.
 */
export const mergeIssues = async (parts: Parts, target: Issue, ids: readonly string[], by: number | null): Promise<Merging> => {
  const { project } = target;
  let left = [...new Set(ids)];
  // Of more issues than one transaction takes, those of the others count as they were at first.
  const all = left.length > AT_ONCE ? await resolveIssueIds(parts.table, project, left) : new Map<string, ResolvedIssue>();
  const merged = new Set<string>();
  for (let failures = 0; left.length > 0; ) {
    const asked = left.slice(0, AT_ONCE);
    const resolved = await resolveIssueIds(parts.table, project, [target.id, ...asked]);
    const goal = resolved.get(target.id)?.issue;
    if (goal === undefined) break;
    const sources = sourcesOf(resolved, target.id);
    try {
      if (sources.length > 0) {
        const chains = [...resolved.values()].map(({ chain }) => chain);
        const links = new Set(chains.flatMap((chain) => chain.slice(0, -1)));
        if (sources.some(({ id }) => links.has(id))) throw new Conflict("they are merged just now");
        const others = [...all].flatMap(([id, { issue }]) => (asked.includes(id) || issue.id === goal.id ? [] : [issue]));
        const adopted = soleAssignee([...sources, ...others]);
        await transact(parts.table, [...forwarding(parts, goal, sources, { adopted, by }), ...checkingChains(project, chains, MOST_LINKS)]);
      }
      for (const { id } of sources) merged.add(id);
      left = left.slice(asked.length);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!(error instanceof ConditionFailed || error instanceof Conflict) || failures === TRIES) throw error;
    }
  }
  if (merged.size === 0) return { success: false, finished: true };
  return { success: true, finished: await settleOrHandOver(parts, project, merged) };
};

/** The issues that ids lead to, but for the one that the target does. */
const sourcesOf = (resolved: ReadonlyMap<string, ResolvedIssue>, target: string): readonly LiveIssue[] => {
  const goal = resolved.get(target)?.issue.id;
  return [...new Map([...resolved.values()].map(({ issue }) => [issue.id, issue])).values()].filter(({ id }) => id !== goal);
};

/** The writes that make issues lead to another one, as both were read. */
const forwarding = (
  parts: Parts,
  goal: LiveIssue,
  sources: readonly LiveIssue[],
  { adopted, by }: { readonly adopted: Issue["assignee"]; readonly by: number | null },
): readonly Write[] => {
  const { clock, ids } = parts;
  const { project } = goal;
  const merged = { activity: "merged", detail: { ids: sources.map(({ id }) => id) } } as const;
  const first_seen = sources.reduce((least, source) => earlier(least, source.first_seen), goal.first_seen);
  const adopts = goal.assignee === null && adopted !== null;
  return [
    // Many may be merged into one issue at once: they get in one another's way only where it has to change.
    adopts || first_seen !== goal.first_seen
      ? updating(Issues, { project, id: goal.id }, { set: { first_seen, ...(adopts && { assignee: adopted }) } }, asRead(goal))
      : checkingLive(project, goal.id),
    ...sources.flatMap((source) => [
      removing(Issues, { project, id: source.id }, asRead(source)),
      putting(MergedIssues, { ...source, merged_into: goal.id, merged_at: isoMicros(clock.now()), merged_by: by }),
      addingMove({ project, id: source.id, why: "merged", other: goal.id, act: ids.uuid() }, clock.now()),
    ]),
    counting(counterKey("issueCount", project), -sources.length),
    activityWrite(parts, { project, issue_id: goal.id, user: by, ...merged }),
  ];
};

const asRead = ({ rev }: LiveIssue) => ({ kind: "equals", attribute: "rev", value: rev }) as const;

/** The one that all assigned sources share; nobody where they differ. */
const soleAssignee = (sources: readonly Issue[]): Issue["assignee"] => {
  const assignees = new Map(sources.flatMap(({ assignee }) => (assignee === null ? [] : [[`${assignee.type} ${assignee.id}`, assignee]])));
  const [only, ...others] = assignees.values();
  return only !== undefined && others.length === 0 ? only : null;
};
