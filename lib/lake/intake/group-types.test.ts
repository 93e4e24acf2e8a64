import { describe, expect, it } from "vitest";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import type { Table } from "../../ports/table.ts";
import { assignGroupTypes, readGroupTypes } from "./group-types.ts";

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

  it("are not taken for known where the table does not answer", async () => {
    const table: Table = { ...memoryTable(), update: () => Promise.reject(new Error("the table does not answer")) };
    await expect(assignGroupTypes(table, 7, ["company"], NOW)).rejects.toThrow("does not answer");
  });
});
