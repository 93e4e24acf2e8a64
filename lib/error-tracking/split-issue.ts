import { isoMicros } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, Conflict, type Table, type Write } from "../ports/table.ts";
import { counting } from "../table/paging.ts";
import { counterKey } from "../table/partitions.ts";
import { putting } from "../table/store.ts";
import { transact, transactInSequence } from "../table/transact.ts";
import { activityWrite } from "./activity.ts";
import type { Fingerprint } from "./fingerprints.ts";
import { readFingerprints } from "./issue-fingerprints.ts";
import { type Issue, Issues } from "./issues.ts";
import { checkingChains, checkingLive, movingFingerprint, readOriginalIssues } from "./merging/fingerprint-moves.ts";
import { readMergeChains } from "./merging/merge-chains.ts";
import { issueReferences, moveReferencesTo } from "./merging/moved-references.ts";
import { issueSpikes, removingSpike } from "./merging/moved-spikes.ts";
import { addingSplit } from "./merging/pending-moves.ts";
import { settleOrHandOver } from "./merging/settle-or-hand-over.ts";

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

/** Fingerprints split off in one transaction: each is moved, and has an issue made for it. */
const AT_ONCE = 10;

/** Fingerprints that are looked at together: each time that some are split off, the others are read again. */
const LOOKED_AT = 100;

/** Links of chains that a transaction checks to be as they were read: it has no room for more. */
const MOST_LINKS = 40;

/** Rounds in a row in which others were faster. */
const TRIES = 20;

/**
 * Gives each of an issue's fingerprints that is named an issue of its own, and returns their ids; those of other issues are passed over, so
 * that asking again, or naming one twice, makes nothing new. With the first fingerprint of an issue that was merged goes what that one was tied to at
 * providers. The issue's spikes are forgotten.
 */
export const splitIssue = async (parts: Parts, issue: Issue, asked: readonly Part[], by: number | null): Promise<readonly string[]> => {
  const named = new Map<string, Part>();
  for (const part of asked)
    if (part.fingerprint.length <= MOST_CHARACTERS && !named.has(part.fingerprint)) named.set(part.fingerprint, part);
  const parted = [...named];
  const made: string[] = [];
  const from = new Set<string>();
  for (let at = 0; at < parted.length; at += LOOKED_AT) {
    for (const pair of await splitSome(parts, issue, new Map(parted.slice(at, at + LOOKED_AT)), by)) {
      made.push(pair.issue.id);
      from.add(pair.from);
    }
  }
  if (made.length === 0) return [];
  for (const id of from) await forgetSpikes(parts.table, issue.project, id);
  await settleOrHandOver(parts, issue.project);
  return made;
};

/** Splits off those of the fingerprints that are the issue's, some after the others: each pair with the issue that it was split from. */
const splitSome = async (
  parts: Parts,
  issue: Issue,
  named: ReadonlyMap<string, Part>,
  by: number | null,
): Promise<readonly (Pair & { readonly from: string })[]> => {
  const { table } = parts;
  const { project } = issue;
  const left = new Map(named);
  const made: (Pair & { readonly from: string })[] = [];
  for (let failures = 0; left.size > 0 && failures < TRIES; failures += 1) {
    const own = await readOwn(table, issue, [...left.keys()]);
    if (own === undefined) break;
    try {
      const pairs = own.fingerprints.map((fingerprint) => ({
        fingerprint,
        issue: newIssue(parts, fingerprint, left.get(fingerprint.fingerprint)),
      }));
      await transact(table, splitting(parts, project, own, pairs, by));
      failures = -1;
      made.push(...pairs.map((pair) => ({ ...pair, from: own.id })));
      for (const { fingerprint } of own.fingerprints) left.delete(fingerprint);
      await moveReferencesToSplit(table, { project, id: own.id }, pairs, own.originals);
    } catch (error) {
      if (!(error instanceof ConditionFailed || error instanceof Conflict) || failures === TRIES - 1) throw error;
    }
  }
  return made;
};

/** What an issue that may have been merged meanwhile has of some fingerprints. */
interface Own {
  /** The issue that the one asked for leads to. */
  readonly id: string;
  readonly originals: ReadonlyMap<string, string>;
  /** From the issue that was asked for, and from the original issues, to this one, each merged into the next. */
  readonly chains: readonly (readonly string[])[];
  /** Those that are still to be moved to it among them. */
  readonly fingerprints: readonly Fingerprint[];
}

/**
 * Undefined where none of them leads to the issue. What is read one after the other may be merged in between: that none does is
 * believed when it is seen twice.
 */
const readOwn = async (table: Table, { project, id }: Issue, names: readonly string[]): Promise<Own | undefined> => {
  for (let before: string | undefined; ; ) {
    const known = await readFingerprints(table, project, names);
    const originals = await readOriginalIssues(table, project, known);
    const originalOf = ({ fingerprint, issue_id }: Fingerprint): string => originals.get(fingerprint) ?? issue_id;
    const chains = await readMergeChains(table, project, [id, ...known.map(originalOf)]);
    const root = chains.get(id)?.at(-1) ?? id;
    const own = known.filter((each) => chains.get(originalOf(each))?.at(-1) === root);
    const placed = own.slice(0, AT_ONCE);
    const placedChains = [id, ...placed.map(originalOf)].flatMap((each) => [chains.get(each) ?? []]);
    if (own.length > 0) return { id: root, fingerprints: placed, originals, chains: placedChains };
    const now = JSON.stringify([root, known.map(({ issue_id }) => issue_id), [...chains.values()].map((chain) => chain.at(-1))]);
    if (now === before) return undefined;
    before = now;
  }
};

interface Pair {
  readonly fingerprint: Fingerprint;
  readonly issue: Issue;
}

const splitting = (parts: Parts, project: number, { id, chains }: Own, pairs: readonly Pair[], by: number | null): readonly Write[] => [
  checkingLive(project, id),
  ...checkingChains(project, chains, MOST_LINKS),
  ...pairs.flatMap(({ fingerprint, issue }) => [...movingFingerprint(fingerprint, issue.id, issue.id), putting(Issues, issue)]),
  addingSplit({ project, id, act: parts.ids.uuid() }, parts.clock.now()),
  activityWrite(parts, { project, issue_id: id, user: by, activity: "split", detail: { ids: pairs.map((pair) => pair.issue.id) } }),
  counting(counterKey("issueCount", project), pairs.length),
];

/** Gives the first fingerprint of each issue that was merged what that one was tied to at providers. */
const moveReferencesToSplit = async (
  table: Table,
  { project, id }: Pick<Issue, "project" | "id">,
  pairs: readonly Pair[],
  originals: ReadonlyMap<string, string>,
): Promise<void> => {
  if (originals.size === 0) return;
  const references = Map.groupBy(await issueReferences(table, project, id), ({ home }) => home);
  for (const { fingerprint, issue } of pairs) {
    const original = originals.get(fingerprint.fingerprint);
    if (original === undefined) continue;
    await moveReferencesTo(table, references.get(original) ?? [], issue.id, () => undefined);
    references.delete(original);
  }
};

const forgetSpikes = async (table: Table, project: number, id: string): Promise<void> => {
  await transactInSequence(table, (await issueSpikes(table, project, id)).map(removingSpike));
};

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
