import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ObjectFacts, Objects } from "../../lib/ports/objects.ts";

const MIB = 1024 * 1024;

/** Bytes that differ from place to place, so that a wrong part or offset shows. */
const pattern = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  for (let place = 0; place < length; place += 1) bytes[place] = (place * 31 + (place >> 8)) & 0xff;
  return bytes;
};

export interface ObjectsSuiteOptions {
  /** False where nothing is uploaded from a file. */
  readonly files?: boolean;
  /** Objects of a listing at most, as the store under test was told. */
  readonly pageSize: number;
}

/**
 * What every object store promises, be it S3, the embedded one or the one in memory. Each test has a prefix of its own.
 */
export const objectsSuite = (name: string, objects: () => Objects, { files = true, pageSize }: ObjectsSuiteOptions): void => {
  describe(`the object port on ${name}`, () => {
    let prefixes = 0;
    const prefix = (): string => {
      prefixes += 1;
      return `suite/${Date.now().toString(36)}/${prefixes}/project=1/`;
    };

    const listed = async (under: string): Promise<readonly ObjectFacts[]> => {
      const all: ObjectFacts[] = [];
      let cursor: string | null = null;
      do {
        const page = await objects().list(under, cursor);
        all.push(...page.objects);
        cursor = page.cursor;
      } while (cursor !== null);
      return all;
    };

    test("what is put is got back, whole and by ranges", async () => {
      const key = `${prefix()}file.parquet`;
      const bytes = pattern(70_000);
      await objects().put(key, bytes);
      expect(await objects().get(key)).toEqual(bytes);
      expect(await objects().getRange(key, 0, 1)).toEqual(bytes.slice(0, 1));
      expect(await objects().getRange(key, 65_000, 70_000)).toEqual(bytes.slice(65_000));
    });

    test("an object that does not exist is undefined", async () => {
      const key = `${prefix()}nothing`;
      expect(await objects().get(key)).toBeUndefined();
      expect(await objects().getRange(key, 0, 10)).toBeUndefined();
    });

    test("an object may be empty", async () => {
      const key = `${prefix()}empty`;
      await objects().put(key, new Uint8Array(0));
      expect(await objects().get(key)).toEqual(new Uint8Array(0));
    });

    test("the last write of a key wins", async () => {
      const key = `${prefix()}usage`;
      await objects().put(key, pattern(10));
      await objects().put(key, pattern(3));
      expect(await objects().get(key)).toEqual(pattern(3));
    });

    test.each([3 * MIB + 1, 20 * MIB + 7])("an object of %i bytes is uploaded from memory and from a file", async (length) => {
      const folder = await mkdtemp(join(tmpdir(), "objects-"));
      const bytes = pattern(length);
      const keys = prefix();
      await writeFile(join(folder, "file"), bytes);
      await objects().put(`${keys}from-memory`, bytes);
      if (files) await objects().putFile(`${keys}from-file`, join(folder, "file"));
      await rm(folder, { recursive: true });
      for (const { key } of await listed(keys)) {
        const stored = await objects().get(key);
        expect(stored && Buffer.compare(stored, bytes)).toBe(0);
        expect(await objects().getRange(key, length - 9, length)).toEqual(bytes.slice(length - 9));
      }
    });

    test("a listing shows every object below a prefix once, in order, and no other", async () => {
      const keys = prefix();
      const names = ["a/1", "a/2", "a=b/c", "b", "ü"].map((each) => `${keys}${each}`);
      const before = Date.now();
      await Promise.all([...names, `${keys.slice(0, -2)}2/other`].map((key) => objects().put(key, pattern(5))));
      const found = await listed(keys);
      expect(found.map(({ key, bytes }) => [key, bytes])).toEqual(names.map((key) => [key, 5]));
      for (const { modified } of found) expect(Math.abs(modified - before)).toBeLessThan(60_000);
      expect((await listed(`${keys}a/`)).map(({ key }) => key)).toEqual(names.slice(0, 2));
      expect(await listed(`${keys}nothing/`)).toEqual([]);
    });

    test("a listing of more objects than one page holds goes on by its cursor", async () => {
      const keys = prefix();
      const names = Array.from({ length: 2 * pageSize + 1 }, (_, index) => `${keys}${String(index).padStart(5, "0")}`);
      const queue = names.values();
      const writer = async (): Promise<void> => {
        for (const key of queue) await objects().put(key, pattern(1));
      };
      await Promise.all(Array.from({ length: 8 }, writer));
      const first = await objects().list(keys, null);
      expect(first.objects.map(({ key }) => key)).toEqual(names.slice(0, pageSize));
      expect(first.cursor).not.toBeNull();
      expect((await listed(keys)).map(({ key }) => key)).toEqual(names);
      await objects().remove(names);
      expect(await listed(keys)).toEqual([]);
    });

    test("removing takes what is named and minds nothing that is missing", async () => {
      const keys = prefix();
      await objects().put(`${keys}gone`, pattern(1));
      await objects().put(`${keys}kept`, pattern(1));
      await objects().remove([`${keys}gone`, `${keys}never-there`]);
      await objects().remove([]);
      expect((await listed(keys)).map(({ key }) => key)).toEqual([`${keys}kept`]);
    });

    test("a local path, where there is one, is the object's own bytes", async () => {
      const key = `${prefix()}month=2026-01/01ARZ3NDEKTSV4RRFFQ69G5FAV.parquet`;
      await objects().put(key, pattern(1_000));
      const path = objects().localPath(key);
      if (path === undefined) return;
      expect(existsSync(path)).toBe(true);
      expect(new Uint8Array(await readFile(path))).toEqual(pattern(1_000));
    });
  });
};
