import type { Table } from "../ports/table.ts";
import { readIssueFingerprints } from "./issue-fingerprints.ts";
import type { Issue } from "./issues.ts";
import { readOriginalIssues } from "./merging/fingerprint-moves.ts";
import { readMergeChains } from "./merging/merge-chains.ts";

/** How many of an issue's fingerprints came by each of the issues that were merged into it. */
export const countByMerged = async (
  table: Table,
  issue: Issue,
  merged: readonly Pick<Issue, "id">[],
): Promise<ReadonlyMap<string, number>> => {
  if (merged.length === 0) return new Map();
  const originals = await readOriginalIssues(table, issue.project, await readIssueFingerprints(table, issue));
  const chains = await readMergeChains(table, issue.project, originals.values());
  const counts = new Map(merged.map(({ id }) => [id, 0]));
  for (const original of originals.values()) {
    for (const id of chains.get(original) ?? []) {
      const count = counts.get(id);
      if (count !== undefined) counts.set(id, count + 1);
    }
  }
  return counts;
};
