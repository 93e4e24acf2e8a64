import { ConditionFailed } from "../../ports/table.ts";
import { plainAttributes, plainKey } from "../../table/entity.ts";
import type { Issue } from "../issues.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { ISSUE_LAYOUT } from "../stored/layouts.ts";
import type { Candidate, Links } from "./candidate.ts";

/** Makes active what has new events and is neither active nor suppressed; who is assigned stays, and nobody becomes the rule's assignee. */
export const reopen = async (parts: TrackingParts, links: Links, candidates: ReadonlyMap<string, Candidate>): Promise<Links> => {
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
