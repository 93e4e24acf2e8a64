import { ConditionFailed, type Table, type Write } from "../../ports/table.ts";
import { itemKey } from "../../table/entity.ts";
import { getMany, putting, removing, updating } from "../../table/store.ts";
import { transact, unchanged } from "../../table/transact.ts";
import { type Fingerprint, Fingerprints, IssueFingerprints, MovedFingerprints } from "../fingerprints.ts";
import { Issues, MergedIssues } from "../issues.ts";

/** The original issues of fingerprints, which they would have if nothing had been merged, where those are not the ones they have. */
export const readOriginalIssues = async (
  table: Table,
  project: number,
  fingerprints: readonly Fingerprint[],
): Promise<ReadonlyMap<string, string>> => {
  const keys = fingerprints.map(({ fingerprint }) => ({ project, fingerprint }));
  const moved = keys.length === 0 ? [] : await getMany(table, MovedFingerprints, keys, { consistent: true });
  return new Map(moved.flatMap(({ fingerprint, home }) => (home === undefined ? [] : [[fingerprint, home]])));
};

/** A fingerprint as it was read, its original issue, and the chain of issues from that to the one it has to have. */
export interface FingerprintMove {
  readonly fingerprint: Fingerprint;
  readonly original: string;
  /** The original issue first, and each time what it was merged into. */
  readonly chain: readonly string[];
}

/**
 * The writes that lead a fingerprint to another issue, for exceptions to come and for those that are stored. The first one, alone with a
 * condition, stands for all: nobody moved or hid the fingerprint, or saw it earlier, since it was read.
 */
export const movingFingerprint = (known: Fingerprint, to: string, original: string): readonly Write[] => {
  const { project, fingerprint, id, visibility, issue_id } = known;
  return [
    updating(
      Fingerprints,
      { project, fingerprint },
      { set: { issue_id: to, id, visibility }, add: { version: 1 } },
      // It may have been elsewhere and back, and come another way: that another version says.
      unchanged(known, "issue_id", "version", "visibility", "first_seen"),
    ),
    putting(MovedFingerprints, { project, fingerprint, issue_id: to, ...(original !== to && { home: original }) }),
    putting(IssueFingerprints, { project, issue_id: to, fingerprint }),
    removing(IssueFingerprints, { project, issue_id, fingerprint }),
  ];
};

/** Writes in one transaction at most. */
const WRITES = 100;

/** Links of a chain that a transaction checks to be as they were read: it has no room for more. */
const MOST_LINKS = 90;

/**
 * Moves fingerprints to the ends of their chains, as long as these are there and the chains are as they were read. False where somebody
 * was faster with one of them: then what is left is to be read again.
 */
export const moveFingerprints = async (table: Table, project: number, moves: readonly FingerprintMove[]): Promise<boolean> => {
  let isWhole = true;
  for (const [to, own] of Map.groupBy(moves, ({ chain, original }) => chain.at(-1) ?? original)) {
    for (const writes of transactions(project, to, own)) {
      try {
        await transact(table, writes);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        isWhole = false;
      }
    }
  }
  return isWhole;
};

function* transactions(project: number, to: string, moves: readonly FingerprintMove[]): Generator<readonly Write[]> {
  let links = new Map<string, Write>();
  let moving: Write[] = [];
  for (const { fingerprint, original, chain } of moves) {
    const held = chain.slice(0, -1).slice(0, MOST_LINKS);
    const added = new Map(held.map((id, at) => [id, checkingLink(project, id, chain[at + 1] ?? to)]));
    const writes = movingFingerprint(fingerprint, to, original);
    if (1 + new Set([...links.keys(), ...added.keys()]).size + moving.length + writes.length > WRITES) {
      yield [touching(project, to), ...links.values(), ...moving];
      [links, moving] = [new Map(), []];
    }
    for (const [id, link] of added) links.set(id, link);
    moving.push(...writes);
  }
  if (moving.length > 0) yield [touching(project, to), ...links.values(), ...moving];
}

/** That chains of issues are as they were read, each merged into the next one: the first `most` links of them. */
export const checkingChains = (project: number, chains: Iterable<readonly string[]>, most: number): readonly Write[] => {
  const links = new Map<string, Write>();
  for (const chain of chains) {
    for (const [at, into] of chain.slice(1).entries()) {
      const id = chain[at];
      if (id !== undefined && links.size < most) links.set(id, checkingLink(project, id, into));
    }
  }
  return [...links.values()];
};

const checkingLink = (project: number, id: string, into: string): Write => ({
  kind: "check",
  key: itemKey(MergedIssues, { project, id }),
  when: { kind: "equals", attribute: "merged_into", value: into },
});

/** Counts as a change of an issue that is there: whoever works out its `first_seen` meanwhile begins anew. */
const touching = (project: number, id: string): Write => updating(Issues, { project, id }, {});

/** That an issue is there, and was not merged into another. */
export const checkingLive = (project: number, id: string): Write => ({
  kind: "check",
  key: itemKey(Issues, { project, id }),
  when: { kind: "present" },
});
