import type { Table } from "../ports/table.ts";
import { getMany, pages } from "../table/store.ts";
import { type Fingerprint, Fingerprints, IssueFingerprints } from "./fingerprints.ts";
import type { Issue } from "./issues.ts";

/**
 * All fingerprints of an issue, hidden ones too, as they are now: the one that it was made with, and those that were moved to it. Only
 * those of an issue that an earlier release made are looked for in the index.
 */
export const readIssueFingerprints = async (
  table: Table,
  { project, id, origin }: Pick<Issue, "project" | "id" | "origin">,
): Promise<readonly Fingerprint[]> => {
  const names = new Set(origin === undefined ? [] : [origin]);
  for await (const some of pages(table, IssueFingerprints, "key", { project, issue_id: id }, { consistent: true })) {
    for (const { fingerprint } of some) names.add(fingerprint);
  }
  if (origin === undefined) {
    for await (const some of pages(table, Fingerprints, "ofIssue", { project, issue_id: id })) {
      for (const { fingerprint } of some) names.add(fingerprint);
    }
  }
  const known = await readFingerprints(table, project, names);
  return known.filter(({ issue_id }) => issue_id === id);
};

/** Those of the names that are fingerprints, as they are now. */
export const readFingerprints = async (table: Table, project: number, names: Iterable<string>): Promise<readonly Fingerprint[]> => {
  const keys = [...names].map((fingerprint) => ({ project, fingerprint }));
  return keys.length === 0 ? [] : getMany(table, Fingerprints, keys, { consistent: true });
};
