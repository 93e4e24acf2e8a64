import type { World } from "../../lib/app/world.ts";
import { isoMicros, SECOND_MS } from "../../lib/core/time.ts";
import type { LakeJob } from "../../lib/jobs/jobs.ts";
import { type Backlog, hasCommitsSince, readBacklog } from "../../lib/lake/backlog.ts";
import { type Failure, someFailures } from "../../lib/lake/failures.ts";
import { readPropertyTypes } from "../../lib/lake/learn-types.ts";
import { POLICIES } from "../../lib/lake/policy.ts";
import { GROUP_OWNERS, type PropertyOwner } from "../../lib/lake/property-types.ts";
import { type StrayProperty, strayProperties } from "../../lib/lake/stray-values.ts";
import { LATE_MS, QUEUES, type QueueName } from "../../lib/ports/queues.ts";
import { verdict } from "./verdict.ts";
import type { FailingJob, Health, Lane, Misfit } from "./wire.ts";

/** Rows of each list that are shown. */
const MOST_LISTED = 100;

/**
 * The health of a project. The age of a queue's oldest message is a metric that is paid by the request, so how late events are is told by
 * the commits instead: they say when their events arrived and when they could be queried. That no commit comes is looked for, in the index
 * of all projects, only where live messages lie about.
 */
export const readHealth = async (world: World, project: number): Promise<Health> => {
  const now = world.clock.now();
  const [lanes, backlog, failures, types] = await Promise.all([
    Promise.all(QUEUES.map((queue) => readLane(world, queue))),
    readBacklog(world, project),
    someFailures(world.table, project, MOST_LISTED),
    readPropertyTypes(world.table, project),
  ]);
  const waits = lanes.some(({ name, waiting }) => name === "live" && waiting > 0);
  const seconds = delaySeconds(backlog);
  const isRecent = now - (backlog.newestLive?.at ?? 0) <= LATE_MS.live;
  const findings = {
    lanes,
    isStuck: waits && !(await hasCommitsSince(world.table, "live", now - LATE_MS.live)),
    delay: seconds === null ? null : { seconds, isLate: isRecent && seconds * SECOND_MS > LATE_MS.live },
    failingJobs: failures.length,
    isCompactionLate: isCompactionLate(world, backlog, now),
  };
  return {
    ...verdict(findings),
    lanes,
    storage: {
      newest_stored_at: isoOrNull(backlog.newestLive?.at ?? null),
      delay_seconds: seconds,
      segments_waiting: backlog.segments,
      deltas_waiting: backlog.deltas,
      oldest_waiting_at: isoOrNull(backlog.oldestAt),
      has_more: backlog.hasMore,
    },
    jobs: failures.map(failingJob),
    misfits: strayProperties(types).slice(0, MOST_LISTED).map(misfit),
  };
};

const readLane = async ({ queueDepths }: World, name: QueueName): Promise<Lane> => {
  const { waiting, inFlight, deadLetters } = await queueDepths.read(name);
  return { name, waiting, in_flight: inFlight, dead_letters: deadLetters };
};

/** Begun seconds count whole. */
const delaySeconds = ({ newestLive }: Backlog): number | null => {
  if (newestLive?.receivedAt === undefined) return null;
  return Math.max(0, Math.ceil((newestLive.at - newestLive.receivedAt) / SECOND_MS));
};

/** The longest that rows wait to be gathered, and then the longest that a job may wait. */
const isCompactionLate = ({ config }: World, { oldestAt }: Backlog, now: number): boolean =>
  oldestAt !== null && now - oldestAt > POLICIES[config.compaction].gatherAgeMs + LATE_MS.jobs;

const failingJob = ({ job, attempts, since, at, againAt }: Failure): FailingJob => ({
  kind: job.kind,
  partition: ("partition" in job ? job.partition : undefined) ?? null,
  attempts,
  since: isoMicros(since),
  last_attempt_at: isoMicros(at),
  next_attempt_at: isoMicros(againAt),
  advice: `${CONSEQUENCES[job.kind]} \`npm run admin -- usage --project ${job.project}\` prints its last error.`,
});

/** What a job that fails means for the project. Its error may tell of the whole stage, so only its operator is shown that. */
const CONSEQUENCES: Readonly<Record<LakeJob["kind"], string>> = {
  compact: "Queries over these events stay right and get slower until it succeeds.",
  fold: "Queries over persons and groups stay right and get slower until it succeeds.",
  usage: "The usage of these events is counted when it succeeds; none is lost.",
  audit: "What nobody needs stays stored until it succeeds; nothing is lost.",
  recount: "The usage of yesterday stays as it was counted, and is not compared with the events.",
  publish: "The published tables stay as they are until it succeeds.",
  "remove-rows": "Removed events stay hidden from queries, and their bytes stay stored until it succeeds: within a day they have to be gone.",
  remove: "The data of the removed project stays stored until it succeeds.",
};

const misfit = ({ owner, name, type, events }: StrayProperty): Misfit => ({ property: name, ...shownOwner(owner), type, values: events });

const shownOwner = (owner: PropertyOwner): Pick<Misfit, "owner" | "group_type_index"> =>
  owner === "event" || owner === "person"
    ? { owner, group_type_index: null }
    : { owner: "group", group_type_index: GROUP_OWNERS.indexOf(owner) };

const isoOrNull = (at: number | null): string | null => (at === null ? null : isoMicros(at));
