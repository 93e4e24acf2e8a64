import { describe, expect, it } from "vitest";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { evidenceFor } from "../../../test/support/samples/property-evidence.ts";
import type { Table } from "../../ports/table.ts";
import type { PropertyOwner } from "./property-owners.ts";
import { learnPropertyTypes } from "./property-types.ts";
import { withPropertyTypes } from "./remembered-types.ts";

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
    expect(await withPropertyTypes(table, 7, 0, [], () => "made")).toEqual({ made: "made", asked: [] });
    expect(reads()).toBe(0);
  });

  it("reads once, remembers, and says what was asked", async () => {
    const { table, learn, reads } = counting();
    await learn("price", "Numeric");
    expect(await withPropertyTypes(table, 7, 0, PRICE, asking("price"))).toEqual({
      made: ["Numeric"],
      asked: [["event", "price", "Numeric"]],
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
});
