import { describe, expect, it } from "vitest";
import { assignGroupTypes, readGroupSlots, removeGroupType, renameGroupType } from "../../lib/lake/group-types.ts";
import { ingestWorld, NOW } from "../../test/support/worlds/ingest-world.ts";
import { projectMemory } from "./project-memory.ts";

const PROJECT = 1;

/** A process that asks for group types, and how often it asks the table. */
const aProcess = async () => {
  let calls = 0;
  const { world, table, pass } = await ingestWorld([PROJECT], (stored) => ({
    ...stored,
    get: (...given) => {
      calls += 1;
      return stored.get(...given);
    },
  }));
  const slotOf = async (type: string) => {
    const slot = (await readGroupSlots(table, PROJECT)).find((each) => each.type === type);
    if (slot === undefined) throw new Error(`there is no type ${type}`);
    return slot;
  };
  return {
    pass,
    /** Another process meets types. */
    meet: (...types: readonly string[]) => assignGroupTypes(table, PROJECT, types, NOW),
    /** An operator renames or removes a type. */
    rename: async (type: string, name: string) => renameGroupType(table, PROJECT, await slotOf(type), name),
    remove: async (type: string) => removeGroupType(table, PROJECT, await slotOf(type)),
    /** The types that it knows when some are wanted, and how often it asked the table. */
    async want(...wanted: readonly string[]) {
      calls = 0;
      const types = await projectMemory(world, PROJECT).groupTypes(new Set(wanted));
      return { types, calls };
    },
  };
};

describe("the group types that a process remembers", () => {
  it("are asked for once each, until there are no slots left", async () => {
    const { want } = await aProcess();
    expect(await want("a")).toMatchObject({ types: ["a"] });
    expect(await want("a", "b")).toMatchObject({ types: ["a", "b"] });
    for (const known of [[], ["a"], ["b"], ["b", "a"]]) expect(await want(...known)).toEqual({ types: ["a", "b"], calls: 0 });
    for (const next of ["c", "d", "e"]) expect((await want(next)).calls).toBeGreaterThan(0);
    for (const refused of ["f", "g"]) expect(await want("a", refused)).toEqual({ types: ["a", "b", "c", "d", "e"], calls: 0 });
  });

  it("are noted to be used when they are wanted first, and not because another one was", async () => {
    const { want, meet } = await aProcess();
    await meet("a", "b");
    expect(await want("a")).toMatchObject({ types: ["a", "b"] });
    expect((await want("b")).calls).toBeGreaterThan(0);
    expect((await want("a", "b")).calls).toBe(0);
  });

  it("are read again when the clock is set back", async () => {
    const { want, rename, pass } = await aProcess();
    await want("a");
    await rename("a", "b");
    pass(-3_600_000);
    expect(await want("b")).toMatchObject({ types: ["b"] });
  });

  it("are read again after a minute, when they are wanted", async () => {
    const { want, rename, pass } = await aProcess();
    await want("a");
    await rename("a", "b");
    pass(60_000);
    expect(await want("a")).toEqual({ types: ["a"], calls: 0 });
    pass(1);
    expect(await want()).toEqual({ types: ["a"], calls: 0 });
    expect(await want("b")).toMatchObject({ types: ["b"] });
    pass(60_000);
    expect((await want("b")).calls).toBe(0);
  });

  it("are read again after a second when one is wanted that had no slot, and often wanted ones are noted all the same", async () => {
    const { want, rename, pass } = await aProcess();
    for (const type of ["a", "b", "c", "d", "e"]) await want(type);
    expect(await want("f")).toEqual({ types: ["a", "b", "c", "d", "e"], calls: 0 });
    await rename("b", "f");
    pass(1_001);
    expect(await want("f")).toMatchObject({ types: ["a", "f", "c", "d", "e"] });
    expect((await want("f", "g")).calls).toBe(0);
    for (let second = 0; second < 58; second += 1) {
      pass(1_001);
      expect((await want("g")).calls).toBe(1);
    }
    expect((await want("a")).calls).toBe(0);
    pass(2_000);
    expect((await want("a")).calls).toBe(1);
  });

  it("have the slots that were freed meanwhile, for those that are wanted anew", async () => {
    const { want, remove, pass } = await aProcess();
    for (const type of ["a", "b", "c", "d", "e"]) await want(type);
    await remove("b");
    pass(60_001);
    expect(await want("a")).toMatchObject({ types: ["a", "", "c", "d", "e"] });
    expect(await want("b")).toMatchObject({ types: ["a", "b", "c", "d", "e"] });
    await remove("c");
    pass(60_001);
    await want("a");
    expect(await want("f")).toMatchObject({ types: ["a", "b", "f", "d", "e"] });
  });
});
