import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { addToList, type BoundedList, countingIn, takeFromList } from "../../../lib/table/bounded-list.ts";
import { entity } from "../../../lib/table/entity.ts";
import { countThrough } from "../../../lib/table/paging.ts";
import { put, putting, removing } from "../../../lib/table/store.ts";
import { ABSENT, transact } from "../../../lib/table/transact.ts";
import { memoryTable } from "../../simulation/ports/table.ts";

const Things = entity({
  name: "thing",
  version: 1,
  schema: z.object({ list: z.string(), number: z.int() }),
  key: { pk: "things#{list}", sk: "thing#{number}" },
  patterns: { late: { index: "gsi1", pk: "list#{list}", sk: "{number}" } },
});

const MOST = 4;

test("whatever is added and taken at once, in whatever order, a list is never longer than it may be and its length is that of its items", async () => {
  const scripts = fc.record({
    earlier: fc.integer({ min: 0, max: MOST }),
    steps: fc.array(fc.record({ verb: fc.constantFrom("add", "add", "add", "take", "operator"), number: fc.nat(7) }), { maxLength: 25 }),
    lostAnswer: fc.constantFrom(0, 0.2),
    seed: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(scripts, async ({ earlier, steps, lostAnswer, seed }) => {
      let state = seed;
      const random = () => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return state / 2 ** 31;
      };
      const begun = { faults: false };
      const table = memoryTable({
        random: () => (begun.faults ? random() : 1),
        faults: { lostAnswer, indexLagCalls: 0 },
        // Whoever is at the table lets others come between.
        step: async () => {
          for (let turns = Math.floor(random() * 3); turns > 0; turns -= 1) await nextTurn();
        },
      });
      const list: BoundedList = {
        counter: { pk: "count#things", sk: "count" },
        most: MOST,
        full: "full",
        recount: (of) => countThrough(of, Things, "late", { list: "a" }),
      };
      const parts = { table, clock: { now: () => 1_000_000 } };
      for (let number = 100; number < 100 + earlier; number += 1) await put(table, Things, { list: "a", number });
      begun.faults = true;
      const made = (number: number) => putting(Things, { list: "a", number }, ABSENT);
      const verbs = {
        add: (number: number) => addToList(parts, list, [made(number)]),
        take: (number: number) => takeFromList(parts, list, [removing(Things, { list: "a", number }, { kind: "present" })]),
        operator: async (number: number) => transact(table, [made(number), await countingIn(parts, list, 1)]),
      };
      let longest = earlier;
      const byOperator = steps.filter(({ verb }) => verb === "operator").length;
      await Promise.allSettled(
        steps.map(async ({ verb, number }) => {
          await verbs[verb](number);
          longest = Math.max(longest, table.everything().filter(({ entity: kind }) => kind === "thing").length);
        }),
      );
      const items = table.everything().filter(({ entity: kind }) => kind === "thing").length;
      expect(table.now(list.counter)?.count ?? items).toBe(items);
      expect(longest).toBeLessThanOrEqual(MOST + byOperator);
    }),
    { numRuns: 150 },
  );
});
