import fc from "fast-check";
import { expect, it } from "vitest";
import { systemIds } from "../../../lib/app/system.ts";
import { type ArrivalMark, arrivalMark, arrivedSince, LATE_COMMIT_MS, MARK_GOOD_MS } from "../../../lib/lake/arrivals.ts";
import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { CATALOGUE_FORMAT, type Commit } from "../../../lib/lake/catalogue.ts";
import { lakePk } from "../../../lib/lake/paths.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { memoryTable } from "../../simulation/ports/table.ts";

const PROJECT = 1;

/** Time goes on, a commit gets its id and shows after a while, commits that have to go are deleted, or a reader looks. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("commit" as const),
        showsAfter: fc.constantFrom(0, 1, LATE_COMMIT_MS / 2, LATE_COMMIT_MS - 1),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.nat({ max: MARK_GOOD_MS / 2 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.nat({ max: LATE_COMMIT_MS / 3 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("look" as const) }) },
  ),
  { maxLength: 80 },
);

it("a reader that goes by its marks sees each commit once, however late it shows after it was numbered", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const table = memoryTable();
      let now = Date.UTC(2026, 10, 20, 12);
      const ids = systemIds({ now: () => now });
      const pending: { readonly commit: Commit; readonly shows: number }[] = [];
      const stored: { readonly commit: Commit; readonly shown: number }[] = [];
      const seen: string[] = [];
      let mark: ArrivalMark = arrivalMark([], now);

      const show = async (): Promise<void> => {
        for (const one of pending.filter(({ shows }) => shows <= now)) {
          pending.splice(pending.indexOf(one), 1);
          stored.push({ commit: one.commit, shown: now });
          await table.put(commitItem(PROJECT, one.commit));
        }
      };
      const look = async (): Promise<void> => {
        const { commits, mark: next } = await arrivedSince(table, PROJECT, mark, now);
        seen.push(...commits.map(({ id }) => id));
        mark = next;
      };
      for (const step of all) {
        switch (step.kind) {
          case "commit": {
            const commit: Commit = { v: CATALOGUE_FORMAT, id: ids.ulid(), at: now, lane: "live", segments: [], deltas: null };
            pending.push({ commit, shows: now + step.showsAfter });
            break;
          }
          case "pass":
            now += step.ms;
            // Who stays away for longer begins anew.
            if (now - mark.at > MARK_GOOD_MS) {
              now = mark.at + MARK_GOOD_MS;
              await show();
              await look();
            }
            break;
          case "delete":
            for (const { commit } of stored.filter(({ shown }) => shown < now - POLICIES.deployed.commitStayMs))
              await table.remove({ pk: lakePk(PROJECT), sk: commitItem(PROJECT, commit).sk });
            break;
          case "look":
            await look();
        }
        await show();
      }
      now += LATE_COMMIT_MS;
      await show();
      await look();
      expect(seen.toSorted()).toEqual(stored.map(({ commit }) => commit.id).toSorted());
    }),
    { numRuns: 500 },
  );
});
