import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import type { Table } from "../../../lib/ports/table.ts";
import { entity } from "../../../lib/table/entity.ts";
import { counting, readWindow } from "../../../lib/table/paging.ts";
import * as store from "../../../lib/table/store.ts";
import { memoryTable } from "../../simulation/ports/table.ts";

const Things = entity({
  name: "thing",
  version: 1,
  schema: z.object({ list: z.string(), number: z.int() }),
  key: { pk: "things#{list}", sk: "thing#{number}" },
  patterns: { keysOnly: { index: "gsi2", pk: "list#{list}", sk: "{number}" } },
});

const COUNTER = { pk: "count#things#a", sk: "count" };

const filled = async (size: number, options: Parameters<typeof memoryTable>[0] = {}) => {
  const table = memoryTable(options);
  for (let number = 0; number < size; number += 1) {
    await table.transact([store.putting(Things, { list: "a", number }), counting(COUNTER, 1)]);
  }
  return table;
};

test("a window is the slice that it names, with the exact count, however pages are cut", async () => {
  const wanted = fc.record({
    size: fc.nat(25),
    limit: fc.integer({ min: 1, max: 30 }),
    offset: fc.nat(30),
    descending: fc.boolean(),
    pattern: fc.constantFrom("key" as const, "keysOnly" as const),
    counter: fc.boolean(),
    shortPage: fc.constantFrom(0, 0.5),
    seed: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(wanted, async ({ size, limit, offset, descending, pattern, counter, shortPage, seed }) => {
      let state = seed;
      const random = () => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return state / 2 ** 31;
      };
      const table = await filled(size, { random, faults: { shortPage } });
      const options = { limit, offset, descending, ...(counter && { counter: COUNTER }) };
      const window = await readWindow(table, Things, pattern, { list: "a" }, options);
      const all = Array.from({ length: size }, (_, number) => number);
      const expected = (descending ? all.toReversed() : all).slice(offset, offset + limit);
      expect(window.count).toBe(size);
      expect(window.items.map((item) => item.number)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test("the first and the last page of a counted list cost the same, however long it is", async () => {
  const units = async (size: number, offset: number) => {
    let sum = 0;
    const table = await filled(size, { meter: { record: (call) => (sum += call.readUnits) } });
    sum = 0;
    await readWindow(table, Things, "keysOnly", { list: "a" }, { limit: 10, offset, counter: COUNTER });
    return sum;
  };
  const small = await units(20, 0);
  expect(await units(2_000, 0)).toBe(small);
  expect(await units(2_000, 1_990)).toBe(small);
});

test("a page is completed with what was made a moment ago, though the index comes late", async () => {
  const table = await filled(3);
  let lagging = 2;
  const late: Table = {
    ...table,
    async query(query) {
      const found = await table.query(query);
      if (query.index === undefined || lagging === 0) return found;
      lagging -= 1;
      return { ...found, items: found.items.slice(0, -1), count: found.count - 1 };
    },
  };
  const { count, items } = await readWindow(late, Things, "keysOnly", { list: "a" }, { limit: 10, offset: 0, counter: COUNTER });
  expect([count, items.map(({ number }) => number)]).toEqual([3, [0, 1, 2]]);
});
