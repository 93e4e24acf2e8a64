import { type Fingerprint, Fingerprints, MovedFingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { type SpikeEvent, SpikeEvents } from "../../../lib/error-tracking/spike-events.ts";
import type { Table, Write } from "../../../lib/ports/table.ts";
import { getMany, pages, putting, removing, updating } from "../../../lib/table/store.ts";
import { transact } from "../../../lib/table/transact.ts";

/** Writes in one transaction at most. */
const WRITES = 100;

/** All fingerprints of an issue, hidden ones too. */
export const issueFingerprints = async (table: Table, project: number, issueId: string): Promise<readonly Fingerprint[]> => {
  const all: Fingerprint[] = [];
  for await (const some of pages(table, Fingerprints, "ofIssue", { project, issue_id: issueId })) all.push(...some);
  return all;
};

export const issueSpikes = async (table: Table, project: number, issueId: string): Promise<readonly SpikeEvent[]> => {
  const all: SpikeEvent[] = [];
  for await (const some of pages(table, SpikeEvents, "ofIssue", { project, issue_id: issueId })) all.push(...some);
  return all;
};

/** The issues that merged fingerprints had, by fingerprint. */
export const fingerprintHomes = async (
  table: Table,
  project: number,
  fingerprints: readonly Fingerprint[],
): Promise<ReadonlyMap<string, string | undefined>> => {
  const keys = fingerprints.map(({ fingerprint }) => ({ project, fingerprint }));
  const moved = keys.length === 0 ? [] : await getMany(table, MovedFingerprints, keys, { consistent: true });
  return new Map(moved.map(({ fingerprint, home }) => [fingerprint, home]));
};

/** The writes that lead a fingerprint to another issue, for exceptions to come and for those that are stored. */
export const movingFingerprint = (
  { project, fingerprint, id, visibility }: Fingerprint,
  issueId: string,
  home?: string,
): readonly Write[] => [
  updating(Fingerprints, { project, fingerprint }, { set: { issue_id: issueId, id, visibility }, add: { version: 1 } }),
  putting(MovedFingerprints, { project, fingerprint, issue_id: issueId, ...(home !== undefined && { home }) }),
];

export const movingSpike = ({ project, detected_at, id }: SpikeEvent, issueId: string): Write =>
  updating(SpikeEvents, { project, detected_at, id }, { set: { issue_id: issueId } });

export const removingSpike = ({ project, detected_at, id }: SpikeEvent): Write => removing(SpikeEvents, { project, detected_at, id });

/** The least `first_seen`; undefined where there is none. */
export const earliestFirstSeen = (fingerprints: readonly Fingerprint[]): string | undefined =>
  fingerprints.flatMap(({ first_seen }) => first_seen ?? []).sort()[0];

/** Runs any number of writes, a hundred at once. What is cut off in the middle is done again by the same call. */
export const inTransactions = async (table: Table, writes: readonly Write[]): Promise<void> => {
  for (let at = 0; at < writes.length; at += WRITES) await transact(table, writes.slice(at, at + WRITES));
};
