import { earlier } from "../../core/time.ts";
import { ConditionFailed } from "../../ports/table.ts";
import { plainKey } from "../../table/entity.ts";
import { transact } from "../../table/transact.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { FINGERPRINT_LAYOUT, ISSUE_LAYOUT } from "../stored/layouts.ts";
import type { Candidate } from "./candidates.ts";
import { type Owner, readOwners } from "./owners.ts";

/** Rounds in which others may change the issue. */
const ROUNDS = 20;

/**
 * Sets back the `first_seen` of a fingerprint to that of an exception, where that is earlier, as long as it is the issue's that it was when
 * it was read: as `known`, or since. The issue is written with it in any case, so that whoever works out the issue's own `first_seen`
 * meanwhile begins anew.
 */
export const seeEarlier = async (
  { table }: TrackingParts,
  project: number,
  { fingerprint, firstSeen }: Candidate,
  known: Owner,
): Promise<void> => {
  for (let round = 1; ; round += 1) {
    const owner = round === 1 ? known : (await readOwners({ table }, project, [fingerprint.value])).found.get(fingerprint.value);
    if (owner === undefined || (owner.firstSeen !== null && owner.firstSeen <= firstSeen)) return;
    const { issue } = owner;
    const first_seen = earlier(issue.first_seen, firstSeen);
    try {
      return await transact(table, [
        {
          kind: "update",
          key: plainKey(FINGERPRINT_LAYOUT, { project, fingerprint: fingerprint.value }),
          change: { set: { first_seen: firstSeen }, add: { rev: 1 } },
          when: {
            kind: "all",
            of: [
              { kind: "equals", attribute: "first_seen", value: owner.firstSeen },
              { kind: "equals", attribute: "version", value: owner.version },
            ],
          },
        },
        {
          kind: "update",
          key: plainKey(ISSUE_LAYOUT, issue),
          change: { set: { first_seen }, add: { rev: 1 } },
          when: { kind: "equals", attribute: "rev", value: issue.rev },
        },
      ]);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || round === ROUNDS) throw error;
    }
  }
};
