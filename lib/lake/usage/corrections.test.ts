import { describe, expect, it } from "vitest";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { aCommit, aFile, aManifest, PROJECT } from "../../../test/support/samples/small-lake.ts";
import { pack } from "../catalogue/pack.ts";
import { correctedDeltas, correctionsOf } from "./corrections.ts";

const PARTITION = "2024-10";
const DELTAS = { seen: [], persons: [], groups: [] };
const unused = () => Promise.reject(new Error("nothing was dropped, so no file is read"));

describe("corrections", () => {
  it("of commits that are deleted are named no longer, and their objects retired", async () => {
    const gone = { key: "gone", commits: ["c1", "c2"] };
    const kept = { key: "kept", commits: ["c2", "c3"] };
    const objects = memoryObjects();
    const parts = { objects, ids: { ulid: () => "u" }, rowFiles: { sightings: unused } } as unknown as Parameters<typeof correctionsOf>[0];
    const old = aManifest("m1", { corrections: [gone, kept] });
    expect(await correctionsOf(parts, PROJECT, old, [aCommit("c3", 0)], [], PARTITION, new Map())).toEqual({
      corrections: [kept],
      retired: ["gone"],
    });
  });

  it.each([
    ["lack the commit that they are named for", { v: 1, commits: {} }, "lack commit c1"],
    ["are of a version that comes later", { v: 99, commits: { c1: { ids: [], seen: [], gone: [] } } }, "newer than this version"],
  ])("are refused where they %s: persons would be wrong without a word", async (_, stored, said) => {
    const objects = memoryObjects();
    await objects.put("corrections", pack(stored));
    const commit = aCommit("c1", 0, { segments: [{ ...aFile("f"), partition: PARTITION }] });
    const manifest = aManifest("m1", { corrections: [{ key: "corrections", commits: ["c1"] }] });
    await expect(correctedDeltas(objects, commit, DELTAS, new Map([[PARTITION, manifest]]))).rejects.toThrow(said);
  });
});
