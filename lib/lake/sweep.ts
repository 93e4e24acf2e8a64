import type { World } from "../world/world.ts";
import { absorbedTimes } from "./absorbed.ts";
import type { Commit, Manifest, StateManifest } from "./catalogue.ts";
import { readCommits } from "./commits.ts";
import { foldDue, isDue, partitionsDue } from "./due.ts";
import { type DueCommit, type DueLater, dueCommits, dueLater } from "./due-entries.ts";
import { readHead, STATE_ENTRY } from "./head.ts";
import { JOB_FORMAT, jobName, type LakeJob } from "./jobs.ts";
import { getManifest, getStateManifest } from "./manifests.ts";
import { commitSk, HEAD_SK, lakePk, sealSk } from "./paths.ts";
import { waitingDeltasOf, waitingOf } from "./pin.ts";
import type { Policy } from "./policy.ts";
import { forget } from "./retired.ts";

type SweepParts = Pick<World, "table" | "objects" | "queues" | "clock" | "log">;

/** What a sweeping process remembers between sweeps. Losing it costs a few messages sent again, nothing else. */
export interface SweepMemory {
  /** What was asked for last under each name. */
  readonly sent: Map<string, Asked>;
  laterAt: number;
}

interface Asked {
  readonly body: string;
  readonly at: number;
  /** How long the very same request is not repeated. */
  readonly waitMs: number;
}

/**
 * A request that changes nothing is repeated ever more rarely, up to this: where the workers stand still for hours, their queue
 * must not fill with copies of it. The queue itself delivers again what failed.
 */
const LONGEST_WAIT_MS = 3_600_000;

export const sweepMemory = (): SweepMemory => ({ sent: new Map(), laterAt: Number.NEGATIVE_INFINITY });

/** A sweep begins no further project after this long: the next one starts at the minute. */
const SWEEP_WITHIN_MS = 45_000;

/** Projects looked at side by side. */
const ABREAST = 8;

/**
 * One sweep: asks the jobs worker for what is due, deletes commits that everybody has absorbed for long enough, and deletes what
 * swaps retired a day ago. A project that fails is logged and left to the next sweep.
 */
export const sweep = async (parts: SweepParts, policy: Policy, memory: SweepMemory): Promise<void> => {
  const started = parts.clock.now();
  const inTime = (): boolean => parts.clock.now() - started < SWEEP_WITHIN_MS;
  const waiting = await dueCommits(parts.table);
  const candidates = [...waiting].filter(([, commits]) => worthALook(commits, policy, started));
  await abreast(candidates, inTime, ([project]) => guarded(parts, project, () => sweepProject(parts, policy, memory, project)));
  if (started - memory.laterAt < policy.laterEveryMs) return;
  memory.laterAt = started;
  const later = await dueLater(parts.table, started);
  await abreast(later, inTime, (entry) => guarded(parts, entry.project, () => sweepLater(parts, policy, memory, entry)));
};

/** Decides from the index alone, as if nothing were absorbed yet: only what passes is read. */
const worthALook = (commits: readonly DueCommit[], policy: Policy, now: number): boolean =>
  isDue(commits, policy, now) || commits.some(({ at }) => now - at >= policy.commitStayMs);

const sweepProject = async (parts: SweepParts, policy: Policy, memory: SweepMemory, project: number): Promise<void> => {
  const head = await readHead(parts.table, project);
  if (head.removedAt !== null) return ask(parts, policy, memory, [{ v: JOB_FORMAT, kind: "remove", project }]);
  const commits = await readCommits(parts.table, project);
  const touched = new Set(commits.flatMap(({ segments }) => segments.map(({ partition }) => partition)));
  const manifests = new Map<string, Manifest>();
  for (const partition of touched) {
    const id = head.manifests[partition];
    const manifest = id === undefined ? undefined : await getManifest(parts.objects, project, partition, id);
    if (manifest) manifests.set(partition, manifest);
  }
  const stateId = head.manifests[STATE_ENTRY];
  const state = stateId === undefined ? null : ((await getStateManifest(parts.objects, project, STATE_ENTRY, stateId)) ?? null);
  await ask(parts, policy, memory, jobsFor(project, commits, manifests, state, policy, parts.clock.now()));
  await deleteAbsorbed(parts, policy, project, commits, manifests, state);
};

