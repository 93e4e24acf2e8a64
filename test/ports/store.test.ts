import { describe, expect, test } from "vitest";
import * as z from "zod";
import { entity } from "../../lib/table/entity.ts";
import { nextNumber } from "../../lib/table/sequence.ts";
import * as store from "../../lib/table/store.ts";
import { NotFound } from "../../lib/table/store.ts";
import { ABSENT, claiming, failedAt, releasing, transact } from "../../lib/table/transact.ts";
import { memoryTable } from "../simulation/ports/table.ts";

const Cards = entity({
  name: "card",
  version: 1,
  schema: z.object({ board: z.int(), id: z.string(), column: z.string().nullable(), place: z.int(), votes: z.int().default(0) }),
  key: { pk: "board#{board}", sk: "card#{id}" },
  patterns: {
    inColumn: { index: "gsi1", pk: "board#{board}#column#{column}", sk: "{place}#{id}" },
    byPlace: { index: "gsi2", pk: "board#{board}#places", sk: "{place}#{id}" },
  },
});
const card = (id: string, place: number, column: string | null = "open") => ({ board: 1, id, column, place, votes: 0 });

const ids = async (table: ReturnType<typeof memoryTable>, column: string) =>
  (await store.list(table, Cards, "inColumn", { board: 1, column })).map((each) => each.id);

describe("the store", () => {
  test("require throws NotFound for what does not exist, get undefined", async () => {
    const table = memoryTable();
    expect(await store.get(table, Cards, { board: 1, id: "a" })).toBeUndefined();
    await expect(store.require(table, Cards, { board: 1, id: "a" })).rejects.toThrow(NotFound);
  });

  test("an update moves the item in its indexes, takes it out, and never makes one", async () => {
    const table = memoryTable();
    await store.put(table, Cards, card("a", 10));
    await store.put(table, Cards, card("b", 2));
    expect(await ids(table, "open")).toEqual(["b", "a"]);
    const moved = await store.update(table, Cards, { board: 1, id: "a" }, { set: { column: "done", place: 1 }, add: { votes: 2 } });
    expect(moved).toEqual({ ...card("a", 1, "done"), votes: 2 });
    expect(await ids(table, "open")).toEqual(["b"]);
    expect(await ids(table, "done")).toEqual(["a"]);
    await store.update(table, Cards, { board: 1, id: "a" }, { set: { column: null, place: 1 } });
    expect(await ids(table, "done")).toEqual([]);
    await expect(store.update(table, Cards, { board: 1, id: "x" }, { add: { votes: 1 } })).rejects.toThrow("condition");
    expect(table.everything()).toHaveLength(2);
  });

  test("an update that would leave an index behind is a defect, and so is one of the key or of a wrong type", async () => {
    const table = memoryTable();
    await store.put(table, Cards, card("a", 1));
    const key = { board: 1, id: "a" };
    await expect(store.update(table, Cards, key, { set: { place: 2 } })).rejects.toThrow("must state column");
    await expect(store.update(table, Cards, key, { set: { id: "b" } })).rejects.toThrow("cannot change its key");
    await expect(store.update(table, Cards, key, { set: { votes: 0.5 } })).rejects.toThrow();
  });

  test("a list over a keys-only index gives whole items in its order", async () => {
    const table = memoryTable({ random: () => 0, faults: { shortPage: 1 } });
    for (const [id, place] of [
      ["a", 3],
      ["b", 1],
      ["c", 2],
    ] as const)
      await store.put(table, Cards, card(id, place, null));
    const all = await store.list(table, Cards, "byPlace", { board: 1 }, { descending: true });
    expect(all.map((each) => [each.id, each.place])).toEqual([
      ["a", 3],
      ["c", 2],
      ["b", 1],
    ]);
    const from = await store.list(table, Cards, "byPlace", { board: 1 }, { from: 2, to: 2 });
    expect(from.map((each) => each.id)).toEqual(["c"]);
  });

  test("a list that grew past its bound is noticed", async () => {
    const table = memoryTable();
    for (const id of ["a", "b", "c"]) await store.put(table, Cards, card(id, 1));
    await expect(store.list(table, Cards, "key", { board: 1 }, { bound: 2 })).rejects.toThrow("longer than 2");
  });

  test("a unique value has one owner, who alone can give it back", async () => {
    const table = memoryTable();
    const marker = { pk: "unique#x", sk: "unique" };
    await transact(table, [claiming(marker, "one"), store.putting(Cards, card("a", 1), ABSENT)]);
    const taken = await transact(table, [store.putting(Cards, card("b", 1), ABSENT), claiming(marker, "two")]).catch(
      (error: unknown) => error,
    );
    expect([failedAt(taken, 0), failedAt(taken, 1)]).toEqual([false, true]);
    expect(await store.get(table, Cards, { board: 1, id: "b" })).toBeUndefined();
    await expect(transact(table, [releasing(marker, "two")])).rejects.toThrow();
    await transact(table, [releasing(marker, "one")]);
    await transact(table, [claiming(marker, "two")]);
  });

  test("numbers of a sequence are given once, from 1 on", async () => {
    const table = memoryTable();
    const numbers = await Promise.all(Array.from({ length: 20 }, () => nextNumber(table, "x")));
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });
});
