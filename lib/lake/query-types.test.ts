import { describe, expect, it } from "vitest";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { evidenceFor } from "../../test/support/samples/property-evidence.ts";
import type { Table } from "../ports/table.ts";
import { learnPropertyTypes, readPropertyTypes } from "./learn-types.ts";
import type { PropertyOwner } from "./property-types.ts";
import { withPropertyTypes } from "./query-types.ts";

const counting = () => {
  const stored = memoryTable();
  let reads = 0;
  const table: Table = {
    ...stored,
    get: (...given) => {
      reads += 1;
      return stored.get(...given);
    },
  };
  const learn = (name: string, type: "Numeric" | "String") => learnPropertyTypes(stored, 7, evidenceFor({ event: [[name, type]] }), 0);
  return { table, learn, reads: () => reads };
};

const asking =
  (...names: readonly string[]) =>
  (propertyType: (owner: PropertyOwner, name: string) => unknown): readonly unknown[] =>
    names.map((name) => propertyType("event", name) ?? null);

const PRICE = [{ name: "price", owners: ["event"] }] as const;

describe("making something with a project's property types", () => {
  it("reads nothing when none is asked for", async () => {
    const { table, reads } = counting();
    expect(await withPropertyTypes(table, 7, 0, [], () => "made")).toEqual({ made: "made", lookups: [] });
    expect(reads()).toBe(0);
  });

  it("reads once, remembers, and says what was asked", async () => {
    const { table, learn, reads } = counting();
    await learn("price", "Numeric");
    expect(await withPropertyTypes(table, 7, 0, PRICE, asking("price"))).toEqual({
      made: ["Numeric"],
      lookups: [["event", "price", "Numeric"]],
    });
    expect(await withPropertyTypes(table, 7, 9_000, PRICE, asking("price"))).toMatchObject({ made: ["Numeric"] });
    expect(reads()).toBe(1);
  });

  it("sees a type that widened once its memory is old", async () => {
    const { table, learn } = counting();
    await learn("price", "Numeric");
    await withPropertyTypes(table, 7, 0, PRICE, asking("price"));
    await learn("price", "String");
    expect(await withPropertyTypes(table, 7, 20_000, PRICE, asking("price"))).toMatchObject({ made: ["String"] });
  });

  it("sees it, too, once the clock was set back", async () => {
    const { table, learn } = counting();
    await learn("price", "Numeric");
    await withPropertyTypes(table, 7, 3_600_000, PRICE, asking("price"));
    await learn("price", "String");
    expect(await withPropertyTypes(table, 7, 0, PRICE, asking("price"))).toMatchObject({ made: ["String"] });
  });

  it("makes it once, with the types in hand", async () => {
    const { table, learn } = counting();
    await learn("price", "Numeric");
    let made = 0;
    await withPropertyTypes(table, 7, 0, PRICE, (propertyType) => {
      made += 1;
      expect(propertyType("event", "price")).toBe("Numeric");
    });
    expect(made).toBe(1);
  });

  it("looks again soon for a property that had no type, also when making failed for it", async () => {
    const { table, learn } = counting();
    const strict = (propertyType: (owner: PropertyOwner, name: string) => unknown) => {
      if (propertyType("event", "price") !== "Numeric") throw new RangeError("not a number");
      return "made";
    };
    await expect(withPropertyTypes(table, 7, 0, PRICE, strict)).rejects.toThrow("not a number");
    await learn("price", "Numeric");
    expect(await withPropertyTypes(table, 7, 1_000, PRICE, strict)).toMatchObject({ made: "made" });
  });

  it.each([
    [["price"], 9_999, 1],
    [["price"], 10_000, 2],
    [["unheard"], 999, 1],
    [["unheard"], 1_000, 2],
    [["price", "unheard"], 999, 1],
    [["price", "unheard"], 1_000, 2],
  ])("with the types of %j remembers them for %i ms with %i reads", async (names, later, reads) => {
    const { table, learn, reads: counted } = counting();
    await learn("price", "Numeric");
    const wanted = names.map((name) => ({ name, owners: ["event"] as const }));
    for (const now of [5_000, 5_000 + later]) await withPropertyTypes(table, 7, now, wanted, asking(...names));
    expect(counted()).toBe(reads);
  });

  it("looks again soon for a property that has a type of one owner and none of another", async () => {
    const { table, learn, reads } = counting();
    await learn("price", "Numeric");
    const wanted = [{ name: "price", owners: ["event", "person"] as const }];
    for (const now of [0, 1_000]) await withPropertyTypes(table, 7, now, wanted, asking("price"));
    expect(reads()).toBe(2);
  });

  it("remembers the types of each project for itself", async () => {
    const { table, learn } = counting();
    await learn("price", "Numeric");
    expect((await withPropertyTypes(table, 8, 0, PRICE, asking("price"))).made).toEqual([null]);
    expect((await withPropertyTypes(table, 7, 0, PRICE, asking("price"))).made).toEqual(["Numeric"]);
  });

  it("says what was asked in one order, each property once", async () => {
    const { table, learn } = counting();
    await learn("price", "Numeric");
    const names = ["d", "b", "e", "a", "price", "c", "b"];
    const wanted = names.map((name) => ({ name, owners: ["event"] as const }));
    const { lookups } = await withPropertyTypes(table, 7, 0, wanted, asking(...names));
    expect(lookups).toEqual([...["a", "b", "c", "d", "e"].map((name) => ["event", name, null]), ["event", "price", "Numeric"]]);
  });
});

