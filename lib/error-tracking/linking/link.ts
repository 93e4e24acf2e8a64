import type { Issue } from "../issues.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { Candidate, Links } from "./candidate.ts";
import { createIssues, restoreIssue } from "./create.ts";
import { issuesOf, ownersOf } from "./look-up.ts";
import { reopen } from "./reopen.ts";

/**
 * Finds the issue of each fingerprint, making those that are missing and reopening those that were closed. Reads each fingerprint and
 * each issue once, however many events have it; what is read is not kept, because an issue may be merged or suppressed at any time.
 */
export const link = async (parts: TrackingParts, project: number, candidates: ReadonlyMap<string, Candidate>): Promise<Links> => {
  const links = new Map<string, Issue>();
  const owners = await ownersOf(parts, project, [...candidates.keys()]);
  const missing = [...candidates.values()].filter(({ fingerprint }) => !owners.has(fingerprint.value));
  const found = await issuesOf(parts, project, new Set(owners.values()));
  for (const [fingerprint, id] of owners) {
    const candidate = candidates.get(fingerprint);
    if (candidate === undefined) continue;
    links.set(fingerprint, found.get(id) ?? (await restoreIssue(parts, project, id, candidate)));
  }
  for (const [fingerprint, issue] of await createIssues(parts, project, missing)) links.set(fingerprint, issue);
  return reopen(parts, links, candidates);
};
