import type { EventRow } from "../event/event.ts";
import type { Fields } from "../event/fields.ts";
import { hotValues, jsonText } from "../event/hot-properties.ts";
import { distinctRows } from "../event/identity.ts";
import { recentIssues } from "./alerts/recent-issues.ts";
import { writeAlerts } from "./alerts/write-alerts.ts";
import { OVERFLOW_FINGERPRINT } from "./grouping/fingerprint.ts";
import { type GroupedEvent, groupEvents } from "./grouping/group.ts";
import type { Issue } from "./issues.ts";
import { applyLimits, limitNewIssues } from "./limits/limits.ts";
import { issueCandidates } from "./linking/candidates.ts";
import { type Linked, link } from "./linking/link.ts";
import { type Owners, readOwners } from "./linking/owners.ts";
import { MAX_ISSUES_PER_DAY } from "./opened-issues.ts";
import { outputProperties, type ReleaseInfo, withErrors } from "./pipeline/output.ts";
import type { TrackingParts } from "./pipeline/parts.ts";
import { type ReadEvent, readEvent } from "./pipeline/read-event.ts";
import { type DrainRules, drainRules } from "./rules/drain-rules.ts";
import { type ProjectRules, projectRules } from "./rules/project-rules.ts";
import type { Spike } from "./spikes/buckets.ts";
import type { DeliveryCounts } from "./spikes/counts.ts";
import { detectSpikes } from "./spikes/detect.ts";
import { type SeenFrame, storeFrames } from "./stored/frames.ts";
import { findReleases } from "./stored/releases.ts";
import { resolveEvents } from "./symbol-sets/resolve-events.ts";
import { countUnread, type UnreadExceptions } from "./unread-exceptions.ts";

/** A row of a `$exception` event, and the message that brought it. */
export type ExceptionRow = Pick<ReadEvent, "row" | "delivery">;

/** The exceptions that are stored, as rows with the properties of the stored event. */
export interface TrackedExceptions {
  /** By the row as it was. */
  readonly stored: ReadonlyMap<EventRow, EventRow>;
  /** By the row as it was: those properties of the stored event that the client did not send, or sent otherwise. */
  readonly properties: ReadonlyMap<EventRow, Fields>;
  /** Null where every event held an exception. */
  readonly unread: UnreadExceptions | null;
}

/**
 * Turns the exceptions of one drain and project into events of issues. All that touches the table is done once for the drain, and may
 * be done again: the same messages find the issues, frames, counts and grants that they made before.
 */
export const trackExceptions = async (
  parts: TrackingParts,
  project: number,
  exceptions: readonly ExceptionRow[],
): Promise<TrackedExceptions> => {
  const rules = await projectRules(parts, project);
  const copies = new Set(distinctRows(exceptions.map(({ row }) => row)));
  const events = await resolveEvents(parts, project, exceptions.filter(({ row }) => copies.has(row)).map(readEvent));
  const readable = events.filter((event) => "event" in event);
  const asked = drainRules(
    parts,
    project,
    rules,
    readable.map(({ row }) => row),
  );
  const read = await groupEvents(readable, rules, asked);
  const releases = await findReleases(
    parts,
    project,
    read.flatMap(({ event }) => event.releaseId ?? []),
  );
  const findRelease = ({ event }: GroupedEvent): ReleaseInfo | null => releases.get(event.releaseId ?? "") ?? null;
  const owners = await readOwners(
    parts,
    project,
    read.map(({ fingerprint }) => fingerprint.value),
  );
  const ownerOf = ({ fingerprint }: GroupedEvent) => owners.found.get(fingerprint.value)?.issue;
  const storable = read.filter((event) => ownerOf(event)?.status !== "suppressed");
  const passed = await applyLimits(parts, project, rules.limits, storable, {
    issueOf: (event) => ownerOf(event)?.id ?? null,
    fingerprintOf: ({ fingerprint }) => fingerprint.value,
  });
  const [linked] = await Promise.all([
    linkEvents(parts, project, owners, passed, { findRelease, rules: asked }),
    storeFrames(parts, project, seenFrames(passed, findRelease)),
  ]);
  await asked.disableBroken();
  const fresh = linked.filter((event) => ownerOf(event) === undefined);
  const within = new Set(await limitNewIssues(parts, project, rules.limits, fresh, ({ issueId }) => issueId));
  const accepted = linked.filter((event) => ownerOf(event) !== undefined || within.has(event));
  const live = accepted.filter(({ row }) => !row.historical);
  const counts = countByDelivery(live);
  const spikes = await detectSpikes(parts, project, rules.spikes, counts);
  await raiseAlerts(parts, project, rules, { live, spikes, counts, findRelease });

  const stored = new Map<EventRow, EventRow>();
  const properties = new Map<EventRow, Fields>();
  const store = (row: EventRow, sent: Fields, fields: Fields): void => {
    stored.set(row, { ...row, properties: jsonText(fields), hot: hotValues(fields) });
    properties.set(row, Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== sent[name])));
  };
  const unread = events.flatMap((event) => ("event" in event ? [] : [event]));
  for (const { row, properties, errors } of unread) store(row, properties, withErrors(properties, errors));
  for (const each of accepted) {
    const event = { ...each.event, faults: [...each.event.faults, ...asked.faults(each.row)] };
    store(each.row, event.properties, outputProperties(event, each.fingerprint, each.issueId, findRelease(each)));
  }
  const first = unread[0];
  const counted = first === undefined ? null : { count: unread.length, reason: first.errors[0] ?? "" };
  if (counted !== null) await countUnread(parts, project, counted);
  return { stored, properties, unread: counted };
};

