import { earlier, isoMicros } from "../../core/time.ts";
import { ConditionFailed, type Write } from "../../ports/table.ts";
import { plainItem, plainKey } from "../../table/entity.ts";
import { counting } from "../../table/paging.ts";
import { counterKey } from "../../table/partitions.ts";
import { ABSENT, transact } from "../../table/transact.ts";
import type { Fingerprint as StoredFingerprint } from "../fingerprints.ts";
import type { Issue } from "../issues.ts";
import type { LiveIssue } from "../live-issues.ts";
import { countingOpened } from "../opened-issues.ts";
import { cutToBytes } from "../parsing/fields.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { FINGERPRINT_LAYOUT, ISSUE_FINGERPRINT_LAYOUT, ISSUE_LAYOUT, MERGED_ISSUE_LAYOUT } from "../stored/layouts.ts";
import type { Candidate } from "./candidates.ts";

/** Issues made in one transaction: each is two items, and the two lists and the day's issues are counted beside them. */
const AT_ONCE = 48;

/** What became of candidates. Those of neither list were faster: their fingerprints lead to somebody else's issue by now. */
export interface Created {
  /** By fingerprint. */
  readonly made: ReadonlyMap<string, LiveIssue>;
  /** Fingerprints for which the day has no more issues. */
  readonly over: ReadonlySet<string>;
}

/**
 * Makes an issue for each candidate. Whoever writes a fingerprint first makes its issue: a drain that comes second finds that one and
 * leaves its own unwritten, so that a fingerprint never has two. `isBounded` says whether the day's number counts.
 */
export const createIssues = async (
  parts: TrackingParts,
  project: number,
  candidates: readonly Candidate[],
  isBounded: boolean,
): Promise<Created> => {
  const made = new Map<string, LiveIssue>();
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const some = await createSome(parts, project, candidates.slice(at, at + AT_ONCE), isBounded);
    // Others that are made today are counted with these: there is no room for what follows either.
    if (some === "over") return { made, over: new Set(candidates.slice(at).map(({ fingerprint }) => fingerprint.value)) };
    for (const [fingerprint, issue] of some) made.set(fingerprint, issue);
  }
  return { made, over: new Set() };
};

const createSome = async (
  parts: TrackingParts,
  project: number,
  candidates: readonly Candidate[],
  isBounded: boolean,
): Promise<ReadonlyMap<string, LiveIssue> | "over"> => {
  let left: Pair[] = [];
  for (const candidate of candidates) left.push(await newPair(parts, project, candidate));
  while (left.length > 0) {
    try {
      await transact(parts.table, [
        countingOpened(parts, project, left.length, isBounded),
        ...left.flatMap(({ writes }) => writes),
        counting(counterKey("issueCount", project), left.length),
        counting(counterKey("fingerprintCount", project), left.length),
      ]);
      break;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.failed.includes(0)) return "over";
      const taken = new Set(error.failed.map((position) => (position - 1) >> 1));
      left = left.filter((_, index) => !taken.has(index));
    }
  }
  return new Map(left.map(({ fingerprint, issue }) => [fingerprint, { ...issue, rev: 1 }]));
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

/**
 * Makes an issue again that is gone without having been merged, under the id that its fingerprint leads to: as long as it does. False where
 * it leads elsewhere by now, or the issue is there.
 */
export const restoreIssue = async (parts: TrackingParts, project: number, id: string, candidate: Candidate): Promise<boolean> => {
  const fingerprint = candidate.fingerprint.value;
  const issue = await newIssue(parts, project, id, candidate);
  try {
    await transact(parts.table, [
      {
        kind: "check",
        key: plainKey(FINGERPRINT_LAYOUT, { project, fingerprint }),
        when: { kind: "equals", attribute: "issue_id", value: id },
      },
      { kind: "check", key: plainKey(MERGED_ISSUE_LAYOUT, { project, id }), when: ABSENT },
      { kind: "put", item: plainItem(ISSUE_LAYOUT, issue), when: ABSENT },
      counting(counterKey("issueCount", project), 1),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
};

/**
 * Gives an issue fingerprints that are new, because an older way of grouping gave their exceptions one that is the issue's. What comes
 * after somebody who was faster, or an issue that is gone, is left.
 */
export const adoptFingerprints = async (parts: TrackingParts, issue: LiveIssue, candidates: readonly Candidate[]): Promise<void> => {
  const { project, id } = issue;
  let { first_seen, rev } = issue;
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const some = candidates.slice(at, at + AT_ONCE);
    first_seen = some.reduce((least, { firstSeen }) => earlier(least, firstSeen), first_seen);
    try {
      await transact(parts.table, [
        {
          kind: "update",
          key: plainKey(ISSUE_LAYOUT, { project, id }),
          change: { set: { first_seen }, add: { rev: 1 } },
          when: { kind: "equals", attribute: "rev", value: rev },
        },
        ...some.flatMap((candidate) => adopting(newFingerprint(parts, project, id, candidate))),
        counting(counterKey("fingerprintCount", project), some.length),
      ]);
    } catch (error) {
      if (error instanceof ConditionFailed) return;
      throw error;
    }
    rev += 1;
  }
};

const adopting = (stored: StoredFingerprint): readonly Write[] => {
  const { project, issue_id, fingerprint } = stored;
  return [
    { kind: "put", item: plainItem(FINGERPRINT_LAYOUT, stored), when: ABSENT },
    { kind: "put", item: plainItem(ISSUE_FINGERPRINT_LAYOUT, { project, issue_id, fingerprint }) },
  ];
};

const newIssue = async ({ clock }: TrackingParts, project: number, id: string, candidate: Candidate): Promise<Issue> => {
  const named = {
    id,
    status: "active" as const,
    name: cutToBytes(candidate.name, MOST_NAME_BYTES),
    description: cutToBytes(candidate.description, MOST_NAME_BYTES),
  };
  const now = isoMicros(clock.now());
  const issue: Issue = {
    project,
    ...named,
    severity: null,
    first_seen: candidate.firstSeen,
    assignee: null,
    created_at: now,
    ...(candidate.isLive && { opened_at: now }),
    origin: candidate.fingerprint.value,
  };
  const { severity, assignment } = candidate.decisions;
  return { ...issue, ...(await severity(named)), ...(await assignment(named)) };
};

const newFingerprint = ({ clock, ids }: TrackingParts, project: number, issue_id: string, candidate: Candidate): StoredFingerprint => {
  const record = JSON.stringify(candidate.fingerprint.record);
  return {
    project,
    fingerprint: candidate.fingerprint.value,
    id: ids.uuid(),
    issue_id,
    created_at: isoMicros(clock.now()),
    first_seen: candidate.firstSeen,
    version: 0,
    visibility: "shown",
    record: Buffer.byteLength(record) <= MOST_RECORD_BYTES ? record : null,
    ...(candidate.fingerprint.version === "v2" && { grouping_version: "v2" }),
  };
};

const newPair = async (parts: TrackingParts, project: number, candidate: Candidate): Promise<Pair> => {
  const issue = await newIssue(parts, project, parts.ids.uuid(), candidate);
  const fingerprint = newFingerprint(parts, project, issue.id, candidate);
  return {
    fingerprint: fingerprint.fingerprint,
    issue,
    writes: [
      { kind: "put", item: plainItem(FINGERPRINT_LAYOUT, fingerprint), when: ABSENT },
      { kind: "put", item: plainItem(ISSUE_LAYOUT, issue) },
    ],
  };
};
