import { forEachConcurrent, openLine } from "../../core/concurrency.ts";
import { isoMicros } from "../../core/time.ts";
import { type Condition, ConditionFailed } from "../../ports/table.ts";
import { plainKey } from "../../table/entity.ts";
import { transact } from "../../table/transact.ts";
import { activityWrite } from "../activity.ts";
import type { Issue } from "../issues.ts";
import { type LiveIssue, readLiveIssue } from "../live-issues.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { ISSUE_LAYOUT } from "../stored/layouts.ts";
import type { Candidate } from "./candidates.ts";
import { adoptFingerprints, createIssues, restoreIssue } from "./create.ts";
import { type Owner, type Owners, readOwners } from "./owners.ts";
import { seeEarlier } from "./see-earlier.ts";

/** The issues of fingerprints. */
export interface Linked {
  readonly links: ReadonlyMap<string, Issue>;
  /** Fingerprints for which the day has no more issues. */
  readonly over: ReadonlySet<string>;
}

type Candidates = ReadonlyMap<string, Candidate>;

/** Rounds in which others may make, merge or move what this one looks for. */
const ROUNDS = 10;

/** Finds the issue of each candidate's fingerprint, from `known` on; makes those that are missing, and reopens those that were closed. */
export const link = async (
  parts: TrackingParts,
  project: number,
  known: Owners,
  candidates: Candidates,
  { isBounded }: { readonly isBounded: boolean },
): Promise<Linked> => {
  const found = new Map<string, Owner>();
  const over = new Set<string>();
  let owners = known;
  for (let round = 1; ; round += 1) {
    for (const fingerprint of candidates.keys()) {
      const owner = owners.found.get(fingerprint);
      if (owner !== undefined && !found.has(fingerprint)) found.set(fingerprint, owner);
    }
    const missing = [...candidates].filter(([fingerprint]) => !found.has(fingerprint) && !over.has(fingerprint));
    if (missing.length === 0) break;
    if (round > ROUNDS) throw new Error("issues are changed faster than they can be found");
    const fresh = await placeKnown(parts, project, owners, missing);
    const created = await createIssues(parts, project, fresh, isBounded);
    for (const [fingerprint, issue] of created.made) found.set(fingerprint, { issue, firstSeen: issue.first_seen, version: 0 });
    for (const fingerprint of created.over) over.add(fingerprint);
    const rest = [...candidates.keys()].filter((fingerprint) => !found.has(fingerprint) && !over.has(fingerprint));
    if (rest.length === 0) break;
    owners = await readOwners(parts, project, rest);
  }
  await seeAllEarlier(parts, project, found, candidates);
  return { links: await reopen(parts, found, candidates), over };
};

/**
 * Restores the issues that were lost, and ties to their issues the fingerprints that had one under the version of grouping before. Gives the
 * candidates that are new.
 */
const placeKnown = async (
  parts: TrackingParts,
  project: number,
  owners: Owners,
  missing: readonly (readonly [fingerprint: string, candidate: Candidate])[],
): Promise<readonly Candidate[]> => {
  const elders = await readOwners(
    parts,
    project,
    missing.flatMap(([, { fingerprint }]) => fingerprint.older ?? []),
  );
  const fresh: Candidate[] = [];
  const adopted = new Map<string, { readonly elder: LiveIssue; readonly own: Candidate[] }>();
  for (const [fingerprint, candidate] of missing) {
    const lost = owners.lost.get(fingerprint);
    const elder = elders.found.get(candidate.fingerprint.older ?? "");
    if (lost !== undefined) await restoreIssue(parts, project, lost, candidate);
    else if (elder === undefined) fresh.push(candidate);
    else {
      const { id } = elder.issue;
      const beside = adopted.get(id) ?? { elder: elder.issue, own: [] };
      beside.own.push(candidate);
      adopted.set(id, beside);
    }
  }
  // Those of one issue together: each writes it, so they would be in one another's way.
  await forEachConcurrent(adopted.values(), LANES, ({ elder, own }) => adoptFingerprints(parts, elder, own));
  return fresh;
};

