import { describe, expect, it } from "vitest";
import { memoryObjects as datedObjects } from "../../../test/simulation/ports/objects.ts";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { aFile, aManifest } from "../../../test/support/layouts.ts";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { audit } from "../audit.ts";
import { getManifest } from "../catalogue/manifests.ts";
import { swap } from "../catalogue/swap.ts";
import { initialHead } from "../head.ts";
import { POLICIES } from "../policy.ts";
import { footerKeys, unnamedFooters, withFootersOutside } from "./footers.ts";

const policy = POLICIES.deployed;
const PROJECT = 3;
const FOOTER_BYTES = 15_000;

const aFooted = (at: number) =>
  aFile(`events/${at}`, 10, at, at, { footerBytes: FOOTER_BYTES, footer: Buffer.alloc(FOOTER_BYTES, at).toString("base64") });

const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => aFooted(from + at));

const partsOver = (objects: ReturnType<typeof memoryObjects>) => {
  let ids = 0;
  return {
    table: memoryTable(),
    objects,
    clock: { now: () => 0 },
    ids: { ulid: () => `id${ids++}`, uuid: () => "", secret: () => new Uint8Array() },
  };
};

describe("a manifest's footers", () => {
  it("stay inside as long as they are few", async () => {
    const objects = memoryObjects();
    const manifest = aManifest([aFooted(1), aFooted(2)], [aFooted(3)]);
    expect(await withFootersOutside(partsOver(objects), policy, PROJECT, manifest)).toBe(manifest);
    expect(objects.contents.size).toBe(0);
  });

  it("lie beside the files once they are many, in a few objects, and each is found there", async () => {
    const objects = memoryObjects();
    const files = Array.from({ length: 150 }, (_, at) => aFooted(at));
    const manifest = await withFootersOutside(partsOver(objects), policy, PROJECT, aManifest(files.slice(0, 140), files.slice(140)));
    expect(objects.contents.size).toBe(3);
    expect(JSON.stringify(manifest).length / files.length, "bytes of a file in the manifest").toBeLessThan(400);
    for (const [at, { footer, footerAt, footerBytes }] of [...manifest.files, ...manifest.loose].entries()) {
      expect(footer).toBeUndefined();
      const content = objects.contents.get(footerAt?.key ?? "")?.subarray(footerAt?.from, (footerAt?.from ?? 0) + footerBytes);
      expect(content).toEqual(new Uint8Array(FOOTER_BYTES).fill(at % 256));
    }
  });

  it("are moved once, and everything else of a file stays as it is", async () => {
    const plain = (at: number) => aFile(`events/${at}`, 10, at, at);
    const objects = memoryObjects();
    const parts = partsOver(objects);
    const before = await withFootersOutside(parts, policy, PROJECT, aManifest(many(0, 20), []));
    const mixed = aManifest([...before.files, plain(30)], [...many(40, 20), plain(70)]);
    const after = await withFootersOutside(parts, policy, PROJECT, mixed);
    expect(after.files).toEqual(mixed.files);
    expect(after.loose.at(-1)).toEqual(plain(70));
    for (const [at, { footerAt, ...file }] of after.loose.slice(0, -1).entries()) {
      const { footer: _, ...told } = aFooted(40 + at);
      expect(file).toEqual(told);
      expect(footerAt?.from).toBe(at * FOOTER_BYTES);
    }
    expect(objects.contents.size).toBe(2);
    expect([...footerKeys(after)]).toEqual([...footerKeys(before), after.loose[0]?.footerAt?.key]);
    expect(footerKeys(null)).toEqual(new Set());
  });

  it("leave the manifest unwritten when they could not be written", async () => {
    const objects = { ...memoryObjects(), put: () => Promise.reject(new Error("no room")) };
    await expect(withFootersOutside(partsOver(objects), policy, PROJECT, aManifest(many(0, 20), []))).rejects.toThrow("no room");
  });

  it("are no longer named when the last file of their object is gone", async () => {
    const files = Array.from({ length: 150 }, (_, at) => aFooted(at));
    const before = await withFootersOutside(partsOver(memoryObjects()), policy, PROJECT, aManifest(files, []));
    const [first = "", ...others] = footerKeys(before);
    const left = before.files.filter(({ footerAt }) => footerAt?.key !== first);
    expect(unnamedFooters(before, { ...before, files: left })).toEqual([first]);
    expect(unnamedFooters(before, { ...before, files: before.files.slice(1) })).toEqual([]);
    expect(unnamedFooters(null, before)).toEqual([]);
    expect(others).toHaveLength(2);
  });

  it("are kept by the audit while a manifest names them, and only then", async () => {
    let now = Date.UTC(2026, 2, 1);
    const objects = datedObjects({ now: () => now });
    const parts = { ...partsOver(memoryObjects()), objects, clock: { now: () => now } };
    await parts.table.transact([{ kind: "put", item: initialHead(PROJECT, now) }]);
    const files = Array.from({ length: 20 }, (_, at) => aFooted(at));
    const named = await withFootersOutside(parts, policy, PROJECT, aManifest(files, []));
    const stray = await withFootersOutside(parts, policy, PROJECT, aManifest(files, []));
    expect(await swap(parts, policy, PROJECT, named.partition, null, named, null, { retired: [] })).toBe("done");
    now += 3 * policy.orphanAgeMs;
    await audit(parts, policy, PROJECT);
    for (const key of footerKeys(named)) expect(await objects.get(key), "named").toBeDefined();
    for (const key of footerKeys(stray)) expect(await objects.get(key), "not named").toBeUndefined();
    expect(await getManifest(objects, PROJECT, named.partition, named.id)).toEqual(named);
  });
});
