import { ConditionFailed, type Table, type Write } from "../../ports/table.ts";
import { itemKey } from "../../table/entity.ts";
import { getMany, putting, removing, updating } from "../../table/store.ts";
import { transact } from "../../table/transact.ts";
import { type Fingerprint, Fingerprints, IssueFingerprints, MovedFingerprints } from "../fingerprints.ts";
import { Issues } from "../issues.ts";

/** The issues that fingerprints would have if nothing had been merged, where those are not the ones they have. */
export const readHomes = async (
  table: Table,
  project: number,
  fingerprints: readonly Fingerprint[],
): Promise<ReadonlyMap<string, string>> => {
  const keys = fingerprints.map(({ fingerprint }) => ({ project, fingerprint }));
  const moved = keys.length === 0 ? [] : await getMany(table, MovedFingerprints, keys, { consistent: true });
  return new Map(moved.flatMap(({ fingerprint, home }) => (home === undefined ? [] : [[fingerprint, home]])));
};

/** A fingerprint as it was read, and where it is to lead. */
export interface FingerprintMove {
  readonly fingerprint: Fingerprint;
  readonly to: string;
  readonly home: string | undefined;
}

/**
 * The writes that lead a fingerprint to another issue, for exceptions to come and for those that are stored. The first one, alone with a
 * condition, stands for all: nobody moved or hid the fingerprint, or saw it earlier, since it was read.
 */
export const movingFingerprint = ({ fingerprint: known, to, home }: FingerprintMove): readonly Write[] => {
  const { project, fingerprint, id, visibility, issue_id, first_seen, version } = known;
  return [
    updating(
      Fingerprints,
      { project, fingerprint },
      { set: { issue_id: to, id, visibility }, add: { version: 1 } },
      {
        kind: "all",
        of: [
          { kind: "equals", attribute: "issue_id", value: issue_id },
          // It may have been elsewhere and back, and come another way.
          { kind: "equals", attribute: "version", value: version },
          { kind: "equals", attribute: "visibility", value: visibility },
          { kind: "equals", attribute: "first_seen", value: first_seen },
        ],
      },
    ),
    putting(MovedFingerprints, { project, fingerprint, issue_id: to, ...(home !== undefined && { home }) }),
    putting(IssueFingerprints, { project, issue_id: to, fingerprint }),
    removing(IssueFingerprints, { project, issue_id, fingerprint }),
  ];
};

const WRITES_OF_ONE = 4;

/** Fingerprints moved in one transaction, beside the look at their new issue. */
const AT_ONCE = 24;

/**
 * Moves fingerprints to one issue while it is there. False where the issue is gone, or somebody else changed one of them since it was read: then
 * what is left is to be read again.
 */
export const moveFingerprints = async (
  table: Table,
  project: number,
  to: string,
  moves: readonly Omit<FingerprintMove, "to">[],
): Promise<boolean> => {
  let isWhole = true;
  for (let at = 0; at < moves.length; at += AT_ONCE) {
    let left = moves.slice(at, at + AT_ONCE);
    while (left.length > 0) {
      try {
        await transact(table, [touching(project, to), ...left.flatMap((move) => movingFingerprint({ ...move, to }))]);
        break;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        if (error.failed.includes(0)) return false;
        const taken = new Set(error.failed.map((position) => Math.floor((position - 1) / WRITES_OF_ONE)));
        left = left.filter((_, index) => !taken.has(index));
        isWhole = false;
      }
    }
  }
  return isWhole;
};

/** Counts as a change of an issue that is there: whoever works out its `first_seen` meanwhile begins anew. */
const touching = (project: number, id: string): Write => updating(Issues, { project, id }, {});

/** That an issue is there, and was not merged into another. */
export const checkingLive = (project: number, id: string): Write => ({
  kind: "check",
  key: itemKey(Issues, { project, id }),
  when: { kind: "present" },
});
