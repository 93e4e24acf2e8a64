import type { Commit } from "./catalogue.ts";
import type { Policy } from "./policy.ts";

/** What a set of commits amounts to: enough to decide whether it waits for work. */
interface Backlog {
  readonly commits: number;
  readonly rows: number;
  readonly oldest: number;
  readonly newest: number;
}

/** The part of a commit that its entry in the `due` index shows. */
export interface Waiting {
  readonly at: number;
  readonly lane: Commit["lane"];
  readonly rows: number;
}

/** Whether commits that wait for one thing have to be worked on now. */
export const isDue = (waiting: readonly Waiting[], policy: Policy, now: number): boolean =>
  liveDue(backlog(waiting, "live"), policy, now) || historyDue(backlog(waiting, "historical"), policy, now);

/** The partitions whose waiting rows are to be gathered now. A historical backlog is judged whole: an import spans many partitions. */
export const partitionsDue = (waiting: readonly Commit[], policy: Policy, now: number): readonly string[] => {
  const byPartition = new Map<string, Waiting[]>();
  const history: Waiting[] = [];
  for (const { at, lane, segments } of waiting) {
    for (const { partition, rows } of segments) {
      const list = byPartition.get(partition) ?? [];
      list.push({ at, lane, rows });
      byPartition.set(partition, list);
      if (lane === "historical") history.push({ at, lane, rows });
    }
  }
  const importDone = historyDue(backlog(history, "historical"), policy, now);
  return [...byPartition].flatMap(([partition, list]) => {
    const due = liveDue(backlog(list, "live"), policy, now) || (importDone && list.some(({ lane }) => lane === "historical"));
    return due ? [partition] : [];
  });
};

/** Whether the waiting deltas are to be folded into the state now; a delta counts as one row. */
export const foldDue = (waiting: readonly Commit[], policy: Policy, now: number): boolean =>
  isDue(
    waiting.map(({ at, lane }) => ({ at, lane, rows: 1 })),
    policy,
    now,
  );

const liveDue = ({ commits, rows, oldest }: Backlog, policy: Policy, now: number): boolean =>
  commits >= policy.gatherCommits ||
  (rows >= policy.gatherRows && now - oldest >= policy.gatherRowsAgeMs) ||
  (commits > 0 && now - oldest >= policy.gatherAgeMs);

const historyDue = ({ commits, rows, oldest, newest }: Backlog, policy: Policy, now: number): boolean =>
  commits > 0 && (rows >= policy.historyRows || now - newest >= policy.historyQuietMs || now - oldest >= policy.historyAgeMs);

const backlog = (waiting: readonly Waiting[], of: Commit["lane"]): Backlog => {
  let [commits, rows, oldest, newest] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for (const { at, lane, rows: count } of waiting) {
    if (lane !== of) continue;
    commits += 1;
    rows += count;
    oldest = Math.min(oldest, at);
    newest = Math.max(newest, at);
  }
  return { commits, rows, oldest, newest };
};
