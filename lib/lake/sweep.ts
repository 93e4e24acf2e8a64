import { forEachConcurrent } from "../core/concurrency.ts";
import { isYoung } from "../core/time.ts";
import { faultText } from "../core/unreachable.ts";
import type { Table } from "../ports/table.ts";
import { forget } from "./catalogue/retired.ts";
import { isDue, oldestCommit } from "./compaction/due.ts";
import { type DueLater, type DueProject, dueLater, dueProjects, lakeProjects } from "./compaction/due-entries.ts";
import { type JobRequest, jobScheduler, type ScheduledJobs } from "./compaction/job-scheduler.ts";
import { fromPlace, readPlace, type SweepPlace, writePlace } from "./compaction/sweep-place.ts";
import { type Sweep, type SweepParts, sweepProject } from "./compaction/sweep-project.ts";
import { readHead } from "./head.ts";
import { HEAD_SK, publishSk, REMOVALS_SK, sealSk } from "./paths.ts";
import type { Policy } from "./policy.ts";
import { countedManifests } from "./usage.ts";

/** The memory of a sweeping process between sweeps. Losing it costs a few messages sent again, nothing else. */
export interface SweepMemory {
  readonly scheduled: ScheduledJobs;
  laterAt: number;
}

export const sweepMemory = (): SweepMemory => ({ scheduled: new Map(), laterAt: Number.NEGATIVE_INFINITY });

/** A sweep begins no further project after this long: the next one starts at the minute. */
const SWEEP_WITHIN_MS = 45_000;

/** Where `later` is to be looked at, waiting commits leave it this much of the time. */
const FOR_LATER_MS = 15_000;

/** Projects looked at side by side: they wait for the table and the store, hardly for the processor. */
const CONCURRENCY = 16;

/**
 * One sweep: asks the jobs worker for what is due and for what failed and is to be tried again, deletes commits that everybody has
 * absorbed and counted for long enough, and deletes what swaps retired a day ago. It begins where the one before stopped. A project
 * that fails is logged and left to the next sweep.
 */
export const sweep = async (parts: SweepParts, policy: Policy, memory: SweepMemory): Promise<void> => {
  const started = parts.clock.now();
  const within =
    (ms: number): (() => boolean) =>
    () =>
      parts.clock.now() - started < ms;
  const place = await readPlace(parts.table);
  const one: Sweep = {
    parts,
    policy,
    scheduler: await jobScheduler(parts, policy, memory.scheduled),
    counted: countedManifests(parts, parts.organizationOf),
  };
  await forEachConcurrent(one.scheduler.dueRetries, CONCURRENCY, (entry) =>
    guarded(parts, entry.project, () => one.scheduler.retry(entry)),
  );
  const withLater = !isYoung(memory.laterAt, policy.laterEveryMs, started);
  const due = await sweepDue(one, started, place, within(withLater ? SWEEP_WITHIN_MS - FOR_LATER_MS : SWEEP_WITHIN_MS));
  const later = withLater ? await sweepAllLater(one, started, place, within(SWEEP_WITHIN_MS)) : place.later;
  // What had no time left goes on with the next sweep.
  if (withLater && later === undefined) memory.laterAt = started;
  await writePlace(parts.table, place, { ...(due !== undefined && { due }), ...(later !== undefined && { later }) });
};

/** Where the next sweep has to go on; undefined when there was time for all. */
type Rest = number | undefined;

const sweepDue = async (one: Sweep, now: number, { due }: SweepPlace, inTime: () => boolean): Promise<Rest> => {
  const waiting = (await dueProjects(one.parts.table)).filter((entry) => worthALook(entry, one.policy, now));
  const work = ({ project }: DueProject): Promise<void> => guarded(one.parts, project, () => sweepProject(one, project));
  const [next] = await forEachConcurrent(fromPlace(waiting, due), CONCURRENCY, work, inTime);
  return next?.project;
};

/** Decides from the index alone, as if nothing were absorbed yet: only what passes is read. */
const worthALook = ({ backlogs }: DueProject, policy: Policy, now: number): boolean =>
  isDue(backlogs, policy, now) || now - oldestCommit(backlogs) >= policy.commitStayMs;

const sweepAllLater = async (one: Sweep, now: number, { later }: SweepPlace, inTime: () => boolean): Promise<Rest> => {
  const entries = withoutLaterMarks(await dueLater(one.parts.table, now));
  const work = (entry: DueLater): Promise<void> => guarded(one.parts, entry.project, () => sweepLater(one, entry));
  const [next] = await forEachConcurrent(fromPlace(entries, later), CONCURRENCY, work, inTime);
  return next?.project;
};

/** Of each project's marks of what is to be published the first: the job takes all of them. */
const withoutLaterMarks = (entries: readonly DueLater[]): readonly DueLater[] => {
  const marked = new Set<number>();
  return entries.filter(({ project, sk }) => {
    if (!isPublishMark(sk)) return true;
    const isFirst = !marked.has(project);
    marked.add(project);
    return isFirst;
  });
};

const isPublishMark = (sk: string): boolean => sk.startsWith(publishSk(""));

/** A job that nothing but its project tells from the one before goes on from its entry, which is another where that one was carried out. */
const sweepLater = async ({ parts, policy, scheduler: { schedule } }: Sweep, { project, sk, duesk }: DueLater): Promise<void> => {
  const publish: JobRequest = { job: { kind: "publish", project } };
  if (sk === HEAD_SK) {
    const { removedAt } = await readHead(parts.table, project);
    if (removedAt !== null) return schedule([{ job: { kind: "remove", project } }]);
    // All usage of the project, too: what no commit reminds of any more.
    const also = policy.publishEveryMs === null ? [] : [publish];
    return schedule([{ job: { kind: "audit", project } }, { job: { kind: "usage", project } }, ...also]);
  }
  if (isPublishMark(sk)) return schedule([{ ...publish, from: duesk }]);
  if (sk === REMOVALS_SK) return schedule([{ job: { kind: "remove-rows", project }, from: duesk }]);
  const [, partition] = sk.split(sealSk(""));
  if (partition === undefined) return (await forget(parts, policy, project, sk)) === "overdue" ? schedule([publish]) : undefined;
  return schedule([{ job: { kind: "compact", project, partition, upTo: "", seal: true } }]);
};

/** The projects that have rows or had some: lowest first from `place` on, then those before it. */
export const projectsInTurn = async (table: Table, place: number): Promise<readonly number[]> =>
  fromPlace(
    (await lakeProjects(table)).map((project) => ({ project })),
    place,
  ).map(({ project }) => project);

const guarded = async (parts: SweepParts, project: number, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    parts.log.line("error", "sweep_failed", { project, error: faultText(error) });
  }
};
