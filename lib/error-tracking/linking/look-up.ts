import { plainAttributes, plainKey } from "../../table/entity.ts";
import type { Fingerprint as StoredFingerprint } from "../fingerprints.ts";
import type { Issue } from "../issues.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { FINGERPRINT_LAYOUT, ISSUE_LAYOUT } from "../stored/layouts.ts";

/** Issue ids by fingerprint, of those that are known. */
export const readOwners = async (
  { table }: Pick<TrackingParts, "table">,
  project: number,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (fingerprints.length === 0) return new Map();
  const keys = fingerprints.map((fingerprint) => plainKey(FINGERPRINT_LAYOUT, { project, fingerprint }));
  const items = await table.getMany(keys, { consistent: true });
  const stored = items.map((item) => plainAttributes<StoredFingerprint>(FINGERPRINT_LAYOUT, item));
  return new Map(stored.map(({ fingerprint, issue_id }) => [fingerprint, issue_id]));
};

export const readIssues = async (
  { table }: Pick<TrackingParts, "table">,
  project: number,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Issue>> => {
  if (ids.size === 0) return new Map();
  const keys = [...ids].map((id) => plainKey(ISSUE_LAYOUT, { project, id }));
  const issues = (await table.getMany(keys, { consistent: true })).map((item) => plainAttributes<Issue>(ISSUE_LAYOUT, item));
  return new Map(issues.map((issue) => [issue.id, issue]));
};