/** Issues that are written side by side: a project's next exceptions may be of all of its issues, and what was ingested with them waits. */
const LANES = 16;

const seeAllEarlier = async (
  parts: TrackingParts,
  project: number,
  found: ReadonlyMap<string, Owner>,
  candidates: Candidates,
): Promise<void> => {
  const byIssue = Map.groupBy(found, ([, { issue }]) => issue.id);
  await forEachConcurrent(byIssue.values(), LANES, async (own) => {
    // Each writes the issue, so they would be in one another's way.
    for (const [fingerprint, owner] of own) {
      const candidate = candidates.get(fingerprint);
      if (candidate !== undefined) await seeEarlier(parts, project, candidate, owner);
    }
  });
};

/**
 * Makes active what has new events and is neither active nor suppressed; who is assigned stays, and nobody becomes whom rules name. What an
 * import brings is new only if it is later than the resolution.
 */
const reopen = async (parts: TrackingParts, found: ReadonlyMap<string, Owner>, candidates: Candidates): Promise<Linked["links"]> => {
  const news = new Map<string, { readonly issue: LiveIssue; readonly candidate: Candidate }>();
  for (const [fingerprint, { issue }] of found) {
    const candidate = candidates.get(fingerprint);
    if (candidate === undefined || news.has(issue.id) || isOpen(issue) || !isNews(issue, candidate)) continue;
    news.set(issue.id, { issue, candidate });
  }
  const changed = new Map<string, Issue>();
  // What rules may take is counted for the whole drain, so they are asked about one issue after the other.
  const inLine = openLine();
  await forEachConcurrent(news.values(), LANES, async ({ issue, candidate }) => {
    const assignment: Assignment = (active) => inLine(() => candidate.decisions.assignment(active));
    changed.set(issue.id, await reopenOne(parts, issue, candidate, assignment));
  });
  return new Map([...found].map(([fingerprint, { issue }]) => [fingerprint, changed.get(issue.id) ?? issue]));
};

const isOpen = ({ status }: Issue): boolean => status === "active" || status === "suppressed";

/** An issue that an earlier release resolved does not say when: no import is known to be later. */
const isNews = ({ resolved_at }: Issue, { isLive, lastImported }: Candidate): boolean =>
  isLive || (lastImported !== null && resolved_at !== undefined && lastImported > resolved_at);

type Assignment = Candidate["decisions"]["assignment"];

const reopenOne = async (parts: TrackingParts, closed: LiveIssue, candidate: Candidate, assignment: Assignment): Promise<Issue> => {
  let issue = closed;
  for (let round = 1; !isOpen(issue) && isNews(issue, candidate); round += 1) {
    if (round > ROUNDS) throw new Error("an issue is changed faster than it can be reopened");
    const { project, id, status, resolved_at, assignee } = issue;
    const named = assignee === null ? (await assignment({ ...issue, status: "active" })).assignee : undefined;
    const set = {
      status: "active" as const,
      ...(candidate.isLive && { reopened_at: isoMicros(parts.clock.now()) }),
      ...(named && { assignee: named }),
    };
    const unchanged: Condition = {
      kind: "all",
      of: [
        { kind: "equals", attribute: "status", value: status },
        // Resolved again it may be resolved later than what came.
        resolved_at === undefined
          ? { kind: "lacks", attribute: "resolved_at" }
          : { kind: "equals", attribute: "resolved_at", value: resolved_at },
      ],
    };
    const note = { project, issue_id: id, user: null };
    try {
      await transact(parts.table, [
        { kind: "update", key: plainKey(ISSUE_LAYOUT, issue), change: { set, add: { rev: 1 } }, when: unchanged },
        activityWrite(parts, { ...note, activity: "reopened", detail: { from: status } }),
        ...(named ? [activityWrite(parts, { ...note, activity: "assigned", detail: { from: null, to: named } })] : []),
      ]);
      return { ...issue, ...set };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    // Somebody else reopened, suppressed or merged it in between.
    issue = (await readLiveIssue(parts.table, issue.project, issue.id)) ?? issue;
  }
  return issue;
};