const jobsFor = (
  project: number,
  commits: readonly Commit[],
  manifests: ReadonlyMap<string, Manifest>,
  state: StateManifest | null,
  policy: Policy,
  now: number,
): readonly LakeJob[] => {
  const upTo = commits.at(-1)?.id ?? "";
  const compactions = partitionsDue(waitingOf(commits, manifests), policy, now).map(
    (partition): LakeJob => ({ v: JOB_FORMAT, kind: "compact", project, partition, upTo, seal: false }),
  );
  return foldDue(waitingDeltasOf(commits, state), policy, now)
    ? [...compactions, { v: JOB_FORMAT, kind: "fold", project, upTo }]
    : compactions;
};

/** Deletes the commits that nobody needs: all partitions and the state absorbed them, and readers of older heads have ended. */
const deleteAbsorbed = async (
  parts: SweepParts,
  policy: Policy,
  project: number,
  commits: readonly Commit[],
  manifests: ReadonlyMap<string, Manifest>,
  state: StateManifest | null,
): Promise<void> => {
  const before = parts.clock.now() - policy.commitStayMs;
  const times = new Map([...manifests].map(([partition, manifest]) => [partition, absorbedTimes(manifest)]));
  const stateTimes = absorbedTimes(state);
  const longAbsorbed = ({ id, segments, deltas }: Commit): boolean =>
    segments.every(({ partition }) => (times.get(partition)?.get(id) ?? Number.POSITIVE_INFINITY) <= before) &&
    (deltas === null || (stateTimes.get(id) ?? Number.POSITIVE_INFINITY) <= before);
  for (const { id } of commits.filter(longAbsorbed)) await parts.table.remove({ pk: lakePk(project), sk: commitSk(id) });
};

const sweepLater = async (parts: SweepParts, policy: Policy, memory: SweepMemory, { project, sk }: DueLater): Promise<void> => {
  if (sk === HEAD_SK) {
    const { removedAt } = await readHead(parts.table, project);
    return ask(parts, policy, memory, [{ v: JOB_FORMAT, kind: removedAt === null ? "audit" : "remove", project }]);
  }
  const [, partition] = sk.split(sealSk(""));
  if (partition === undefined) return forget(parts, project, sk);
  return ask(parts, policy, memory, [{ v: JOB_FORMAT, kind: "compact", project, partition, upTo: "", seal: true }]);
};

/** Sends the jobs that were not sent lately. */
const ask = async (parts: SweepParts, policy: Policy, memory: SweepMemory, jobs: readonly LakeJob[]): Promise<void> => {
  const now = parts.clock.now();
  const fresh = jobs
    .map((job) => ({ name: jobName(job), body: JSON.stringify(job) }))
    .filter(({ name, body }) => mayAsk(policy, memory, name, body, now));
  if (fresh.length === 0) return;
  const failed = new Set(
    await parts.queues.send(
      "jobs",
      fresh.map(({ body }, at) => ({ id: String(at), body })),
    ),
  );
  fresh.forEach(({ name, body }, at) => {
    if (failed.has(String(at))) return;
    const last = memory.sent.get(name);
    memory.sent.set(name, { body, at: now, waitMs: last?.body === body ? Math.min(2 * last.waitMs, LONGEST_WAIT_MS) : policy.resendMs });
  });
  for (const [name, { at }] of memory.sent) if (now - at >= 2 * LONGEST_WAIT_MS) memory.sent.delete(name);
};

/** The same request waits longer each time; another one under its name, because more came in, only the ordinary time. */
const mayAsk = (policy: Policy, memory: SweepMemory, name: string, body: string, now: number): boolean => {
  const last = memory.sent.get(name);
  return last === undefined || now - last.at >= (last.body === body ? last.waitMs : policy.resendMs);
};

const guarded = async (parts: SweepParts, project: number, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    parts.log.line("error", "sweep_failed", { project, error: error instanceof Error ? `${error.name}: ${error.message}` : "unknown" });
  }
};

/** Works through the entries side by side, and begins none when time is up. */
const abreast = async <T>(entries: readonly T[], inTime: () => boolean, work: (entry: T) => Promise<void>): Promise<void> => {
  const queue = entries[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (const entry of queue) {
      if (!inTime()) return;
      await work(entry);
    }
  };
  await Promise.all(Array.from({ length: Math.min(ABREAST, entries.length) }, lane));
};
