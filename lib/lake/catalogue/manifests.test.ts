import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { aFile, aManifest, aState, PROJECT } from "../../../test/support/samples/small-lake.ts";
import { OBJECT_WORTH_PACKING, pack } from "../../core/pack.ts";
import { CATALOGUE_FORMAT } from "../catalogue.ts";
import { manifestKey } from "../paths.ts";
import { getManifest, getStateManifest, putManifest } from "./manifests.ts";

const PARTITION = "2024-10";
/** Of seven megabytes of memory; a footer of noise cannot be packed, one of zeros is packed to nothing. */
const aLargeManifest = (id: string, filling: "noise" | "zeros" = "noise") => {
  const noise = (): Buffer => createHash("shake256", { outputLength: 3_000_000 }).update(id).digest();
  const footer = (filling === "noise" ? noise() : Buffer.alloc(3_000_000)).toString("base64");
  return aManifest(id, { files: [aFile(id, { footer })] });
};

describe("a manifest", () => {
  it("is read back, and is missing where the store no longer has it", async () => {
    const objects = memoryObjects();
    await putManifest(objects, PROJECT, PARTITION, aManifest("m1"));
    await putManifest(objects, PROJECT, "state", aState("s1"));
    const later = { ...memoryObjects(), get: objects.get };
    expect(await getManifest(later, PROJECT, PARTITION, "m1")).toEqual(aManifest("m1"));
    expect(await getStateManifest(later, PROJECT, "state", "s1")).toEqual(aState("s1"));
    expect(await getManifest(later, PROJECT, PARTITION, "m2")).toBeUndefined();
    expect(await getStateManifest(later, PROJECT, "state", "s2")).toBeUndefined();
  });
  it("is refused where it is of another kind or of a later format", async () => {
    const objects = memoryObjects();
    await putManifest(objects, PROJECT, PARTITION, aManifest("m1"));
    await putManifest(objects, PROJECT, "state", aState("s1"));
    await expect(getStateManifest(objects, PROJECT, PARTITION, "m1")).rejects.toThrow("another kind");
    await expect(getManifest(objects, PROJECT, "state", "s1")).rejects.toThrow("another kind");
    const newer = pack({ ...aManifest("m2"), v: CATALOGUE_FORMAT + 2 }, OBJECT_WORTH_PACKING);
    await objects.put(manifestKey(PROJECT, PARTITION, "m2"), newer);
    await expect(getManifest(objects, PROJECT, PARTITION, "m2")).rejects.toThrow("newer than this version");
  });
  it.each(["noise", "zeros"] as const)(
    "is fetched once while there is room, and what was asked for lately stays longest: %s",
    async (filling) => {
      const objects = memoryObjects();
      const ids = Array.from({ length: 12 }, (_, at) => `m${at}`);
      const asked = async (id: string): Promise<number> => {
        const before = objects.counts.requests;
        await getManifest(objects, PROJECT, PARTITION, id);
        return objects.counts.requests - before;
      };
      for (const id of ids.slice(0, 4)) await putManifest(objects, PROJECT, PARTITION, aLargeManifest(id, filling));
      expect([await asked("m0"), await asked("m3")]).toEqual([0, 0]);
      for (const id of ids.slice(4)) {
        await putManifest(objects, PROJECT, PARTITION, aLargeManifest(id, filling));
        expect(await asked("m0")).toBe(0);
      }
      expect(await asked("m1")).toBe(1);
      expect([await asked("m1"), await asked("m0"), await asked("m11")]).toEqual([0, 0, 0]);
    },
  );
  it("takes its room where it was read, too", async () => {
    const [objects, ids] = [memoryObjects(), Array.from({ length: 12 }, (_, at) => `m${at}`)];
    for (const id of ids) await putManifest(objects, PROJECT, PARTITION, aLargeManifest(id, "zeros"));
    const reader = { ...objects };
    for (const id of ids) await getManifest(reader, PROJECT, PARTITION, id);
    const before = objects.counts.requests;
    for (const id of ["m11", "m0"]) await getManifest(reader, PROJECT, PARTITION, id);
    expect(objects.counts.requests - before).toBe(1);
  });
  it("takes its room once, however often it is put", async () => {
    const objects = memoryObjects();
    const ids = Array.from({ length: 6 }, (_, at) => `m${at}`);
    for (const id of [...ids, ...ids]) await putManifest(objects, PROJECT, PARTITION, aLargeManifest(id));
    for (const id of ids) await getManifest(objects, PROJECT, PARTITION, id);
    expect(objects.counts.requests).toBe(0);
  });
});
