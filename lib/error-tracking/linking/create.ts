import { isoMicros } from "../../core/time.ts";
import { ConditionFailed, type Write } from "../../ports/table.ts";
import { plainItem } from "../../table/entity.ts";
import { counting } from "../../table/paging.ts";
import { counterKey } from "../../table/partitions.ts";
import { ABSENT, transact } from "../../table/transact.ts";
import type { Fingerprint as StoredFingerprint } from "../fingerprints.ts";
import type { Issue } from "../issues.ts";
import { cutToBytes } from "../parsing/fields.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { FINGERPRINT_LAYOUT, ISSUE_LAYOUT } from "../stored/layouts.ts";
import type { Candidate } from "./candidates.ts";
import { readIssues, readOwners } from "./look-up.ts";

/** Issues made in one transaction: each is two items, and the two lists are counted beside them. */
const AT_ONCE = 49;

/**
 * Makes an issue for each candidate. Whoever writes a fingerprint first makes its issue: a drain that comes second finds that one and
 * leaves its own unwritten, so that a fingerprint never has two.
 */
export const createIssues = async (
  parts: TrackingParts,
  project: number,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, Issue>> => {
  const made = new Map<string, Issue>();
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    for (const [fingerprint, issue] of await createSome(parts, project, candidates.slice(at, at + AT_ONCE))) made.set(fingerprint, issue);
  }
  return made;
};

const createSome = async (parts: TrackingParts, project: number, candidates: readonly Candidate[]): Promise<ReadonlyMap<string, Issue>> => {
  const pairs = candidates.map((candidate) => newPair(parts, project, candidate));
  const links = new Map<string, Issue>();
  let left = pairs;
  while (left.length > 0) {
    try {
      await transact(parts.table, [
        ...left.flatMap(({ writes }) => writes),
        counting(counterKey("issueCount", project), left.length),
        counting(counterKey("fingerprintCount", project), left.length),
      ]);
      for (const { fingerprint, issue } of left) links.set(fingerprint, issue);
      return links;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const taken = new Set(error.failed.map((position) => position >> 1));
      const others = left.filter((_, index) => taken.has(index)).map(({ fingerprint }) => fingerprint);
      const owners = await readOwners(parts, project, others);
      const issues = await readIssues(parts, project, new Set(owners.values()));
      for (const [fingerprint, id] of owners) {
        const issue = issues.get(id);
        if (issue !== undefined) links.set(fingerprint, issue);
      }
      left = left.filter((_, index) => !taken.has(index));
    }
  }
  return links;
};

interface Pair {
  readonly fingerprint: string;
  readonly issue: Issue;
  readonly writes: readonly Write[];
}

/** Of a name and of a description that an exception gives its issue. */
export const MOST_NAME_BYTES = 255;

/** The explanation of a fingerprint is kept up to so many bytes: a stack of thousands of frames would not fit an item. */
const MOST_RECORD_BYTES = 64 * 1024;

/** An issue that is gone though a fingerprint leads to it, because they were merged while it was made: it is there again. */
export const restoreIssue = async (parts: TrackingParts, project: number, id: string, candidate: Candidate): Promise<Issue> => {
  const issue = newIssue(parts, project, id, candidate);
  try {
    const put = { kind: "put", item: plainItem(ISSUE_LAYOUT, issue), when: ABSENT } as const;
    await transact(parts.table, [put, counting(counterKey("issueCount", project), 1)]);
    return issue;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return (await readIssues(parts, project, new Set([id]))).get(id) ?? issue;
  }
};

const newIssue = ({ clock }: TrackingParts, project: number, id: string, candidate: Candidate): Issue => {
  const named = {
    id,
    status: "active" as const,
    name: cutToBytes(candidate.name, MOST_NAME_BYTES),
    description: cutToBytes(candidate.description, MOST_NAME_BYTES),
  };
  const issue: Issue = {
    project,
    ...named,
    severity: null,
    first_seen: candidate.firstSeen,
    assignee: candidate.assignee,
    created_at: isoMicros(clock.now()),
  };
  for (const decide of Object.values(candidate.decisions)) Object.assign(issue, decide(named));
  return issue;
};

const newPair = (parts: TrackingParts, project: number, candidate: Candidate): Pair => {
  const issue = newIssue(parts, project, parts.ids.uuid(), candidate);
  const record = JSON.stringify(candidate.fingerprint.record);
  const stored: StoredFingerprint = {
    project,
    fingerprint: candidate.fingerprint.value,
    id: parts.ids.uuid(),
    issue_id: issue.id,
    created_at: issue.created_at,
    first_seen: candidate.firstSeen,
    version: 0,
    visibility: "shown",
    record: Buffer.byteLength(record) <= MOST_RECORD_BYTES ? record : null,
  };
  return {
    fingerprint: stored.fingerprint,
    issue,
    writes: [
      { kind: "put", item: plainItem(FINGERPRINT_LAYOUT, stored), when: ABSENT },
      { kind: "put", item: plainItem(ISSUE_LAYOUT, issue) },
    ],
  };
};
