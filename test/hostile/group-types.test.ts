import { describe, expect, it } from "vitest";
import { assignGroupTypes, readGroupSlots, removeGroupType, renameGroupType } from "../../lib/lake/group-types.ts";
import { apiWorld } from "../support/worlds/api-world.ts";

const DAY = 86_400_000;
const JUNK = ["j1", "j2", "j3", "j4", "j5", "j6"];

const setUp = () => {
  const { table } = apiWorld().world;
  return {
    assign: (wanted: readonly string[], day: number) => assignGroupTypes(table, 1, wanted, day * DAY),
    slot: async (type: string) => {
      const found = (await readGroupSlots(table, 1)).find((each) => each.type === type);
      if (found === undefined) throw new Error(`no group type ${type}`);
      return found;
    },
    table,
  };
};

describe("group types that junk has taken", () => {
  it("give way to new ones once no event used them for thirty days, and one that is used stays", async () => {
    const { assign } = setUp();
    await assign(["company", ...JUNK], 0);
    for (let day = 1; day <= 40; day += 3) await assign(["company"], day);
    expect(await assign(["team"], 20)).not.toContain("team");
    const types = await assign(["team", "region"], 41);
    expect(types).toHaveLength(5);
    expect(types).toEqual(expect.arrayContaining(["company", "team", "region"]));
    expect(types.indexOf("company")).toBe(0);
  });
  it("are freed by the operator at once, and the slot is taken by the next", async () => {
    const { assign, slot, table } = setUp();
    await assign(["j1", "company", "j2", "j3", "j4"], 0);
    expect(await removeGroupType(table, 1, await slot("j2"))).toBe(true);
    expect(await assign(["company"], 0)).toEqual(["j1", "company", "", "j3", "j4"]);
    expect(await assign(["team"], 0)).toEqual(["j1", "company", "team", "j3", "j4"]);
  });
  it("keep their slot under another name", async () => {
    const { assign, slot, table } = setUp();
    await assign(["compnay"], 0);
    const stale = await slot("compnay");
    expect(await renameGroupType(table, 1, stale, "company")).toBe(true);
    expect(await renameGroupType(table, 1, stale, "other")).toBe(false);
    expect(await assign(["company"], 0)).toEqual(["company"]);
  });
});
