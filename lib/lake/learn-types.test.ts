import { beforeEach, describe, expect, it } from "vitest";
import { type MemoryTable, memoryTable } from "../../test/simulation/ports/table.ts";
import { evidenceFor } from "../../test/support/samples/property-evidence.ts";
import { ConditionFailed, type Table } from "../ports/table.ts";
import { dayAt, knownType, learnPropertyTypes, readPropertyTypes } from "./learn-types.ts";
import { lakePk, TYPES_SK } from "./paths.ts";
import { markTypes, readMarks } from "./property-types/type-marks.ts";
import { NO_EVIDENCE, type OwnedEvidence, type PropertyType } from "./property-types.ts";

const DAY_MS = 86_400_000;
const PROJECT = 7;
const NOW = Date.UTC(2026, 0, 12, 15);

let table: MemoryTable;
beforeEach(() => {
  table = memoryTable();
});

const numbers = (...names: readonly string[]): OwnedEvidence => evidenceFor({ event: names.map((name) => [name, "Numeric"]) });
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `own-${at}`);
const learn = (learnt: OwnedEvidence, day = 0, on: Table = table) => learnPropertyTypes(on, PROJECT, learnt, NOW + day * DAY_MS);
const type = async (name: string): Promise<PropertyType | undefined> => knownType(await readPropertyTypes(table, PROJECT), "event", name);

/** The table, with calls counted and some of them refused. */
const watched = (refuse: (put: number) => Error | null = () => null) => {
  const calls = { gets: 0, puts: 0, consistent: true };
  const on: Table = {
    ...table,
    get: async (key, options) => {
      calls.gets += 1;
      calls.consistent &&= options?.consistent === true;
      return table.get(key, options);
    },
    put: async (item, when) => {
      calls.puts += 1;
      const refusal = refuse(calls.puts);
      if (refusal) throw refusal;
      await table.put(item, when);
    },
  };
  return { on, calls };
};

describe("the types of a project's properties", () => {
  it("are read and written by one call each, which see what was written last", async () => {
    const { on, calls } = watched();
    await learn(numbers("price"), 0, on);
    await learn(numbers("price"), 0, on);
    await readPropertyTypes(on, PROJECT);
    expect(calls).toEqual({ gets: 3, puts: 1, consistent: true });
    expect(table.everything().map(({ pk, sk }) => [pk, sk])).toEqual([[lakePk(PROJECT), TYPES_SK]]);
  });

  it("are those of its own project", async () => {
    await learn(numbers("price"));
    expect(knownType(await readPropertyTypes(table, PROJECT + 1), "event", "price")).toBeUndefined();
  });

  it("say what is open and what is settled, and what is marked once that matters", async () => {
    const open = { ...NO_EVIDENCE, Boolean: 5 };
    await learn({ ...numbers("price"), person: new Map([["flag", open]]) });
    await markTypes(table, PROJECT, ["event:price"], dayAt(NOW));
    const types = await readPropertyTypes(table, PROJECT);
    expect(types.of.event).toEqual(new Map([["price", "Numeric"]]));
    expect(types.of.person).toEqual(new Map([["flag", "Boolean"]]));
    expect([types.open.event, types.open.person]).toEqual([new Map(), new Map([["flag", open]])]);
    expect([types.isCrowded, types.used]).toEqual([false, new Map()]);
    await learn(numbers(...many(2_000)));
    expect((await readPropertyTypes(table, PROJECT)).used).toEqual(new Map([["event:price", dayAt(NOW)]]));
  });

  it("are known for ever where there is room, and for three days where there is none, marks with them", async () => {
    await learn(numbers(...many(1_998)));
    expect((await learn(numbers("price"), 100)).types.of.event.size).toBe(1_999);
    await markTypes(table, PROJECT, ["event:own-1"], dayAt(NOW));
    await learn(numbers("plan"), 102);
    const { types, isClosed } = await learn(numbers("plan"), 102);
    expect([[...types.of.event.keys()], isClosed]).toEqual([["price", "plan"], false]);
    expect(types.used).toEqual(new Map([["event:own-1", dayAt(NOW)]]));
    const all = await readPropertyTypes(table, PROJECT);
    expect([all.of.event.size, all.isCrowded]).toEqual([2_000, true]);
  });

  it("were learnt on the UTC day of their time", () => {
    expect([0, DAY_MS - 1, DAY_MS, NOW].map(dayAt)).toEqual([0, 0, 1, 20_465]);
  });
});

describe("writers at once", () => {
  it("lose nothing of what each of them learnt", async () => {
    const names = many(20);
    await Promise.all(names.map((name) => learn(numbers(name))));
    await Promise.all([...names.map((name) => markTypes(table, PROJECT, [`event:${name}`], dayAt(NOW))), learn(numbers("price"))]);
    const [{ of }, marks] = await Promise.all([readPropertyTypes(table, PROJECT), readMarks(table, PROJECT)]);
    expect([of.event.size, marks.size]).toEqual([21, 20]);
  });

  it("try again when another one was first, with what that one wrote, and say what came of it then", async () => {
    await learn(numbers("first"));
    const { on, calls } = watched((put) => (put === 1 ? new ConditionFailed([0]) : null));
    expect(await learn(numbers("price"), 0, on)).toMatchObject({ rejected: 0, unnoted: 0, evicted: 0 });
    expect([calls.gets, calls.puts, await type("price"), await type("first")]).toEqual([2, 2, "Numeric", "Numeric"]);
  });

  it("give up after very many tries", async () => {
    const { on, calls } = watched(() => new ConditionFailed([0]));
    await expect(learn(numbers("price"), 0, on)).rejects.toThrow("could not be written");
    expect(calls.puts).toBeGreaterThan(10);
  });

  it("try nothing again when the table fails", async () => {
    const { on, calls } = watched(() => new Error("the table does not answer"));
    await expect(learn(numbers("price"), 0, on)).rejects.toThrow("the table does not answer");
    await expect(markTypes(on, PROJECT, ["event:price"], dayAt(NOW))).rejects.toThrow("the table does not answer");
    expect(calls.puts).toBe(2);
  });
});
