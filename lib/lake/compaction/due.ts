import { isYoung } from "../../core/time.ts";
import type { Commit } from "../catalogue.ts";
import type { Policy } from "../policy.ts";

/** The sums of a set of commits of one lane: enough to decide whether it waits for work. */
interface Backlog {
  commits: number;
  rows: number;
  oldest: number;
  newest: number;
}

/** The sums of a set of commits, however many they are. */
export type Backlogs = Readonly<Record<Commit["lane"], Readonly<Backlog>>>;

/** The part of a commit that its entry in the `due` index shows. */
export interface Waiting {
  readonly at: number;
  readonly lane: Commit["lane"];
  readonly rows: number;
}

/** A backlog to which commits are added one by one. */
export interface GrowingBacklog {
  readonly all: Backlogs;
  add(waiting: Waiting): void;
}

export const growingBacklog = (): GrowingBacklog => {
  const all = { live: noBacklog(), historical: noBacklog() };
  return {
    all,
    add({ at, lane, rows }) {
      const own = all[lane];
      own.commits += 1;
      own.rows += rows;
      own.oldest = Math.min(own.oldest, at);
      own.newest = Math.max(own.newest, at);
    },
  };
};

const noBacklog = (): Backlog => ({ commits: 0, rows: 0, oldest: Number.POSITIVE_INFINITY, newest: 0 });

const sumBacklog = (waiting: readonly Waiting[]): Backlogs => {
  const backlog = growingBacklog();
  for (const each of waiting) backlog.add(each);
  return backlog.all;
};

export const oldestCommit = ({ live, historical }: Backlogs): number => Math.min(live.oldest, historical.oldest);

/** Whether commits that wait for one thing have to be worked on now. */
export const isDue = ({ live, historical }: Backlogs, policy: Policy, now: number): boolean =>
  liveDue(live, policy, now) || historyDue(historical, policy, now);

/** The partitions whose waiting rows are to be gathered now. A historical backlog is judged whole: an import spans many partitions. */
export const partitionsDue = (waiting: readonly Commit[], policy: Policy, now: number): readonly string[] => {
  const byPartition = new Map<string, Waiting[]>();
  const whole = growingBacklog();
  for (const { at, lane, segments } of waiting) {
    for (const { partition, rows } of segments) {
      const list = byPartition.get(partition) ?? [];
      list.push({ at, lane, rows });
      byPartition.set(partition, list);
      whole.add({ at, lane, rows });
    }
  }
  const importDone = historyDue(whole.all.historical, policy, now);
  return [...byPartition].flatMap(([partition, list]) => {
    const due = liveDue(sumBacklog(list).live, policy, now) || (importDone && list.some(({ lane }) => lane === "historical"));
    return due ? [partition] : [];
  });
};

/** Whether the waiting deltas are to be folded into the state now; a delta counts as one row. */
export const foldDue = (waiting: readonly Commit[], policy: Policy, now: number): boolean =>
  isDue(sumBacklog(waiting.map(({ at, lane }) => ({ at, lane, rows: 1 }))), policy, now);

const liveDue = ({ commits, rows, oldest }: Backlog, policy: Policy, now: number): boolean =>
  commits >= policy.gatherCommits ||
  (rows >= policy.gatherRows && !isYoung(oldest, policy.gatherRowsAgeMs, now)) ||
  (commits > 0 && !isYoung(oldest, policy.gatherAgeMs, now));

const historyDue = ({ commits, rows, oldest, newest }: Backlog, policy: Policy, now: number): boolean =>
  commits > 0 && (rows >= policy.historyRows || !isYoung(newest, policy.historyQuietMs, now) || !isYoung(oldest, policy.historyAgeMs, now));
