import type { EventRow } from "../event/event.ts";
import type { Fields } from "../event/fields.ts";
import { jsonText } from "../event/hot.ts";
import { distinctRows } from "../lake/intake/distinct-rows.ts";
import { automaticFingerprint, type Fingerprint, manualFingerprint } from "./grouping/fingerprint.ts";
import type { Candidate } from "./linking/candidate.ts";
import { link } from "./linking/link.ts";
import { isoOfMicros } from "./moments.ts";
import { outputProperties, withErrors } from "./output.ts";
import type { TrackingParts } from "./parts.ts";
import { type ExceptionRow, type ReadEvent, readEvent } from "./read-event.ts";

/** What became of exceptions: their rows with the properties of the stored event, those that are not stored left out. */
export interface Tracked {
  /** By the row as it was. */
  readonly stored: ReadonlyMap<EventRow, EventRow>;
  /** Of the stored ones. */
  readonly properties: readonly Fields[];
}

/**
 * Turns the exceptions of one drain and project into events of issues. All that touches the table is done once for the drain, and may
 * be done again: the same messages find the issues that they made before.
 */
export const trackExceptions = async (parts: TrackingParts, project: number, exceptions: readonly ExceptionRow[]): Promise<Tracked> => {
  const copies = new Set(distinctRows(exceptions.map(({ row }) => row)));
  const events = exceptions.filter(({ row }) => copies.has(row)).map(readEvent);
  const read = events.flatMap((event) => ("event" in event ? [grouped(event)] : []));
  const links = await link(parts, project, candidatesOf(read));
  const stored = new Map<EventRow, EventRow>();
  const properties: Fields[] = [];
  const store = (row: EventRow, fields: Fields): void => {
    stored.set(row, { ...row, properties: jsonText(fields) });
    properties.push(fields);
  };
  for (const event of events) if (!("event" in event)) store(event.row, withErrors(event.properties, event.errors));
  for (const { row, event, metadata, fingerprint } of read) {
    const issue = links.get(fingerprint.value);
    if (issue === undefined || issue.status === "suppressed") continue;
    store(row, outputProperties(event, metadata, fingerprint, issue.id, null));
  }
  return { stored, properties };
};

interface GroupedEvent extends ReadEvent {
  readonly fingerprint: Fingerprint;
}

const grouped = (read: ReadEvent): GroupedEvent => {
  const { clientFingerprint, exceptions } = read.event;
  const fingerprint = clientFingerprint === null ? automaticFingerprint(exceptions) : manualFingerprint(clientFingerprint);
  return { ...read, fingerprint };
};

const candidatesOf = (events: readonly GroupedEvent[]): ReadonlyMap<string, Candidate> => {
  const candidates = new Map<string, Candidate>();
  for (const { row, event, fingerprint } of events) {
    if (candidates.has(fingerprint.value)) continue;
    const [first] = event.exceptions;
    candidates.set(fingerprint.value, {
      fingerprint,
      name: event.issueName ?? first?.type ?? "",
      description: event.issueDescription ?? first?.value ?? "",
      firstSeen: isoOfMicros(row.timestamp),
      assignee: null,
      severity: () => event.issueSeverity,
    });
  }
  return candidates;
};
