import type { Table } from "../ports/table.ts";
import { getMany, pages } from "../table/store.ts";
import { type Fingerprint, Fingerprints, IssueFingerprints } from "./fingerprints.ts";
import type { Issue } from "./issues.ts";

/**
 * All fingerprints of an issue, or the first so many, hidden ones too, as they are now: the one that it was made with, and those that were
 * moved to it. Only those of an issue that an earlier release made are looked for in the index.
 */
export const readIssueFingerprints = async (
  table: Table,
  issue: Pick<Issue, "project" | "id" | "origin">,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Fingerprint[]> => {
  const names = new Set<string>();
  for await (const name of fingerprintNames(table, issue, most)) {
    names.add(name);
    if (names.size >= most) break;
  }
  const known = await readFingerprints(table, issue.project, names);
  return known.filter(({ issue_id }) => issue_id === issue.id);
};

async function* fingerprintNames(
  table: Table,
  { project, id: issue_id, origin }: Pick<Issue, "project" | "id" | "origin">,
  most: number,
): AsyncGenerator<string> {
  const page = Number.isFinite(most) ? { limit: most } : {};
  if (origin !== undefined) yield origin;
  for await (const some of pages(table, IssueFingerprints, "key", { project, issue_id }, { consistent: true, ...page })) {
    for (const { fingerprint } of some) yield fingerprint;
  }
  if (origin !== undefined) return;
  for await (const some of pages(table, Fingerprints, "ofIssue", { project, issue_id }, page)) {
    for (const { fingerprint } of some) yield fingerprint;
  }
}

/** Those of the names that are fingerprints, as they are now. */
export const readFingerprints = async (table: Table, project: number, names: Iterable<string>): Promise<readonly Fingerprint[]> => {
  const keys = [...names].map((fingerprint) => ({ project, fingerprint }));
  return keys.length === 0 ? [] : getMany(table, Fingerprints, keys, { consistent: true });
};
