import { ConditionFailed } from "../../ports/table.ts";
import { plainAttributes, plainKey } from "../../table/entity.ts";
import type { Issue } from "../issues.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { ISSUE_LAYOUT } from "../stored/layouts.ts";
import type { Candidate, Links } from "./candidates.ts";
import { createIssues, restoreIssue } from "./create.ts";
import { readIssues, readOwners } from "./look-up.ts";

/**
 * Finds the issue of each fingerprint, making those that are missing and reopening those that were closed. Reads each fingerprint and
 * each issue once, however many events have it; what is read is not kept, because an issue may be merged or suppressed at any time.
 */
export const link = async (parts: TrackingParts, project: number, candidates: ReadonlyMap<string, Candidate>): Promise<Links> => {
  const links = new Map<string, Issue>();
  const owners = await readOwners(parts, project, [...candidates.keys()]);
  const missing = [...candidates.values()].filter(({ fingerprint }) => !owners.has(fingerprint.value));
  const found = await readIssues(parts, project, new Set(owners.values()));
  for (const [fingerprint, id] of owners) {
    const candidate = candidates.get(fingerprint);
    if (candidate === undefined) continue;
    links.set(fingerprint, found.get(id) ?? (await restoreIssue(parts, project, id, candidate)));
  }
  for (const [fingerprint, issue] of await createIssues(parts, project, missing)) links.set(fingerprint, issue);
  return reopen(parts, links, candidates);
};

/** Makes active what has new events and is neither active nor suppressed; who is assigned stays, and nobody becomes the rule's assignee. */
const reopen = async (parts: TrackingParts, links: Links, candidates: ReadonlyMap<string, Candidate>): Promise<Links> => {
  const reopened = new Map<string, Issue>();
  for (const [fingerprint, issue] of links) {
    if (isOpen(issue) || reopened.has(issue.id)) continue;
    reopened.set(issue.id, await reopenOne(parts, issue, candidates.get(fingerprint)?.assignee ?? null));
  }
  if (reopened.size === 0) return links;
  return new Map([...links].map(([fingerprint, issue]) => [fingerprint, reopened.get(issue.id) ?? issue]));
};

const isOpen = ({ status }: Issue): boolean => status === "active" || status === "suppressed";

const reopenOne = async ({ table }: TrackingParts, issue: Issue, assignee: Issue["assignee"]): Promise<Issue> => {
  const set = { status: "active", ...(issue.assignee === null && assignee !== null && { assignee }) };
  try {
    const unchanged = { kind: "equals", attribute: "status", value: issue.status } as const;
    const stored = await table.update(plainKey(ISSUE_LAYOUT, issue), { set, add: { rev: 1 } }, unchanged);
    return plainAttributes<Issue>(ISSUE_LAYOUT, stored);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Somebody else reopened, suppressed or removed it in between.
    return error.stored === undefined ? issue : plainAttributes<Issue>(ISSUE_LAYOUT, error.stored);
  }
};
