import type { EventRow } from "../event/event.ts";
import type { Fields } from "../event/fields.ts";
import { jsonText } from "../event/hot-properties.ts";
import { distinctRows } from "../event/identity.ts";
import { type GroupedEvent, groupEvent } from "./grouping/group.ts";
import type { Issue } from "./issues.ts";
import { applyLimits } from "./limits/limits.ts";
import { issueCandidates, type Links } from "./linking/candidates.ts";
import { link } from "./linking/link.ts";
import { outputProperties, type ReleaseInfo, withErrors } from "./pipeline/output.ts";
import type { TrackingParts } from "./pipeline/parts.ts";
import { type ReadEvent, readEvent } from "./pipeline/read-event.ts";
import { projectRules } from "./rules/project-rules.ts";
import { type BrokenRule, disableRules } from "./rules/rule.ts";
import type { DeliveryCounts } from "./spikes/counts.ts";
import { detectSpikes } from "./spikes/detect.ts";
import { type SeenFrame, storeFrames } from "./stored/frames.ts";
import { findReleases } from "./stored/releases.ts";

/** A row of a `$exception` event, and the message that brought it. */
export type ExceptionRow = Pick<ReadEvent, "row" | "delivery">;

/** The exceptions that are stored, as rows with the properties of the stored event. */
export interface TrackedExceptions {
  /** By the row as it was. */
  readonly stored: ReadonlyMap<EventRow, EventRow>;
  /** By the row as it was: those properties of the stored event that the client did not send, or sent otherwise. */
  readonly properties: ReadonlyMap<EventRow, Fields>;
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
  const now = parts.clock.now();
  const broken = new Map<string, BrokenRule>();
  const noteBroken = (rule: BrokenRule): void => void broken.set(rule.stored.id, broken.get(rule.stored.id) ?? rule);

  const copies = new Set(distinctRows(exceptions.map(({ row }) => row)));
  const events = exceptions.filter(({ row }) => copies.has(row)).map(readEvent);
  const read = events.flatMap((event) => ("event" in event ? [groupEvent(event, rules, now, noteBroken)] : []));
  const releases = await findReleases(
    parts,
    project,
    read.flatMap(({ event }) => event.releaseId ?? []),
  );
  const findRelease = ({ event }: GroupedEvent): ReleaseInfo | null => releases.get(event.releaseId ?? "") ?? null;
  const [links] = await Promise.all([
    link(parts, project, issueCandidates(read, findRelease, rules, now, noteBroken)),
    storeFrames(parts, project, seenFrames(read, findRelease)),
  ]);
  await disableRules(parts, broken.values());
  const accepted = await applyLimits(parts, project, rules.limits, linkEvents(read, links));
  await detectSpikes(parts, project, rules.spikes, countByDelivery(accepted));

  const stored = new Map<EventRow, EventRow>();
  const properties = new Map<EventRow, Fields>();
  const store = (row: EventRow, sent: Fields, fields: Fields): void => {
    stored.set(row, { ...row, properties: jsonText(fields) });
    properties.set(row, Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== sent[name])));
  };
  for (const event of events) if (!("event" in event)) store(event.row, event.properties, withErrors(event.properties, event.errors));
  for (const each of accepted) {
    store(each.row, each.event.properties, outputProperties(each.event, each.fingerprint, each.issueId, findRelease(each)));
  }
  return { stored, properties };
};

interface LinkedEvent extends GroupedEvent {
  readonly issueId: Issue["id"];
}

/** The events with their issues; those of suppressed issues are dropped. */
const linkEvents = (events: readonly GroupedEvent[], links: Links): readonly LinkedEvent[] =>
  events.flatMap((event) => {
    const issue = links.get(event.fingerprint.value);
    return issue === undefined || issue.status === "suppressed" ? [] : [{ ...event, issueId: issue.id }];
  });

const seenFrames = (
  events: readonly GroupedEvent[],
  findRelease: (event: GroupedEvent) => ReleaseInfo | null,
): ReadonlyMap<string, SeenFrame> => {
  const seen = new Map<string, SeenFrame>();
  for (const event of events) {
    const { exceptions, contexts } = event.event;
    for (const frame of exceptions.flatMap(({ frames }) => frames ?? [])) {
      if (seen.has(frame.raw_id)) continue;
      seen.set(frame.raw_id, { frame, context: contexts.get(frame.raw_id) ?? null, releaseId: findRelease(event)?.id ?? null });
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
