import { expect, it } from "vitest";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import type { Table } from "../ports/table.ts";
import { readBeside } from "./read-beside.ts";

const KEY = { pk: "project#1", sk: "endpoint#daily" };
const OTHER = { pk: "organization#1", sk: "organization" };

/** A table with some of these items, and the calls that it is asked. */
const aTable = async (...keys: readonly { readonly pk: string; readonly sk: string }[]) => {
  const calls: string[] = [];
  const held = memoryTable();
  for (const key of keys) await held.put({ ...key, entity: "thing" });
  const table: Table = {
    ...held,
    get: (key, options) => {
      calls.push("get");
      return held.get(key, options);
    },
    getMany: (all, options) => {
      calls.push("getMany");
      return held.getMany(all, options);
    },
  };
  return { table, calls };
};

it("is read in one call with the others", async () => {
  const { table, calls } = await aTable(KEY, OTHER);
  const beside = readBeside(table, KEY);
  expect(await beside.getMany([OTHER])).toContainEqual(expect.objectContaining(OTHER));
  expect(await beside.item()).toMatchObject(KEY);
  expect(calls).toEqual(["getMany"]);
});

it("is read once by itself where nobody reads others", async () => {
  const { table, calls } = await aTable(KEY);
  const beside = readBeside(table, KEY);
  beside.begin();
  expect(await beside.item()).toMatchObject(KEY);
  expect(calls).toEqual(["get"]);
});

it("is undefined where there is none, however it is read", async () => {
  const { table } = await aTable(OTHER);
  const beside = readBeside(table, KEY);
  await beside.getMany([OTHER]);
  expect(await beside.item()).toBeUndefined();
  expect(await readBeside(table, KEY).item()).toBeUndefined();
});
