import { forEachConcurrent } from "../core/concurrency.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, type Table, type Write } from "../ports/table.ts";
import { getMany } from "../table/store.ts";
import { transact } from "../table/transact.ts";
import type { ExternalReference } from "./external-references.ts";
import { readIssueFingerprints } from "./issue-fingerprints.ts";
import { MergedIssues } from "./issues.ts";
import { readLiveIssue, readLiveIssues } from "./live-issues.ts";
import { readLines } from "./merging/branch.ts";
import { type FingerprintMove, moveFingerprints, readHomes } from "./merging/fingerprint-moves.ts";
import { refreshFirstSeen } from "./merging/first-seen.ts";
import { issueReferences, movingReferences } from "./merging/moved-references.ts";
import { issueSpikes, movingSpike } from "./merging/moved-spikes.ts";
import { type PendingMove, readPendingMoves, removingMove } from "./merging/pending-moves.ts";

type Parts = Pick<Ports, "table">;

/** Issues read side by side. */
const LANES = 16;

/** Issues whose moves are worked out together. */
const BATCH = 250;

/** Rounds in which nothing could be ended, because others merge what this moves to. */
const IDLE_ROUNDS = 20;

/**
 * Moves what merging and taking out have left to be moved in a project: fingerprints, spikes and what is tied to issues at providers.
 * True when nothing is left; false where `mayGoOn` said no before. Safe to be cut off, and to run beside itself.
 */
export const settleIssues = async (parts: Parts, project: number, mayGoOn: () => boolean): Promise<boolean> => {
  let idle = 0;
  for (;;) {
    const pending = await readPendingMoves(parts.table, project);
    if (pending.length === 0) return true;
    let ended = 0;
    for (let at = 0; at < pending.length; at += BATCH) {
      if (!mayGoOn()) return false;
      ended += await settleSome(parts.table, project, pending.slice(at, at + BATCH), mayGoOn);
    }
    idle = ended === 0 ? idle + 1 : 0;
    if (idle === IDLE_ROUNDS) return false;
  }
};

/** How many were ended. */
const settleSome = async (table: Table, project: number, pending: readonly PendingMove[], mayGoOn: () => boolean): Promise<number> => {
  const ways = await readWays(table, project, pending);
  let ended = 0;
  for (const [to, own] of Map.groupBy(ways, ({ to }) => to)) {
    if (!mayGoOn()) return ended;
    ended += await settleInto(table, project, to, own);
  }
  return ended;
};

/** A pending move with the issues that it leads from and to, as they are now. */
interface Way {
  readonly move: PendingMove;
  readonly from: string;
  readonly to: string;
}

const readWays = async (table: Table, project: number, pending: readonly PendingMove[]): Promise<readonly Way[]> => {
  const live = await readLiveIssues(
    table,
    project,
    pending.flatMap(({ id, other }) => [id, other]),
  );
  return pending.flatMap((move) => {
    const [to, other] = [live.get(move.id)?.id, live.get(move.other)?.id];
    if (to === undefined) return [];
    return { move, to, from: move.why === "merged" ? move.id : (other ?? to) };
  });
};

/** What one way leads to its issue, with the home that each keeps in mind. */
interface Moves {
  readonly fingerprints: readonly Omit<FingerprintMove, "to">[];
  readonly spikes: readonly Write[];
  readonly references: readonly ExternalReference[];
}

const settleInto = async (table: Table, project: number, to: string, ways: readonly Way[]): Promise<number> => {
  const found: Moves[] = [];
  await forEachConcurrent(ways, LANES, async (way) => {
    if (way.from !== to) found.push(await readMoves(table, project, way));
  });
  const fingerprints = found.flatMap((each) => each.fingerprints);
  if (!(await moveFingerprints(table, project, to, fingerprints))) return 0;
  await writeWhatIsThere(
    table,
    found.flatMap(({ spikes }) => spikes),
  );
  for (const { references } of found) await moveReferences(table, references, to);
  for (const id of new Set([to, ...ways.flatMap(({ move, from }) => (move.why === "merged" ? [] : from))])) {
    await refreshFirstSeen(table, project, id);
  }
  await writeWhatIsThere(
    table,
    ways.map(({ move }) => removingMove(move)),
  );
  return ways.length;
};

/** Of a merged issue everything that it has; of one that was taken out what came by it. */
const readMoves = async (table: Table, project: number, { move, from, to }: Way): Promise<Moves> => {
  const isMerged = move.why === "merged";
  const [merged] = isMerged ? await getMany(table, MergedIssues, [{ project, id: from }], { consistent: true }) : [];
  const origin = isMerged ? merged?.origin : (await readLiveIssue(table, project, from))?.origin;
  const [fingerprints, spikes, references] = await Promise.all([
    readIssueFingerprints(table, { project, id: from, origin }),
    issueSpikes(table, project, from),
    issueReferences(table, project, from),
  ]);
  const homes = await readHomes(table, project, fingerprints);
  const known = [...homes.values(), ...[...spikes, ...references].flatMap(({ home }) => home ?? [])];
  const lines = await readLines(table, project, isMerged ? [] : known);
  const comes = (home: string | undefined): boolean => isMerged || (home !== undefined && lines.get(home)?.includes(move.id) === true);
  return {
    fingerprints: fingerprints.flatMap((fingerprint) => {
      const home = homes.get(fingerprint.fingerprint);
      return comes(home) ? { fingerprint, home: homeAfter(home ?? from, to) } : [];
    }),
    spikes: spikes.flatMap((spike) => (comes(spike.home) ? movingSpike(spike, to, homeAfter(spike.home ?? from, to)) : [])),
    references: references.filter(({ home }) => comes(home)),
  };
};

/** A home need not be kept in mind by what is there. */
const homeAfter = (home: string, to: string): string | undefined => (home === to ? undefined : home);

/** Tries of references whose markers others take at the same time. */
const TRIES = 3;

const moveReferences = async (table: Table, references: readonly ExternalReference[], to: string): Promise<void> => {
  for (let attempt = 1; references.length > 0; attempt += 1) {
    try {
      const writes = await movingReferences(table, references, to, ({ home, issue_id }) => homeAfter(home ?? issue_id, to));
      for (const some of batches(writes, WRITES)) await transact(table, some);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === TRIES) throw error;
    }
  }
};

/** Writes in one transaction at most. */
const WRITES = 100;

/** Leaves out what is no longer there. */
const writeWhatIsThere = async (table: Table, writes: readonly Write[]): Promise<void> => {
  for (const some of batches(writes, WRITES)) {
    let left = some;
    while (left.length > 0) {
      try {
        await transact(table, left);
        break;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        left = left.filter((_, index) => !error.failed.includes(index));
      }
    }
  }
};

function* batches<T>(all: readonly T[], most: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += most) yield all.slice(at, at + most);
}
