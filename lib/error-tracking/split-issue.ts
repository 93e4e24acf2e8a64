import { isoMicros } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, Conflict, type Write } from "../ports/table.ts";
import { counting } from "../table/paging.ts";
import { counterKey } from "../table/partitions.ts";
import { putting } from "../table/store.ts";
import { transact } from "../table/transact.ts";
import { activityWrite } from "./activity.ts";
import type { ExternalReference } from "./external-references.ts";
import type { Fingerprint } from "./fingerprints.ts";
import { readFingerprints } from "./issue-fingerprints.ts";
import { type Issue, Issues } from "./issues.ts";
import { checkingLive, movingFingerprint, readHomes } from "./merging/fingerprint-moves.ts";
import { issueReferences, movingReferences } from "./merging/moved-references.ts";
import { issueSpikes, removingSpike } from "./merging/moved-spikes.ts";
import { addingSplit } from "./merging/pending-moves.ts";
import { settleOrHandOver } from "./merging/settle-or-hand-over.ts";
import { settleIssues } from "./settle-issues.ts";

type Parts = Pick<Ports, "table" | "clock" | "ids" | "queues" | "log">;

/** A fingerprint that is to have an issue of its own. */
export interface Part {
  readonly fingerprint: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
}

const UNTITLED = "Untitled issue";

/** No fingerprint is longer. */
const MOST_CHARACTERS = 200;

/** As much of a request's time as ending earlier merges may take, milliseconds. */
const MOST_MS = 8_000;

/** Fingerprints split off in one transaction: each is moved, and has an issue made for it. */
const AT_ONCE = 16;

/** Rounds in a row in which others were faster. */
const TRIES = 20;

/**
 * Gives each of an issue's fingerprints that is named an issue of its own, and returns their ids; those of other issues are passed over, so
 * that asking again makes nothing new. With the first fingerprint of an issue that was merged goes what that one was tied to at
 * providers. The issue's spikes are forgotten.
 */
export const splitIssue = async (parts: Parts, issue: Issue, asked: readonly Part[], by: number | null): Promise<readonly string[]> => {
  const { table, clock } = parts;
  const { project, id } = issue;
  const named = new Map(asked.flatMap((part) => (part.fingerprint.length <= MOST_CHARACTERS ? [[part.fingerprint, part]] : [])));
  const until = clock.now() + MOST_MS;
  // A fingerprint of an issue that was merged into this one is this one's only when it was moved.
  if (named.size > 0) await settleIssues(parts, project, () => clock.now() < until);
  const made: string[] = [];
  const references = Map.groupBy(named.size === 0 ? [] : await issueReferences(table, project, id), ({ home }) => home);
  references.delete(undefined);
  for (let failures = 0; ; ) {
    const own = (await readFingerprints(table, project, named.keys())).filter(({ issue_id }) => issue_id === id).slice(0, AT_ONCE);
    if (own.length === 0) break;
    const homes = await readHomes(table, project, own);
    const pairs = own.map((fingerprint) => ({ fingerprint, issue: newIssue(parts, fingerprint, named.get(fingerprint.fingerprint)) }));
    try {
      await transact(table, [
        checkingLive(project, id),
        ...pairs.flatMap(splitting),
        addingSplit(project, id, parts.ids.uuid()),
        activityWrite(parts, { project, issue_id: id, user: by, activity: "split", detail: { ids: pairs.map((pair) => pair.issue.id) } }),
        counting(counterKey("issueCount", project), own.length),
      ]);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!(error instanceof ConditionFailed || error instanceof Conflict) || failures === TRIES) throw error;
      if (error instanceof ConditionFailed && error.failed.includes(0)) break;
      continue;
    }
    made.push(...pairs.map((pair) => pair.issue.id));
    for (const pair of pairs) {
      const home = homes.get(pair.fingerprint.fingerprint);
      await moveReferences(parts, references.get(home) ?? [], pair.issue.id);
      references.delete(home);
    }
  }
  if (made.length === 0) return [];
  const spikes = (await issueSpikes(table, project, id)).map(removingSpike);
  for (let at = 0; at < spikes.length; at += WRITES) await transact(table, spikes.slice(at, at + WRITES));
  await settleOrHandOver(parts, project);
  return made;
};

/** Writes in one transaction at most. */
const WRITES = 100;

const moveReferences = async ({ table }: Pick<Parts, "table">, references: readonly ExternalReference[], to: string): Promise<void> => {
  const writes = await movingReferences(table, references, to, () => undefined);
  for (let at = 0; at < writes.length; at += WRITES) await transact(table, writes.slice(at, at + WRITES));
};

interface Pair {
  readonly fingerprint: Fingerprint;
  readonly issue: Issue;
}

const splitting = ({ fingerprint, issue }: Pair): readonly Write[] => [
  ...movingFingerprint({ fingerprint, to: issue.id, home: undefined }),
  putting(Issues, issue),
];

const newIssue = ({ ids, clock }: Parts, { project, fingerprint, first_seen, created_at }: Fingerprint, part: Part | undefined): Issue => ({
  project,
  id: ids.uuid(),
  status: "active",
  severity: null,
  name: part?.name ?? UNTITLED,
  description: part?.description ?? null,
  first_seen: first_seen ?? created_at,
  assignee: null,
  created_at: isoMicros(clock.now()),
  origin: fingerprint,
});