describe("a query over a project whose names may be evicted", () => {
  const crowded = async () => {
    const { table, learn, reads } = counting();
    await learnPropertyTypes(table, 7, evidenceFor({ event: Array.from({ length: 2_000 }, (_, at) => [`own-${at}`, "Numeric"]) }), 0);
    const used = async () => [...(await readPropertyTypes(table, 7)).used.keys()];
    const before = reads();
    return { table, learn, used, reads: () => reads() - before };
  };
  const wanted = ["own-1", "awaited"].map((name) => ({ name, owners: ["event"] as const }));

  it("marks what it asked for before it answers, also where its answer is a failure, and then reads no more than others", async () => {
    const { table, used, reads } = await crowded();
    await withPropertyTypes(table, 7, 0, wanted, asking("own-1"));
    // Types and marks for the query, the marks again to add to them, and both for this look at them.
    expect([await used(), reads()]).toEqual([["event:own-1"], 5]);
    const failing = (propertyType: (owner: PropertyOwner, name: string) => unknown): never => {
      propertyType("event", "own-1");
      propertyType("event", "awaited");
      throw new RangeError("no such function");
    };
    await expect(withPropertyTypes(table, 7, 20_000, wanted, failing)).rejects.toThrow("no such function");
    expect([await used(), reads()]).toEqual([["event:own-1", "event:awaited"], 10]);
    await withPropertyTypes(table, 7, 40_000, wanted, asking("own-1", "awaited"));
    expect(reads()).toBe(12);
  });

  it("answers once the mark is made, since a process may do nothing more after its answer", async () => {
    const { table } = await crowded();
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    const slow: Table = { ...table, put: () => written };
    let isAnswered = false;
    const answer = withPropertyTypes(slow, 7, 0, wanted, asking("own-1")).then(() => {
      isAnswered = true;
    });
    await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    write();
    await answer;
    expect(isAnswered).toBe(true);
  });

  it("answers also where the mark cannot be made", async () => {
    const { table } = await crowded();
    const full: Table = { ...table, put: () => Promise.reject(new Error("the table does not answer")) };
    expect((await withPropertyTypes(full, 7, 0, wanted, asking("own-1"))).made).toEqual(["Numeric"]);
  });
});
