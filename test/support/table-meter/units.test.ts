import { expect, test } from "vitest";
import { indexWriteUnits, itemBytes, readUnits, tableWriteUnits } from "./units.ts";

const key = { pk: "pp", sk: "ss" };

test("an item's size is that of its names and values", () => {
  expect(itemBytes(key)).toBe(8);
  expect(itemBytes({ ...key, ä: "ö", n: 123, yes: true, none: null, bytes: new Uint8Array(5) })).toBe(8 + 4 + 4 + 4 + 5 + 10);
  expect(itemBytes({ ...key, list: ["a", 1], map: { k: "v" } })).toBe(8 + (4 + 3 + 2 + 3) + (3 + 3 + 1 + 2));
});

test("reads are billed by 4 KB, eventual ones half, and an absent item like a small one", () => {
  expect([readUnits(0, false), readUnits(4096, true), readUnits(4097, true)]).toEqual([0.5, 1, 2]);
});

test("a write is billed by the larger of before and after", () => {
  expect(tableWriteUnits({ ...key, text: "x".repeat(3000) }, key)).toBe(3);
  expect(tableWriteUnits(undefined, undefined)).toBe(1);
});

test("an index is billed only for entries that come, go, move or change", () => {
  const listed = { ...key, gsi1pk: "a", gsi1sk: "b" };
  expect(indexWriteUnits(undefined, key)).toBe(0);
  expect(indexWriteUnits(undefined, listed)).toBe(1);
  expect(indexWriteUnits(listed, listed)).toBe(0);
  expect(indexWriteUnits(listed, { ...listed, n: 1 })).toBe(1);
  expect(indexWriteUnits(listed, { ...listed, gsi1sk: "c" })).toBe(2);
  expect(indexWriteUnits(listed, undefined)).toBe(1);
  const due = { ...key, duepk: "a", duesk: "b", text: "x".repeat(5000) };
  expect(indexWriteUnits(undefined, due)).toBe(1);
  expect(indexWriteUnits(due, { ...due, n: 1 })).toBe(0);
});
