import { plainAttributes, plainKey } from "../../table/entity.ts";
import type { Fingerprint as StoredFingerprint } from "../fingerprints.ts";
import { type LiveIssue, type ResolvedIssue, resolveIssueIds } from "../live-issues.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { FINGERPRINT_LAYOUT } from "../stored/layouts.ts";

/** Where a fingerprint leads. */
export interface Owner {
  readonly issue: LiveIssue;
  /** Of the fingerprint; ISO 8601 with microseconds. */
  readonly firstSeen: string | null;
  /** How often the fingerprint was moved. */
  readonly version: number;
}

/** What is known of fingerprints: those that are missing were never seen. */
export interface Owners {
  readonly found: ReadonlyMap<string, Owner>;
  /** Ids of issues that are gone without having been merged, by the fingerprints that still lead to them. */
  readonly lost: ReadonlyMap<string, string>;
}

/**
 * Reads where fingerprints lead: each of them, and each issue, once, however many events have it. What is read is not kept, because an
 * issue may be merged or suppressed at any time.
 */
export const readOwners = async (
  { table }: Pick<TrackingParts, "table">,
  project: number,
  fingerprints: Iterable<string>,
): Promise<Owners> => {
  const found = new Map<string, Owner>();
  const lost = new Map<string, string>();
  for (let left = new Set(fingerprints); left.size > 0; ) {
    const stored = await readFingerprints(table, project, left);
    const issueIds = new Set([...stored.values()].map(({ issue_id }) => issue_id));
    const resolved = await resolveIssueIds(table, project, issueIds);
    // Meanwhile the fingerprint may have been moved to another issue.
    const doubtful = [...stored.values()].filter(({ issue_id }) => mayHaveLed(resolved.get(issue_id)));
    const now = await readFingerprints(table, project, new Set(doubtful.map(({ fingerprint }) => fingerprint)));
    left = new Set(doubtful.flatMap(({ fingerprint, version }) => (now.get(fingerprint)?.version === version ? [] : fingerprint)));
    for (const { fingerprint, issue_id, first_seen, version } of stored.values()) {
      if (left.has(fingerprint)) continue;
      const issue = resolved.get(issue_id)?.issue;
      if (issue === undefined) lost.set(fingerprint, issue_id);
      else found.set(fingerprint, { issue, firstSeen: first_seen, version });
    }
  }
  return { found, lost };
};

/** Whether an id leads elsewhere, or did at some time. */
const mayHaveLed = (resolved: ResolvedIssue | undefined): boolean =>
  resolved !== undefined && (resolved.chain.length > 1 || resolved.issue.restored_at !== undefined);

const readFingerprints = async (
  table: TrackingParts["table"],
  project: number,
  fingerprints: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredFingerprint>> => {
  const keys = [...fingerprints].map((fingerprint) => plainKey(FINGERPRINT_LAYOUT, { project, fingerprint }));
  const items = keys.length === 0 ? [] : await table.getMany(keys, { consistent: true });
  return new Map(items.map((item) => plainAttributes<StoredFingerprint>(FINGERPRINT_LAYOUT, item)).map((each) => [each.fingerprint, each]));
};
