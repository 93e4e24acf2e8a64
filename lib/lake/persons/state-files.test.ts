import { beforeEach, describe, expect, it } from "vitest";
import { type CountedObjects, memoryObjects } from "../../../test/support/memory-objects.ts";
import type { StateFile } from "../catalogue.ts";
import { parquetFile, readParquet } from "../parquet.ts";
import { encodeLog, type IdLog } from "./person-log.ts";
import { buildColumns, type ChosenRows } from "./state-columns.ts";
import { findRows, layeredFiles, tiedLogs, writeFiles } from "./state-files.ts";
import type { StateKind, StateRow } from "./state-rows.ts";

const PROJECT = 7;

let objects: CountedObjects;
let ulids = 0;
beforeEach(() => {
  objects = memoryObjects();
});
const parts = () => {
  return { objects, ids: { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() } };
};

/** A log that tells itself from others by when its id was seen, alone or merged into another. */
const log = (last: number, ...targets: readonly string[]): IdLog => ({
  seen: { first: { time: 1n, index: 0, uuid: "u" }, last: BigInt(last) },
  ops: [],
  targets,
});

const chosen = <K extends StateKind>(kind: K, rows: readonly StateRow<K>[]): ChosenRows => {
  const columns = buildColumns(kind, rows);
  return { from: rows.map(() => columns), at: rows.map((_, at) => at) };
};

async function* lists(...all: readonly ChosenRows[]): AsyncGenerator<ChosenRows> {
  yield* all;
}

const logFiles = (layer: number, ...all: readonly (readonly StateRow<"history">[])[]): Promise<readonly StateFile[]> =>
  writeFiles(parts(), PROJECT, "history", lists(...all.map((rows) => chosen("history", rows))), layer);

const found = async (files: readonly StateFile[], ...keys: readonly string[]): Promise<Readonly<Record<string, number>>> => {
  const rows = await findRows(objects, "history", files, new Set(keys));
  return Object.fromEntries([...rows].map(([key, { seen }]) => [key, Number(seen?.last)]));
};

describe("files of a state", () => {
  it("are written one for each list, and say what is in them", async () => {
    const rows = ["a", "b", "c", "d"].map((id, at) => [id, log(at)] as const);
    const files = await logFiles(0, rows.slice(0, 3), rows.slice(3));
    expect(files).toEqual(
      [
        { rows: 3, keys: ["a", "c"] },
        { rows: 1, keys: ["d", "d"] },
      ].map((each, at) => ({ ...each, key: files[at]?.key, bytes: objects.contents.get(files[at]?.key ?? "")?.length, layer: 0, v: 2 })),
    );
    expect(new Set(files.map(({ key }) => key)).size).toBe(2);
    expect(await found(files, "a", "b", "c", "d", "e")).toEqual({ a: 0, b: 1, c: 2, d: 3 });
  });

  it("say whether properties in them may hold whole numbers beyond 64 bits, where they have properties", async () => {
    const person = (id: string, properties: string) =>
      [id, { distinct_id: id, created_at: 1n, properties, is_identified: true, last_seen_at: 1n }] as const;
    const [small, big] = [
      person(`${"0".repeat(8)}-0000-4000-8000-${"0".repeat(12)}`, '{"n":1}'),
      person(`${"0".repeat(8)}-0000-4000-8000-${"1".repeat(12)}`, '{"n":18446744073709551616}'),
    ];
    const group = [
      "0:a",
      {
        slot: 0,
        key: "a",
        createdAt: 1n,
        updatedAt: 1n,
        properties: new Map([["n", { at: { time: 1n, index: 0, uuid: "u" }, value: JSON.rawJSON("-9223372036854775809") }]]),
      },
    ] as const;
    const facts = async (kind: StateKind, ...all: readonly ChosenRows[]) =>
      (await writeFiles(parts(), PROJECT, kind, lists(...all), 0)).map(({ bigIntegers }) => bigIntegers);
    const persons = chosen("persons", [small, big]);
    expect(await facts("persons", { ...persons, at: [0, 0] }, persons, chosen("persons", [["a", null]]))).toEqual([false, true, false]);
    expect(await facts("groups", chosen("groups", [group]))).toEqual([true]);
    expect(await facts("history", chosen("history", [["a", log(1)]]))).toEqual([undefined]);
  });

  it("say of their rows that they are gone only where they replace others", async () => {
    const columns = async (layer: number) => {
      const [file] = await logFiles(layer, [["a", log(1)]]);
      const [row] = await readParquet(objects.contents.get(file?.key ?? "") ?? new Uint8Array());
      return Object.keys(row ?? {});
    };
    expect([await columns(0), await columns(1), await columns(2)]).toEqual([
      ["distinct_id", "log", "tied"],
      ["distinct_id", "log", "tied", "gone"],
      ["distinct_id", "log", "tied", "gone"],
    ]);
  });

  it("are said to be there only once they are stored", async () => {
    objects.put = () => Promise.reject(new Error("the store does not answer"));
    await expect(logFiles(0, [["a", log(1)]])).rejects.toThrow("the store does not answer");
  });

  it("of layers are those above the snapshot", () => {
    const files = [undefined, 0, 1, 2].map(
      (layer): StateFile => ({ key: String(layer), bytes: 1, rows: 1, ...(layer === undefined ? {} : { layer }) }),
    );
    expect(layeredFiles(files).map(({ key }) => key)).toEqual(["1", "2"]);
  });
});

