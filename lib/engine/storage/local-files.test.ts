import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import type { FileFacts } from "../../lake/catalogue.ts";
import { segmentKey } from "../../lake/paths.ts";
import { writeSegment } from "../../lake/row-files.ts";
import type { Objects } from "../../ports/objects.ts";
import { columnLayout } from "./layout.ts";
import { type Disk, type LocalFiles, openLocalFiles } from "./local-files.ts";

const PROJECT = 1;
const ROOM = 100_000_000;

/** A store whose answers wait for, or fail by, what a test says of the ranges that it is asked for. */
const objects = memoryObjects();
let onRange: (key: string, from: number) => Promise<void> = async () => undefined;
const store: Objects = {
  ...objects,
  async getRange(key, from, to) {
    await onRange(key, from);
    return objects.getRange(key, from, to);
  },
};
const fails = (): Promise<never> => Promise.reject(new Error("the store does not answer"));

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Something that a test lets happen. */
const gate = () => Promise.withResolvers<void>();

describe("the disk beneath the engine", () => {
  let root = "";
  let a: FileFacts;
  let b: FileFacts;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "local-files-"));
    const write = async (name: string): Promise<FileFacts> => {
      // Large enough that a file is fetched by columns.
      const rows = Array.from({ length: 3_000 }, (_, at) =>
        anEventRow({
          uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`,
          properties: JSON.stringify({ noise: (at * 2_654_435_761).toString(36).repeat(9) }),
        }),
      );
      const { content, ...facts } = await writeSegment(rows, countRows);
      const key = segmentKey(PROJECT, "2025-06", name);
      await objects.put(key, content);
      return { key, ...facts };
    };
    [a, b] = [await write("a"), await write("b")];
  });
  beforeEach(() => {
    onRange = async () => undefined;
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const opened = (limitBytes: number, disk?: Disk): Promise<LocalFiles> => openLocalFiles(store, join(root, "engine"), limitBytes, disk);

  const columns = (file: FileFacts, ...names: readonly string[]) => ({ ...file, columns: names });
  const whole = (file: FileFacts) => ({ ...file, columns: "all" as const });

  /** The bytes of a column in a local file, and those of the stored object. */
  const bytesOf = async (path: string, file: FileFacts, column: string) => {
    const stored = objects.contents.get(file.key) ?? new Uint8Array();
    const ranges = columnLayout(stored.subarray(stored.length - file.footerBytes - 8, stored.length - 8)).get(column) ?? [];
    const local = await readFile(path);
    expect(ranges.length).toBeGreaterThan(0);
    return {
      local: ranges.map(({ from, to }) => digest(local.subarray(from, to))),
      stored: ranges.map(({ from, to }) => digest(stored.subarray(from, to))),
    };
  };
  const expectColumn = async (path: string, file: FileFacts, column: string): Promise<void> => {
    const { local, stored } = await bytesOf(path, file, column);
    expect(local).toEqual(stored);
  };

  /** Time in which the disk does whatever it was asked for before. */
  const turnsOfTheDisk = async (): Promise<void> => {
    for (let turn = 0; turn < 200; turn++) await stat(root);
  };

  it("says the same of the columns that are needed of a file in place as of one that it fetches", async () => {
    const plain = join(root, "plain.parquet");
    await writeFile(plain, objects.contents.get(a.key) ?? new Uint8Array());
    const needed = async (of: Objects, name: string): Promise<readonly number[]> => {
      const files = await openLocalFiles(of, join(root, name), 10_000_000);
      const found: number[] = [];
      for (const names of [["event"], ["event", "timestamp"], ["event"]]) {
        const held = await files.hold(PROJECT, [columns(a, ...names)]);
        found.push(held.neededBytes);
        held.release();
      }
      return found;
    };
    const fetched = await needed(objects, "fetched");
    expect(fetched[0]).toBeGreaterThan(0);
    expect(fetched[1]).toBeGreaterThan(fetched[0] ?? 0);
    expect(await needed({ ...objects, localPath: () => plain }, "in-place")).toEqual(fetched);
  });

  it("asks again for a column that could not be fetched", async () => {
    const local = await opened(ROOM);
    (await local.hold(PROJECT, [columns(a, "event")])).release();
    onRange = fails;
    await expect(local.hold(PROJECT, [columns(a, "event", "identity")])).rejects.toThrow("does not answer");
    onRange = async () => undefined;
    const held = await local.hold(PROJECT, [columns(a, "identity")]);
    await expectColumn(held.path(a.key), a, "identity");
  });

  it("gives a column to nobody before it is fetched", async () => {
    const local = await opened(ROOM);
    (await local.hold(PROJECT, [columns(a, "event")])).release();
    const arrives = gate();
    onRange = () => arrives.promise;
    const first = local.hold(PROJECT, [columns(a, "identity")]);
    let given = false;
    const second = local.hold(PROJECT, [columns(a, "identity")]).finally(() => {
      given = true;
    });
    await turnsOfTheDisk();
    expect(given).toBe(false);
    arrives.resolve();
    await first;
    await expectColumn((await second).path(a.key), a, "identity");
  });

  it("leaves the columns that somebody reads as they are while a file is fetched whole, and when that fails", async () => {
    const local = await opened(ROOM);
    const held = await local.hold(PROJECT, [columns(a, "identity")]);
    const arrives = gate();
    onRange = () => arrives.promise;
    const all = local.hold(PROJECT, [whole(a)]);
    await turnsOfTheDisk();
    await expectColumn(held.path(a.key), a, "identity");
    arrives.reject(new Error("the store does not answer"));
    await expect(all).rejects.toThrow("does not answer");
    onRange = async () => undefined;
    await expectColumn((await local.hold(PROJECT, [columns(a, "identity")])).path(a.key), a, "identity");
  });

  it("fails only when all that was asked for has ended, so that nothing is written to files that may go", async () => {
    const local = await opened(ROOM);
    const arrives = gate();
    onRange = (key) => (key === a.key ? fails() : arrives.promise);
    let ended = false;
    const held = local.hold(PROJECT, [whole(a), whole(b)]).finally(() => {
      ended = true;
    });
    held.catch(() => undefined);
    await turnsOfTheDisk();
    expect(ended).toBe(false);
    arrives.resolve();
    await expect(held).rejects.toThrow("does not answer");
  });

  it("lets go of files after an error, and of one that was named twice", async () => {
    const local = await opened(1);
    (await local.hold(PROJECT, [columns(a, "event"), columns(a, "identity")])).release();
    onRange = (key) => (key === a.key ? Promise.resolve() : fails());
    await expect(local.hold(PROJECT, [whole(a), whole(b)])).rejects.toThrow("does not answer");
    onRange = async () => undefined;
    await expect(local.hold(PROJECT, [whole(a), { ...whole(b), key: "a key'" }])).rejects.toThrow("has characters");
    await local.holdBytes(PROJECT, "own", async () => new Uint8Array(10));
    expect(await readdir(local.readable(PROJECT))).toEqual(["own"]);
  });

  it("keeps files that are held however little room there is", async () => {
    const local = await opened(1);
    const held = await local.hold(PROJECT, [whole(a)]);
    (await local.hold(PROJECT, [whole(b)])).release();
    await local.holdBytes(PROJECT, "own", async () => new Uint8Array(10));
    expect(await readFile(held.path(a.key))).toEqual(Buffer.from(objects.contents.get(a.key) ?? []));
  });

  it("makes room with files that nobody holds, however old those are that somebody does", async () => {
    const local = await opened(a.bytes + 20);
    const held = await local.hold(PROJECT, [whole(a)]);
    for (const name of ["one", "two", "three"]) (await local.holdBytes(PROJECT, name, async () => new Uint8Array(10))).release();
    expect(await readdir(local.readable(PROJECT))).toEqual([basename(held.path(a.key)), "three", "two"]);
  });

  it("makes room where more files are there than it keeps, with those that were used longest ago", async () => {
    const local = await openLocalFiles(store, join(root, "engine"), ROOM, { unlink }, 2);
    for (const name of ["one", "two", "one", "three", "four"])
      (await local.holdBytes(PROJECT, name, async () => new Uint8Array(10))).release();
    expect((await readdir(local.readable(PROJECT))).toSorted()).toEqual(["four", "three"]);
    const held = await local.holdBytes(PROJECT, "three", async () => new Uint8Array(10));
    for (const name of ["five", "six"]) (await local.holdBytes(PROJECT, name, async () => new Uint8Array(10))).release();
    expect((await readdir(local.readable(PROJECT))).toSorted()).toEqual(["six", "three"]);
    held.release();
  });

  it("removes a file once, however many need its room", async () => {
    const removed: string[] = [];
    const local = await opened(1, {
      async unlink(path) {
        removed.push(path);
        await unlink(path);
      },
    });
    const held = await local.hold(PROJECT, [whole(a)]);
    const path = held.path(a.key);
    held.release();
    const own = ["one", "two", "three"].map((name) => local.holdBytes(PROJECT, name, async () => new Uint8Array(10)));
    for (const each of await Promise.all(own)) each.release();
    expect(removed.filter((each) => each === path)).toEqual([path]);
  });

  it.each([
    ["whole", (file: FileFacts) => whole(file)],
    ["by columns", (file: FileFacts) => columns(file, "identity")],
  ])("keeps a file that is asked for %s while it is being removed", async (_, wanted) => {
    const removes = gate();
    const removing = gate();
    const local = await opened(1, {
      async unlink(path) {
        removing.resolve();
        await removes.promise;
        await unlink(path);
      },
    });
    (await local.hold(PROJECT, [wanted(a)])).release();
    const other = local.hold(PROJECT, [wanted(b)]);
    await removing.promise;
    const again = local.hold(PROJECT, [wanted(a)]);
    await turnsOfTheDisk();
    removes.resolve();
    await other;
    const held = await again;
    await turnsOfTheDisk();
    await expectColumn(held.path(a.key), a, "identity");
    onRange = fails;
    expect((await local.hold(PROJECT, [wanted(a)])).path(a.key)).toBe(held.path(a.key));
  });
});
