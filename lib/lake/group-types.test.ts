import { describe, expect, it } from "vitest";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import type { Table } from "../ports/table.ts";
import { assignGroupTypes, readGroupSlots, readGroupTypes, removeGroupType, renameGroupType } from "./group-types.ts";

const NOW = 1_800_000_000_000;

describe("the group types of a project", () => {
  it("take the slots in the order in which they come, five at most, and keep them", async () => {
    const table = memoryTable();
    expect(await assignGroupTypes(table, 7, ["company", "team"], NOW)).toEqual(["company", "team"]);
    expect(await assignGroupTypes(table, 7, ["team", "site", "a", "b", "c"], NOW)).toEqual(["company", "team", "site", "a", "b"]);
    expect(await readGroupTypes(table, 7)).toEqual(["company", "team", "site", "a", "b"]);
    expect(await readGroupTypes(table, 8)).toEqual([]);
  });

  it("take the next slot where another writer was quicker", async () => {
    const stored = memoryTable();
    let isFirst = true;
    const racing: Table = {
      ...stored,
      async update(...given) {
        if (isFirst) await assignGroupTypes(stored, 7, ["quicker"], NOW);
        isFirst = false;
        return stored.update(...given);
      },
    };
    expect(await assignGroupTypes(racing, 7, ["company"], NOW)).toEqual(["quicker", "company"]);
  });

  const DAY = 86_400_000;
  const ALL = ["a", "b", "c", "d", "e"];

  it("give the slot of one that nobody used for thirty days to a new one, the longest unused first", async () => {
    const table = memoryTable();
    await assignGroupTypes(table, 7, ALL, NOW);
    await assignGroupTypes(table, 7, ["a", "c", "d", "e"], NOW + 2 * DAY);
    await assignGroupTypes(table, 7, ["a", "d", "e"], NOW + 4 * DAY);
    expect(await assignGroupTypes(table, 7, ["new"], NOW + 30 * DAY)).toEqual(ALL);
    expect(await assignGroupTypes(table, 7, ["a", "d", "e", "x", "y", "z"], NOW + 35 * DAY)).toEqual(["a", "x", "y", "d", "e"]);
  });

  it("note once a day that they are used, with one write, and of none that is not", async () => {
    const table = memoryTable();
    let writes = 0;
    const counted: Table = {
      ...table,
      update(...given) {
        writes += 1;
        return table.update(...given);
      },
    };
    await assignGroupTypes(table, 7, ALL, NOW);
    for (const [later, written] of [
      [DAY, 0],
      [DAY + 1, 1],
      [DAY + 2, 1],
    ] as const) {
      await assignGroupTypes(counted, 7, ["b", "d"], NOW + later);
      expect(writes).toBe(written);
    }
    const used = (at: number) => ALL.map((type, slot) => ({ slot, type, usedAt: slot % 2 === 1 ? at : NOW }));
    expect(await readGroupSlots(table, 7)).toEqual(used(NOW + DAY + 1));
  });

  it("can be renamed and removed once, and leave their slot to the next", async () => {
    const table = memoryTable();
    await assignGroupTypes(table, 7, ["a", "b"], NOW);
    expect(await renameGroupType(table, 7, { slot: 0, type: "a", usedAt: NOW }, "company")).toBe(true);
    expect(await renameGroupType(table, 7, { slot: 0, type: "a", usedAt: NOW }, "another")).toBe(false);
    expect(await removeGroupType(table, 7, { slot: 0, type: "company", usedAt: NOW })).toBe(true);
    expect(await removeGroupType(table, 7, { slot: 0, type: "company", usedAt: NOW })).toBe(false);
    expect(await readGroupSlots(table, 7)).toEqual([{ slot: 1, type: "b", usedAt: NOW }]);
    expect(await assignGroupTypes(table, 7, ["c"], NOW)).toEqual(["c", "b"]);
    const silent: Table = { ...table, update: () => Promise.reject(new Error("the table does not answer")) };
    await expect(removeGroupType(silent, 7, { slot: 1, type: "b", usedAt: NOW })).rejects.toThrow("does not answer");
  });

  it("are not taken for known where the table does not answer", async () => {
    const table: Table = { ...memoryTable(), update: () => Promise.reject(new Error("the table does not answer")) };
    await expect(assignGroupTypes(table, 7, ["company"], NOW)).rejects.toThrow("does not answer");
  });
});
