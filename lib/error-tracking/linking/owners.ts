import { plainAttributes, plainKey } from "../../table/entity.ts";
import type { Fingerprint as StoredFingerprint } from "../fingerprints.ts";
import { type LiveIssue, readLiveIssues } from "../live-issues.ts";
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
  const keys = [...new Set(fingerprints)].map((fingerprint) => plainKey(FINGERPRINT_LAYOUT, { project, fingerprint }));
  const items = keys.length === 0 ? [] : await table.getMany(keys, { consistent: true });
  const stored = items.map((item) => plainAttributes<StoredFingerprint>(FINGERPRINT_LAYOUT, item));
  const issues = await readLiveIssues(
    table,
    project,
    stored.map(({ issue_id }) => issue_id),
  );
  const found = new Map<string, Owner>();
  const lost = new Map<string, string>();
  for (const { fingerprint, issue_id, first_seen, version } of stored) {
    const issue = issues.get(issue_id);
    if (issue === undefined) lost.set(fingerprint, issue_id);
    else found.set(fingerprint, { issue, firstSeen: first_seen, version });
  }
  return { found, lost };
};
