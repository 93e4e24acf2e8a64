import { expect, test } from "vitest";
import * as z from "zod";
import { decode, encode, entity, itemKey, partitionRange } from "./entity.ts";
import { listQuery } from "./store.ts";

const Notes = entity({
  name: "note",
  version: 2,
  schema: z.object({
    project_id: z.int(),
    id: z.string(),
    number: z.int(),
    folder: z.string().nullable().default(null),
    text: z.string().optional(),
    until: z.int().optional(),
  }),
  key: { pk: "project#{project_id}", sk: "note#{id}" },
  patterns: {
    inFolder: { index: "gsi1", pk: "project#{project_id}#folder#{folder}", sk: "{number}#{id}" },
    all: { index: "gsi2", pk: "project#{project_id}#notes", sk: "{number}" },
  },
  upgrade: (stored) => ({ ...stored, number: 0 }),
  ttl: (note) => note.until,
});

const note = { project_id: 7, id: "a#b", number: 12, folder: "x" };

test("an item carries its keys, those of its indexes, its name and its version", () => {
  expect(encode(Notes, note)).toEqual({
    ...note,
    pk: "project#7",
    sk: "note#a%23b",
    gsi1pk: "project#7#folder#x",
    gsi1sk: "0000000000000012#a%23b",
    gsi2pk: "project#7#notes",
    gsi2sk: "0000000000000012",
    entity: "note",
    v: 2,
    rev: 1,
  });
});

test("an item whose attribute has no value is not in the index that needs it", () => {
  const stored = encode(Notes, { ...note, folder: null, until: 5 });
  expect(stored).toMatchObject({ gsi2sk: "0000000000000012", ttl: 5 });
  expect(stored).not.toHaveProperty("gsi1pk");
});

test("what is read is the item alone, also from the version before and the one after, and nothing else is read", () => {
  expect(decode(Notes, encode(Notes, note))).toEqual(note);
  expect(decode(Notes, { ...encode(Notes, note), v: 1, number: undefined })).toEqual({ ...note, number: 0 });
  expect(decode(Notes, { ...encode(Notes, note), v: 3, colour: "red" })).toEqual(note);
  expect(() => decode(Notes, { ...encode(Notes, note), v: 4 })).toThrow("format 4");
  expect(() => decode(Notes, { ...encode(Notes, note), entity: "other" })).toThrow("is no note");
});

test("key values are named and typed", () => {
  expect(itemKey(Notes, { project_id: 7, id: "x" })).toEqual({ pk: "project#7", sk: "note#x" });
  // @ts-expect-error a forgotten value is a compile error
  expect(() => itemKey(Notes, { project_id: 7 })).toThrow("missing");
  // @ts-expect-error a value of another type is a compile error
  itemKey(Notes, { project_id: "7", id: "x" });
});

test("a partition is narrowed by the leading values of its sort key", () => {
  expect(partitionRange(Notes.key, { project_id: 7 })).toEqual({ pk: "project#7", prefix: "note#", whole: false });
  expect(partitionRange(Notes.patterns.inFolder, { project_id: 7, folder: "x", number: 2 })).toEqual({
    pk: "project#7#folder#x",
    prefix: "0000000000000002#",
    whole: false,
  });
  expect(listQuery(Notes, "all", { project_id: 7, number: 2 })).toEqual({
    index: "gsi2",
    pk: "project#7#notes",
    sk: { from: "0000000000000002", to: "0000000000000002" },
  });
  expect(listQuery(Notes, "all", { project_id: 7 }, { from: 2 })).toMatchObject({ sk: { from: "0000000000000002" } });
});

test("a template that names no attribute, and an attribute of the layout, are refused when declared", () => {
  const schema = z.object({ id: z.string() });
  expect(() => entity({ name: "x", version: 1, schema, key: { pk: "x#{no}", sk: "x" }, patterns: {} })).toThrow("no attribute no");
  expect(() => entity({ name: "x", version: 1, schema: z.object({ pk: z.string() }), key: { pk: "x", sk: "x" }, patterns: {} })).toThrow(
    "belongs to the layout",
  );
});

test("a key that the table would not take is refused before it is sent", () => {
  expect(() => itemKey(Notes, { project_id: 7, id: "x".repeat(1024) })).toThrow("too long");
});
