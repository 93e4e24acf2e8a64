import { describe, expect, it } from "vitest";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { aCommit, aFile, aManifest, PROJECT } from "../../../test/support/samples/small-lake.ts";
import { pack } from "../../core/pack.ts";
import { correctionKey } from "../paths.ts";
import type { RowSource, Sightings } from "../row-files.ts";
import { correctedDeltas, recordCorrections } from "./corrections.ts";
import type { At, Deltas } from "./deltas.ts";

const PARTITION = "2024-10";
const DELTAS = { seen: [], persons: [], groups: [] };
const unused = () => Promise.reject(new Error("nothing was dropped, so no file is read"));

describe("corrections", () => {
  it("of commits that are deleted are named no longer, and their objects retired", async () => {
    const gone = { key: "gone", commits: ["c1", "c2"] };
    const kept = { key: "kept", commits: ["c2", "c3"] };
    const objects = memoryObjects();
    const parts = { objects, ids: { ulid: () => "u" }, rowFiles: { sightings: unused } } as unknown as Parameters<
      typeof recordCorrections
    >[0];
    const old = aManifest("m1", { corrections: [gone, kept] });
    expect(await recordCorrections(parts, PROJECT, old, [aCommit("c3", 0)], [], PARTITION, new Map())).toEqual({
      corrections: [kept],
      retired: ["gone"],
    });
  });

  it("say of each commit what its rows that stay say instead, and the folding of persons goes by them", async () => {
    const at = (day: number, index = 0): At => ({ time: BigInt(Date.UTC(2024, 9, day)) * 1_000n, index, uuid: `u${index}` });
    const november = { time: BigInt(Date.UTC(2024, 10, 2)) * 1_000n, index: 0, uuid: "n" };
    const found: Readonly<Record<string, Sightings>> = {
      s1: { skipped: [{ id: "ann", at: at(1) }], staying: [{ id: "ann", at: at(5) }] },
      s2: {
        skipped: [
          { id: "bob", at: at(2) },
          { id: "ann", at: at(3) },
        ],
        staying: [
          { id: "bob", at: at(2) },
          { id: "ann", at: at(4) },
          { id: "bob", at: at(9) },
        ],
      },
    };
    const objects = memoryObjects();
    const looked: string[] = [];
    const sightings = async ({ file }: RowSource): Promise<Sightings> => {
      looked.push(file.key);
      return found[file.key] ?? { skipped: [{ id: "eve", at: at(1) }], staying: [] };
    };
    const parts = { objects, ids: { ulid: () => "u" }, rowFiles: { sightings } } as unknown as Parameters<typeof recordCorrections>[0];
    const segment = (key: string, partition = PARTITION) => ({ ...aFile(key), partition });
    const deltas = { inline: "packed" };
    const commits = [
      aCommit("c1", 0, { deltas, segments: [segment("s1"), segment("s2"), segment("s3", "2024-11"), segment("s4")] }),
      aCommit("c2", 0, { segments: [segment("s5")] }),
      aCommit("c3", 0, { deltas, segments: [segment("s6")] }),
    ];
    const skip = new Map(["s1", "s2", "s3", "s5"].map((key) => [key, [0]]));
    const { corrections } = await recordCorrections(parts, PROJECT, null, commits, commits, PARTITION, skip);
    expect(looked).toEqual(["s1", "s2"]);
    expect(corrections).toEqual([{ key: correctionKey(PROJECT, "u"), commits: ["c1"] }]);

    const op = (id: string, when: At) => ({ at: when, id, merge: null, set: { name: id }, setOnce: null, unset: null });
    const group = (when: At) => ({ at: when, slot: 0, key: "acme", set: {} });
    const said: Deltas = {
      seen: [
        { id: "ann", first: at(1), last: at(5).time },
        { id: "bob", first: at(2), last: at(9).time },
        { id: "cid", first: at(1), last: at(1).time },
        { id: "ann", first: november, last: november.time },
      ],
      persons: [op("ann", at(1)), op("cid", at(1)), op("bob", at(2)), op("ann", at(3)), op("ann", at(4))],
      groups: [group(at(1)), group(at(2)), group(at(4))],
    };
    const manifests = new Map([
      [PARTITION, aManifest("m1", { corrections })],
      ["2024-11", aManifest("n1", { partition: "2024-11" })],
    ]);
    const [one = aCommit("none", 0), , other = one] = commits;
    expect(await correctedDeltas(objects, one, said, manifests)).toEqual({
      seen: [
        { id: "cid", first: at(1), last: at(1).time },
        { id: "ann", first: november, last: november.time },
        { id: "ann", first: at(4), last: at(5).time },
        { id: "bob", first: at(2), last: at(9).time },
      ],
      persons: [op("cid", at(1)), op("bob", at(2)), op("ann", at(4))],
      groups: [group(at(2)), group(at(4))],
    });
    expect(await correctedDeltas(objects, other, said, manifests)).toEqual(said);
    await objects.remove([correctionKey(PROJECT, "u")]);
    await expect(correctedDeltas(objects, one, said, manifests)).rejects.toThrow("are missing");
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
