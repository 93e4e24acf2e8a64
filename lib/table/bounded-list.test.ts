import { expect, it } from "vitest";
import * as z from "zod";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { addToList, type BoundedList, checkRoom, countingIn, ListFull, takeFromList } from "./bounded-list.ts";
import { entity } from "./entity.ts";
import { countThrough } from "./paging.ts";
import { put, putting, remove, removing } from "./store.ts";
import { ABSENT, transact } from "./transact.ts";

const Things = entity({
  name: "thing",
  version: 1,
  schema: z.object({ list: z.string(), number: z.int() }),
  key: { pk: "things#{list}", sk: "thing#{number}" },
  patterns: {},
});

const LIST: BoundedList = {
  counter: { pk: "count#things", sk: "count" },
  most: 5,
  full: "There are 5 at most.",
  recount: (table) => countThrough(table, Things, "key", { list: "a" }),
};

const MINUTE_MS = 60_000;

/** A list with as many things, which an earlier release made and did not count. */
const aList = async (uncounted = 0) => {
  const time = { now: 1_000_000 };
  const table = memoryTable();
  const parts = { table, clock: { now: () => time.now } };
  for (let number = 100; number < 100 + uncounted; number += 1) await put(table, Things, { list: "a", number });
  return {
    time,
    parts,
    add: (number: number) => addToList(parts, LIST, [putting(Things, { list: "a", number }, ABSENT)]),
    take: (number: number) => takeFromList(parts, LIST, [removing(Things, { list: "a", number }, { kind: "present" })]),
    kept: () => table.now(LIST.counter)?.count,
    there: () => LIST.recount(table),
  };
};

it("takes as many as it may, and says so to who wants more", async () => {
  const { add, parts, kept } = await aList();
  for (let number = 0; number < LIST.most; number += 1) await add(number);
  await expect(add(9)).rejects.toThrow(new ListFull(LIST.full));
  await expect(checkRoom(parts, LIST)).rejects.toThrow(ListFull);
  expect(kept()).toBe(LIST.most);
});

it("of many at once takes exactly as many, also where an earlier release made some and counted nothing", async () => {
  for (const uncounted of [0, 3]) {
    const { add, there, kept } = await aList(uncounted);
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, (_, number) => add(number)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(LIST.most - uncounted);
    expect([await there(), kept()]).toEqual([LIST.most, LIST.most]);
  }
});

it("counts what an earlier release made also where the first that is done is to take one of them", async () => {
  const { take, add, kept } = await aList(LIST.most);
  await take(100);
  expect(kept()).toBe(LIST.most - 1);
  await add(1);
  await expect(add(2)).rejects.toThrow(ListFull);
});

it("neither adds nor counts where a write of the maker's fails, and names its position", async () => {
  const { add, take, kept } = await aList();
  await add(1);
  await expect(add(1)).rejects.toMatchObject({ name: "ConditionFailed", failed: [0] });
  await expect(take(7)).rejects.toMatchObject({ name: "ConditionFailed", failed: [0] });
  expect(kept()).toBe(1);
});

it("makes room for what went without being counted, once nothing was counted for a minute", async () => {
  const { add, parts, time, there } = await aList();
  for (let number = 0; number < LIST.most; number += 1) await add(number);
  await remove(parts.table, Things, { list: "a", number: 0 });
  time.now += MINUTE_MS - 1;
  await expect(add(8)).rejects.toThrow(ListFull);
  time.now += 1;
  await add(8);
  await expect(add(9)).rejects.toThrow(ListFull);
  expect(await there()).toBe(LIST.most);
});

it("that is full is counted again once in a minute, however often it is asked", async () => {
  const { add, time, parts } = await aList(LIST.most);
  let counts = 0;
  const watched: BoundedList = { ...LIST, recount: (table) => LIST.recount(table).finally(() => (counts += 1)) };
  const ask = () => expect(checkRoom(parts, watched)).rejects.toThrow(ListFull);
  for (let times = 0; times < 5; times += 1) await ask();
  expect(counts).toBe(1);
  time.now += MINUTE_MS;
  for (let times = 0; times < 5; times += 1) await ask();
  expect(counts).toBe(2);
  await expect(add(1)).rejects.toThrow(ListFull);
});

it("is no bound for the operator, whose items count", async () => {
  const { parts, add, kept } = await aList(LIST.most);
  const made = putting(Things, { list: "a", number: 1 }, ABSENT);
  await transact(parts.table, [made, await countingIn(parts, LIST, 1)]);
  expect(kept()).toBe(LIST.most + 1);
  await expect(add(2)).rejects.toThrow(ListFull);
});
