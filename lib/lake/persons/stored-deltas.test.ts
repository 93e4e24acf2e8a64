import { describe, expect, it } from "vitest";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { pack } from "../../core/pack.ts";
import { type Deltas, NO_DELTAS } from "./deltas.ts";
import { areByPartition, entriesIn, readDeltas, storedDeltas } from "./stored-deltas.ts";

const at = (index: number) => ({ time: 253_402_300_799_999_999n, index, uuid: "0190a1b2-c3d4-7e5f-8a9b-000000000001" });

const deltasOf = (people: number, bytes = 1): Deltas => ({
  seen: Array.from({ length: people }, (_, index) => ({ id: `person ${index}`, first: at(index), last: -5n })),
  persons: [
    { id: "ann", at: at(0), merge: { kind: "identify", source: "anon" }, set: { text: "x".repeat(bytes) }, setOnce: null, unset: ["plan"] },
  ],
  groups: [{ at: at(1), slot: 2, key: "acme", set: { seats: 7 } }],
});

describe("what a commit says of persons and groups", () => {
  it.each([
    ["a few", deltasOf(3), true],
    ["many", deltasOf(200), false],
    ["long ones", deltasOf(3, 9_000), false],
  ])("is read as it was written: %s", async (_, deltas, isInline) => {
    const objects = memoryObjects();
    const stored = await storedDeltas(7, deltas, () => "deltas");
    if (stored?.object) await objects.put(stored.object.key, stored.object.bytes);
    expect(stored?.object === null).toBe(isInline);
    expect(await readDeltas(objects, stored?.ref ?? null)).toEqual(deltas);
    expect(areByPartition(stored?.ref ?? null)).toBe(true);
  });

  it.each([
    [5, deltasOf(3)],
    [202, deltasOf(200)],
  ])("is known to have %i entries before it is read", async (entries, deltas) => {
    const stored = await storedDeltas(7, deltas, () => "deltas");
    expect(entriesIn(stored?.ref ?? null)).toBe(entries);
  });

  it("may have any number of entries where the version before wrote the object, and none where nothing is said", () => {
    expect(entriesIn({ key: "old", bytes: 1 })).toBe(Number.POSITIVE_INFINITY);
    expect(entriesIn(null)).toBe(0);
  });

  it("is nothing where no event says anything", async () => {
    expect(await storedDeltas(7, NO_DELTAS, () => "deltas")).toBeNull();
    expect(await readDeltas(memoryObjects(), null)).toEqual(NO_DELTAS);
    expect(areByPartition(null)).toBe(false);
  });

  it("is read as the version before wrote it, inline or as an object, whose sightings span partitions", async () => {
    const objects = memoryObjects();
    const [time, index, uuid] = ["7", 1, "u"];
    const first = { v: 1, seen: [["ann", "9", time, index, uuid]], persons: [], groups: [] };
    await objects.put("old", pack(first));
    for (const ref of [{ inline: JSON.stringify(first) }, { key: "old", bytes: 1 }]) {
      expect(await readDeltas(objects, ref)).toMatchObject({ seen: [{ id: "ann", first: { time: 7n, index, uuid }, last: 9n }] });
      expect(areByPartition(ref)).toBe(false);
    }
  });

  it("is not guessed where a later version wrote it or its object is gone", async () => {
    const later = { inline: JSON.stringify({ v: 4, seen: [], persons: [], groups: [] }) };
    await expect(readDeltas(memoryObjects(), later)).rejects.toThrow("newer than this version");
    await expect(readDeltas(memoryObjects(), { key: "gone", bytes: 1, entries: 1 })).rejects.toThrow("are missing");
  });
});
