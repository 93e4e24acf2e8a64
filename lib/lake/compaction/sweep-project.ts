import { forEachConcurrent } from "../../core/concurrency.ts";
import type { Ports } from "../../ports/ports.ts";
import { absorbedTimes } from "../catalogue/absorbed.ts";
import { readCommits } from "../catalogue/commits.ts";
import { getHeadState, getManifest } from "../catalogue/manifests.ts";
import { type Commit, type Manifest, STATE_ENTRY, type StateManifest } from "../catalogue.ts";
import { type Head, readHead } from "../head.ts";
import { commitSk, lakePk } from "../paths.ts";
import { gatheredCommits, unfoldedCommits, waitingSegments } from "../pin.ts";
import type { Policy } from "../policy.ts";
import type { CountedManifests, OrganizationOf } from "../usage.ts";
import { foldDue, partitionsDue } from "./due.ts";
import type { JobRequest, JobScheduler } from "./job-scheduler.ts";
import { sealDue } from "./layout.ts";
import { mergesDue } from "./share.ts";

export type SweepParts = Pick<Ports, "table" | "objects" | "queues" | "clock" | "log"> & { readonly organizationOf: OrganizationOf };

/** One sweep on its way: its parts, what it asks through and what it has read of the usage. */
export interface Sweep {
  readonly parts: SweepParts;
  readonly policy: Policy;
  readonly scheduler: JobScheduler;
  readonly counted: CountedManifests;
}

/** Commits of one project deleted side by side. */
const DELETE_CONCURRENCY = 8;

/** A project as a sweep found it: the head first, then what it names, of the partitions that commits touch, and all commits. */
interface ProjectState {
  readonly head: Head;
  readonly commits: readonly Commit[];
  /** With the files that they hold themselves. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly state: StateManifest | null;
}

/** Asks for what is due in one project and deletes the commits that nobody needs any more. */
export const sweepProject = async (one: Sweep, project: number): Promise<void> => {
  const { parts, policy, scheduler } = one;
  const head = await readHead(parts.table, project);
  if (head.removedAt !== null) return scheduler.schedule([{ job: { kind: "remove", project } }]);
  const commits = await readCommits(parts.table, project);
  const found: ProjectState = { head, commits, ...(await readManifests(one, head, commits)) };
  await scheduler.schedule(wantedJobs(found, policy, parts.clock.now()));
  await deleteAbsorbed(one, found);
};

const readManifests = async ({ parts: { objects } }: Sweep, head: Head, commits: readonly Commit[]) => {
  const manifests = new Map<string, Manifest>();
  for (const partition of touchedPartitions(commits)) {
    const id = head.manifests[partition];
    const manifest = id === undefined ? undefined : await getManifest(objects, head.project, partition, id, () => false);
    if (manifest) manifests.set(partition, manifest);
  }
  const state = (await getHeadState(objects, head)) ?? null;
  return { manifests, state };
};

const wantedJobs = ({ head, commits, manifests, state }: ProjectState, policy: Policy, now: number): readonly JobRequest[] => {
  const { project } = head;
  const upTo = commits.at(-1)?.id ?? "";
  const waiting = waitingSegments(commits, manifests);
  const compactions = partitionsDue(waiting, policy, now).map((partition): JobRequest => {
    const oldest = waiting.find(({ segments }) => segments.some((segment) => segment.partition === partition));
    return { job: { kind: "compact", project, partition, upTo, seal: false }, ...goingOn(head, partition, oldest) };
  });
  const deltas = gatheredCommits(unfoldedCommits(commits, state), manifests);
  if (!foldDue(deltas, policy, now)) return compactions;
  return [...compactions, { job: { kind: "fold", project, upTo: deltas.at(-1)?.id ?? "" }, ...goingOn(head, STATE_ENTRY, deltas[0]) }];
};

const goingOn = ({ manifests }: Head, entry: string, oldest: Commit | undefined): Omit<JobRequest, "job"> => ({
  from: manifests[entry] ?? "",
  ...(oldest !== undefined && { oldest: oldest.id }),
});

/**
 * Deletes the commits that nobody needs: all partitions and the state absorbed them, readers of older heads have ended, and their rows
 * are counted. Where rows were gathered long ago and are not counted, the request was lost or its job failed: it is asked for again,
 * whatever becomes of the other partitions, and the commit stays as the reminder, a day at most; what is missing then is found with the
 * next audit.
 */
const deleteAbsorbed = async (one: Sweep, { head, commits, manifests, state }: ProjectState): Promise<void> => {
  const { parts, policy, scheduler } = one;
  const before = parts.clock.now() - policy.commitStayMs;
  const times = new Map([...manifests].map(([partition, manifest]) => [partition, absorbedTimes(manifest)]));
  const stateTimes = absorbedTimes(state);
  const gatheredIn = ({ id, segments }: Commit, by: number): readonly string[] =>
    segments.map(({ partition }) => partition).filter((partition) => (times.get(partition)?.get(id) ?? Number.POSITIVE_INFINITY) <= by);
  const isAbsorbed = (commit: Commit, by: number): boolean =>
    gatheredIn(commit, by).length === commit.segments.length &&
    (commit.deltas === null || (stateTimes.get(commit.id) ?? Number.POSITIVE_INFINITY) <= by);
  const uncountedCommits = await findUncounted(one, head, new Map(commits.map((commit) => [commit.id, gatheredIn(commit, before)])));
  const done = commits.filter(
    (commit) => isAbsorbed(commit, before) && (uncountedCommits(commit).length === 0 || isAbsorbed(commit, before - policy.retiredStayMs)),
  );
  const { project } = head;
  const uncounted = new Set(commits.flatMap(uncountedCommits));
  await scheduler.schedule([...uncounted].map((partition) => ({ job: { kind: "usage", project, partition } })));
  await scheduler.schedule(mergesLeft(head, done, manifests, policy, parts.clock.now()));
  await forEachConcurrent(done, DELETE_CONCURRENCY, ({ id }) => parts.table.remove({ pk: lakePk(project), sk: commitSk(id) }));
};

/** Once commits are gone nobody looks at their partitions: what was left to be merged there is asked for now. */
const mergesLeft = (
  head: Head,
  gone: readonly Commit[],
  manifests: ReadonlyMap<string, Manifest>,
  policy: Policy,
  now: number,
): readonly JobRequest[] =>
  [...touchedPartitions(gone)].flatMap((partition): readonly JobRequest[] => {
    const manifest = manifests.get(partition);
    if (manifest === undefined || sealDue(manifest, policy, now) || !mergesDue(manifest, policy)) return [];
    return [{ job: { kind: "compact", project: head.project, partition, upTo: "", seal: false }, from: manifest.id }];
  });

/** Of the partitions that gathered each commit, those in whose usage its rows are not counted yet. */
const findUncounted = async (
  { counted }: Sweep,
  head: Head,
  gathered: ReadonlyMap<string, readonly string[]>,
): Promise<(commit: Commit) => readonly string[]> => {
  const isCounted = new Map<string, (commit: string) => boolean>();
  for (const partition of new Set([...gathered.values()].flat())) isCounted.set(partition, await counted.of(head, partition));
  return ({ id }) => (gathered.get(id) ?? []).filter((partition) => !isCounted.get(partition)?.(id));
};

const touchedPartitions = (commits: readonly Commit[]): ReadonlySet<string> =>
  new Set(commits.flatMap(({ segments }) => segments.map(({ partition }) => partition)));