describe("a look-up in a state", () => {
  it("finds nothing where there are no files", async () => {
    expect(await found([], "a")).toEqual({});
  });

  it("takes the row of the highest layer, in whatever order files are named, also where it says that a row is gone", async () => {
    const [base] = await logFiles(
      0,
      ["a", "b", "c", "d", "e"].map((id) => [id, log(0)] as const),
    );
    const first = await logFiles(1, [
      ["b", log(1)],
      ["c", log(1)],
      ["d", null],
      ["e", null],
    ]);
    const second = await logFiles(2, [
      ["c", log(2)],
      ["e", log(2)],
    ]);
    const { layer: _, ...unnumbered } = base ?? { key: "", bytes: 0, rows: 0 };
    const wanted = { a: 0, b: 1, c: 2, e: 2 };
    for (const files of [
      [unnumbered, ...first, ...second],
      [...first, unnumbered, ...second],
      [...second, ...first, unnumbered],
      [...second, unnumbered, ...first],
      [...first, ...second, { ...unnumbered, layer: 0 }],
    ])
      expect(await found(files, "e", "a", "d", "c", "b", "f")).toEqual(wanted);
  });

  it("finds no group that a higher layer says is gone, whatever stands in its key", async () => {
    const keys = ["corp", "a:b", ""];
    const groups = (layer: number, ...rows: readonly StateRow<"groups">[]) =>
      writeFiles(parts(), PROJECT, "groups", lists(chosen("groups", rows)), layer);
    const rowOf = (key: string): StateRow<"groups"> => [`3:${key}`, { slot: 3, key, createdAt: 1n, updatedAt: 1n, properties: new Map() }];
    const base = await groups(0, ...[...keys, "kept"].map(rowOf).sort());
    const gone = await groups(1, ...keys.map((key): StateRow<"groups"> => [`3:${key}`, null]).sort());
    const names = new Set([...keys, "kept"].map((key) => `3:${key}`));
    expect((await findRows(objects, "groups", base, names)).size).toBe(4);
    expect([...(await findRows(objects, "groups", [...base, ...gone], names)).keys()]).toEqual(["3:kept"]);
  });

  it.each([
    [["a"], 0],
    [["b"], 1],
    [["c"], 1],
    [["d"], 1],
    [["e"], 0],
    [["a", "e"], 0],
    [["a", "d", "e"], 1],
    [[], 0],
  ])("of %j reads %i of the one file that holds b to d", async (keys, reads) => {
    const files = await logFiles(0, [
      ["b", log(1)],
      ["d", log(2)],
    ]);
    const had = { b: 1, d: 2 };
    expect(await found(files, ...keys)).toEqual(Object.fromEntries(Object.entries(had).filter(([key]) => keys.includes(key))));
    expect(objects.counts.requests).toBe(reads);
  });

  it("reads a file that does not say what it holds", async () => {
    const [file] = await logFiles(0, [
      ["b", log(1)],
      ["d", log(2)],
    ]);
    const { keys: _, ...first } = file ?? { key: "", bytes: 0, rows: 0 };
    expect(await found([first], "a", "b", "d")).toEqual({ b: 1, d: 2 });
    expect(await found([first], "b")).toEqual({ b: 1 });
    expect(objects.counts.requests).toBe(1);
  });

  it("finds each of many keys at its place", async () => {
    const ids = Array.from({ length: 100 }, (_, at) => String(at).padStart(3, "0"));
    const files = await logFiles(
      0,
      ids.slice(0, 37).map((id) => [id, log(Number(id))] as const),
      ids.slice(37).map((id) => [id, log(Number(id))] as const),
    );
    expect(await found(files, ...ids.toReversed(), "0005", "x")).toEqual(Object.fromEntries(ids.map((id) => [id, Number(id)])));
    expect(objects.counts.requests).toBe(2);
  });

  it.each([
    [1, 1_000, 1],
    [100_000, 1_000, 1],
    [1_000_000, 1_000, 2],
    [1, 5_000_000, 1],
    [1, 50_000_000, 2],
    [1_000_000, 25_000_000, 2],
  ])("that comes again reads a file of %i rows and %i bytes %i times", async (rows, bytes, reads) => {
    const files = (await logFiles(0, [["a", log(1)]])).map((file) => ({ ...file, rows, bytes }));
    for (let again = 0; again < 2; again += 1) expect(await found(files, "a")).toEqual({ a: 1 });
    expect(objects.counts.requests).toBe(reads);
  });
});

describe("the logs that merges tie to others", () => {
  it("are found in all files, the highest layer's first, and no others with them", async () => {
    const base = await logFiles(
      0,
      [
        ["a", log(0, "z")],
        ["b", log(0)],
        ["c", log(0, "z")],
        ["d", log(0)],
      ],
      [["e", log(0, "z")]],
    );
    const layer = await logFiles(1, [
      ["c", log(1, "z")],
      ["d", log(1, "z")],
      ["f", null],
    ]);
    for (const files of [
      [...base, ...layer],
      [...layer, ...base],
    ]) {
      const logs = await tiedLogs(objects, files);
      expect(Object.fromEntries([...logs].map(([id, { seen }]) => [id, Number(seen?.last)]))).toEqual({ a: 0, c: 1, d: 1, e: 0 });
    }
  });

  it("are found in files of the first version, which did not say so", async () => {
    const text = (name: string, values: readonly string[]) => ({ name, kind: "utf8", values, nullable: false, repeats: false }) as const;
    const columns = [text("distinct_id", ["a", "b"]), text("log", [encodeLog(log(1)), encodeLog(log(2, "z"))])];
    await objects.put("old", (await parquetFile(columns, 2, { v: "1" })).content);
    expect([...(await tiedLogs(objects, [{ key: "old", bytes: 1, rows: 2 }])).keys()]).toEqual(["b"]);
  });
});
