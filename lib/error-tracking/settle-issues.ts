import { forEachConcurrent } from "../core/concurrency.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import { readLiveIssues } from "./live-issues.ts";
import { type FingerprintMove, moveFingerprints } from "./merging/fingerprint-moves.ts";
import { refreshFirstSeen } from "./merging/first-seen.ts";
import { readMergeChains } from "./merging/merge-chains.ts";
import { type PendingMove, readPendingMoves, removeMoves } from "./merging/pending-moves.ts";
import { moveReferences, moveSpikes, type RelatedRecords, readRelatedRecords } from "./merging/related-records.ts";

type Parts = Pick<Ports, "table">;

/** Issues read, and written, side by side. */
const LANES = 16;

/** Pending moves that are worked out together. */
const BATCH = 250;

/** Rounds in a row in which nothing could be ended, because others merge and take out what this moves. */
const IDLE_ROUNDS = 20;

/**
 * Moves what merging, taking out and splitting have left to be moved in a project: each fingerprint, spike and reference to where its
 * original issue leads. True when nothing is left; false where `mayGoOn` said no before. With `merged` only what these issues have. Safe to
 * be cut off, and to run beside itself.
 */
export const settleIssues = async (
  { table }: Parts,
  project: number,
  mayGoOn: () => boolean,
  merged?: ReadonlySet<string>,
): Promise<boolean> => {
  let idle = 0;
  while (idle < IDLE_ROUNDS) {
    const all = await readPendingMoves(table, project);
    const isOwn = ({ id, other }: PendingMove): boolean => merged === undefined || merged.has(id) || merged.has(other);
    const pending = all.filter((move) => isOwn(move) && (merged === undefined || move.why === "merged"));
    // What is just coming to an issue may not be found there yet.
    const awaited = new Set(all.flatMap(({ why, other }) => (why === "merged" ? other : [])));
    if (pending.length === 0) return true;
    idle += 1;
    for (let at = 0; at < pending.length; at += BATCH) {
      if (!mayGoOn()) return false;
      if (await settleSome(table, project, pending.slice(at, at + BATCH), awaited)) idle = 0;
    }
  }
  return false;
};

/** False where somebody was faster, or something is awaited of each: then it is to be worked out again. */
const settleSome = async (
  table: Table,
  project: number,
  pending: readonly PendingMove[],
  awaited: ReadonlySet<string>,
): Promise<boolean> => {
  const ids = pending.flatMap(({ id, other }) => [id, other]);
  const live = await readLiveIssues(table, project, ids);
  const placed = pending.flatMap((move) => {
    const place = move.why === "merged" ? move.id : live.get(move.other)?.id;
    return place === undefined ? [] : { move, place };
  });
  const found: RelatedRecords[] = [];
  await forEachConcurrent(new Set(placed.map(({ place }) => place)), LANES, async (place) => {
    found.push(await readRelatedRecords(table, project, place));
  });
  const chains = await readMergeChains(
    table,
    project,
    found.flatMap(({ originals }) => [...originals]),
  );
  const chainOf = (original: string): readonly string[] => chains.get(original) ?? [original];
  const rootOf = (original: string): string => chainOf(original).at(-1) ?? original;

  const moves = found.flatMap(({ fingerprints }) =>
    fingerprints.flatMap(({ fingerprint, original }): FingerprintMove | readonly [] =>
      rootOf(original) === fingerprint.issue_id ? [] : { fingerprint, original, chain: chainOf(original) },
    ),
  );
  // One that was moved while all of them were read was found in both places.
  const distinct = new Map(moves.map((move) => [move.fingerprint.fingerprint, move]));
  if (!(await moveFingerprints(table, project, [...distinct.values()]))) return false;
  for (const { spikes, references } of found) {
    await moveSpikes(table, spikes, rootOf);
    await moveReferences(table, references, rootOf);
  }
  // Whoever was merged gave its time to what it was merged into, also what is now led elsewhere.
  const changed = new Set([...moves.map(({ original }) => rootOf(original)), ...[...live.values()].map(({ id }) => id)]);
  await forEachConcurrent(changed, LANES, (id) => refreshFirstSeen(table, project, id));
  const ended = placed.map(({ move }) => move).filter(({ id, why }) => why !== "merged" || !awaited.has(id));
  await removeMoves(table, ended);
  return ended.length > 0;
};
