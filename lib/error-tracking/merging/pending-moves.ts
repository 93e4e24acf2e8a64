import * as z from "zod";
import { MINUTE_MS } from "../../core/time.ts";
import type { Table, Write } from "../../ports/table.ts";
import { entity, itemKey } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import { list, putting, removing } from "../../table/store.ts";
import { transactWhatHolds } from "../../table/transact.ts";

/**
 * What is still to be moved because an issue was merged or taken out again. Written with that, and removed when all is moved, whoever
 * does it: until then forwarding leads where the fingerprints will be.
 */
export const PendingMoves = entity({
  name: "error_tracking_pending_move",
  version: 1,
  schema: z.object({
    project: z.int(),
    /** The issue that was merged, that was taken out, or that lost fingerprints. */
    id: z.guid(),
    why: z.enum(["merged", "restored", "split"]),
    /** The issue that it was merged into, or taken out of; itself where it was split. */
    other: z.guid(),
    /** Tells it from another one of the same issue, later. */
    act: z.guid(),
    /** When all should be moved, milliseconds: if it is not, a job is asked for. */
    due_at: z.int(),
  }),
  key: within("mergedIssues", "move#{id}#{why}"),
  patterns: { due: { index: "due", pk: "issue-moves", sk: "{project}#{due_at}#{id}#{why}" } },
});
export type PendingMove = z.output<typeof PendingMoves.schema>;

/** All of a project. There are as many as one call merges, and what was cut off before. */
export const readPendingMoves = (table: Table, project: number): Promise<readonly PendingMove[]> =>
  list(table, PendingMoves, "key", { project }, { consistent: true, bound: MOST_PENDING });

const MOST_PENDING = 100_000;

/** A request moves for a quarter of a minute, and hands what is left to a job. */
const DUE_MS = 2 * MINUTE_MS;

/** There is none for the same issue and reason: whoever merges or takes out ends what was left of the last time. */
export const addingMove = (move: Omit<PendingMove, "due_at">, now: number): Write =>
  putting(PendingMoves, { ...move, due_at: now + DUE_MS }, { kind: "absent" });

/** That an issue lost fingerprints, so that its `first_seen` is to be worked out again. One that is noted already is enough. */
export const addingSplit = ({ project, id, act }: Pick<PendingMove, "project" | "id" | "act">, now: number): Write =>
  putting(PendingMoves, { project, id, why: "split", other: id, act, due_at: now + DUE_MS });

/** Each may be gone, or be another one's by now. */
export const removeMoves = async (table: Table, moves: readonly PendingMove[]): Promise<void> => {
  const writes = moves.map(({ project, id, why, act }) =>
    removing(
      PendingMoves,
      { project, id, why },
      { kind: "any", of: [{ kind: "absent" }, { kind: "equals", attribute: "act", value: act }] },
    ),
  );
  await transactWhatHolds(table, writes);
};

/** That nothing is left to be moved of an issue since it was merged. */
export const checkingMoved = (project: number, id: string): Write => ({
  kind: "check",
  key: itemKey(PendingMoves, { project, id, why: "merged" }),
  when: { kind: "absent" },
});
