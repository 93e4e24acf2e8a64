import * as z from "zod";
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
  }),
  key: within("mergedIssues", "move#{id}#{why}"),
  patterns: {},
});
export type PendingMove = z.output<typeof PendingMoves.schema>;

/** All of a project. There are as many as one call merges, and what was cut off before. */
export const readPendingMoves = (table: Table, project: number): Promise<readonly PendingMove[]> =>
  list(table, PendingMoves, "key", { project }, { consistent: true, bound: MOST_PENDING });

const MOST_PENDING = 100_000;

/** There is none for the same issue and reason: whoever merges or takes out ends what was left of the last time. */
export const addingMove = (move: PendingMove): Write => putting(PendingMoves, move, { kind: "absent" });

/** That an issue lost fingerprints, so that its `first_seen` is to be worked out again. One that is noted already is enough. */
export const addingSplit = (project: number, id: string, act: string): Write =>
  putting(PendingMoves, { project, id, why: "split", other: id, act });

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