interface LinkedEvent extends GroupedEvent {
  readonly issue: Issue;
  readonly issueId: Issue["id"];
}

interface LinkContext {
  readonly findRelease: (event: GroupedEvent) => ReleaseInfo | null;
  readonly rules: DrainRules;
}

/**
 * The events with their issues; those of suppressed issues are dropped. What would open more issues than a project may in a day gets one
 * issue together.
 */
const linkEvents = async (
  parts: TrackingParts,
  project: number,
  owners: Owners,
  events: readonly GroupedEvent[],
  { findRelease, rules }: LinkContext,
): Promise<readonly LinkedEvent[]> => {
  const candidatesOf = (some: readonly GroupedEvent[]) => issueCandidates(some, findRelease, rules);
  const first = await link(parts, project, owners, candidatesOf(events), { isBounded: true });
  const over = events.filter(({ fingerprint }) => first.over.has(fingerprint.value)).map(overflowing);
  const rest = events.filter(({ fingerprint }) => !first.over.has(fingerprint.value));
  if (over.length === 0) return withIssues(rest, first);
  parts.log.line("warn", "exceptions.over_daily_limit", { project, exceptions: over.length });
  const known = await readOwners(parts, project, [OVERFLOW_FINGERPRINT.value]);
  const second = await link(parts, project, known, candidatesOf(over), { isBounded: false });
  return [...withIssues(rest, first), ...withIssues(over, second)];
};

const OVER = `This project has opened ${MAX_ISSUES_PER_DAY} issues today: exceptions that would open more share one issue until midnight UTC.`;

const overflowing = (event: GroupedEvent): GroupedEvent => ({
  ...event,
  event: { ...event.event, issueName: "More issues than a day may open", issueDescription: OVER },
  fingerprint: OVERFLOW_FINGERPRINT,
});

const withIssues = (events: readonly GroupedEvent[], { links }: Linked): readonly LinkedEvent[] =>
  events.flatMap((event) => {
    const issue = links.get(event.fingerprint.value);
    return issue === undefined || issue.status === "suppressed" ? [] : [{ ...event, issue, issueId: issue.id }];
  });

interface AlertFacts {
  readonly live: readonly LinkedEvent[];
  readonly spikes: readonly Spike[];
  readonly counts: DeliveryCounts;
  readonly findRelease: (event: GroupedEvent) => ReleaseInfo | null;
}

const raiseAlerts = async (parts: TrackingParts, project: number, rules: ProjectRules, of: AlertFacts): Promise<void> => {
  if (rules.alerts.length === 0) return;
  const { live, spikes, counts, findRelease } = of;
  const issues = new Map(live.map(({ issue }) => [issue.id, issue]));
  const exceptions = live.map((each) => ({
    issue: each.issue,
    properties: () => outputProperties(each.event, each.fingerprint, each.issueId, findRelease(each)),
  }));
  const spiking = spikes.flatMap(({ issueId, baseline, current }) => {
    const issue = issues.get(issueId);
    return issue === undefined ? [] : [{ issue, baseline, current }];
  });
  await writeAlerts(parts, project, rules, { ...recentIssues(exceptions, parts.clock.now()), spikes: spiking, counts });
};

const seenFrames = (
  events: readonly GroupedEvent[],
  findRelease: (event: GroupedEvent) => ReleaseInfo | null,
): ReadonlyMap<string, SeenFrame> => {
  const seen = new Map<string, SeenFrame>();
  for (const event of events) {
    const { exceptions, contexts, mappable, resolvedBy } = event.event;
    const releaseId = findRelease(event)?.id ?? null;
    for (const frame of exceptions.flatMap(({ frames }) => frames ?? [])) {
      const before = seen.get(frame.raw_id);
      if (before !== undefined) {
        if (before.releaseId === null && releaseId !== null) seen.set(frame.raw_id, { ...before, releaseId });
        continue;
      }
      const context = contexts.get(frame.raw_id) ?? null;
      seen.set(frame.raw_id, { frame, context, releaseId, mappable: mappable.get(frame.raw_id), resolvedBy: resolvedBy.get(frame.raw_id) });
    }
  }
  return seen;
};

const countByDelivery = (events: readonly LinkedEvent[]): DeliveryCounts => {
  const counts = new Map<string, Map<string, number>>();
  for (const { delivery, issueId } of events) {
    const issues = counts.get(delivery) ?? new Map<string, number>();
    counts.set(delivery, issues.set(issueId, (issues.get(issueId) ?? 0) + 1));
  }
  return counts;
};
