import { readdir } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countingLeases, openEngineStorage } from "../../../test/support/engine-storage.ts";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import { aFile } from "../../../test/support/samples/small-lake.ts";
import type { EventRow } from "../../event/event.ts";
import { type FileFacts, ROW_BYTES } from "../../lake/catalogue.ts";
import { readFooter } from "../../lake/parquet.ts";
import { segmentKey } from "../../lake/paths.ts";
import { type RowSource, writeSegment } from "../../lake/row-files.ts";
import type { Objects } from "../../ports/objects.ts";
import { countUsage, sumUsage } from "../../usage/day-counts.ts";
import type { Databases } from "../duckdb/databases.ts";
import { quoteName } from "../duckdb/sql-text.ts";
import { columnTypes } from "../query/scans/scan-sql.ts";
import type { LocalFiles } from "./local-files.ts";
import { mergeFiles } from "./merge.ts";
import { MERGE_SIZES, planPieces } from "./merge-pieces.ts";
import { recountFile } from "./source-usage.ts";

const PROJECT = 1;
const DAY = 20_250;
const DAY_US = 86_400_000_000n;
const FACES = Array.from({ length: 50 }, (_, at) => String.fromCodePoint(0x1f600 + at));

describe("what a merge writes", () => {
  const objects = memoryObjects();
  let local: LocalFiles;
  let close: () => Promise<void>;
  let databases: Databases;
  let keys = 0;
  const nextKey = (): string => segmentKey(PROJECT, "2025-06", String(keys++).padStart(4, "0"));

  beforeAll(async () => {
    ({ local, databases, close } = await openEngineStorage(objects));
  });
  afterAll(() => close());

  const rowAt = (at: number, changes: Partial<EventRow> = {}): EventRow =>
    anEventRow({
      uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`,
      timestamp: BigInt(DAY) * DAY_US + BigInt(at),
      index: at,
      ...changes,
    });
  const rowsOf = (count: number, changes: (at: number) => Partial<EventRow> = () => ({})): readonly EventRow[] =>
    Array.from({ length: count }, (_, at) => rowAt(at, changes(at)));

  const stored = async (rows: readonly EventRow[]): Promise<FileFacts> => {
    const { content, ...facts } = await writeSegment(rows, countRows);
    const key = nextKey();
    await objects.put(key, content);
    return { key, ...facts };
  };

  const whole = (file: FileFacts): RowSource => ({ file, skip: [] });
  const merging = (changes: Partial<Parameters<typeof mergeFiles>[0]> = {}) =>
    mergeFiles({ objects, local, databases, countUsage: countRows, ...changes }, { ...MERGE_SIZES, fileBytes: 1e12 });
  const merged = async (...sources: readonly RowSource[]): Promise<FileFacts> => {
    const [file] = await merging()(PROJECT, sources, "one", nextKey);
    if (file === undefined) throw new Error("nothing was merged");
    return file;
  };
  const footerOf = ({ key, footerBytes }: FileFacts): Uint8Array => {
    const content = objects.contents.get(key) ?? new Uint8Array();
    return content.subarray(content.length - 8 - footerBytes, content.length - 8);
  };

  it("is said to have the events that it has, unless these are very many", async () => {
    const events = (count: number): string[] => Array.from({ length: count }, (_, at) => `event ${String(at).padStart(2, "0")}`);
    const some = await merged(whole(await stored(rowsOf(64, (at) => ({ event: events(64)[at] ?? "" })))));
    expect(some.events).toEqual(events(64));
    const many = await merged(whole(await stored(rowsOf(65, (at) => ({ event: events(65)[at] ?? "" })))));
    expect(many.events).toBeNull();
  });

  it.each([
    ["short of very long ids", ["a".repeat(300), "b".repeat(300)], ["a".repeat(200), "b".repeat(200)]],
    ["by code units", ["\u{1F600}", "\uFFEE", "z"], ["z", "\uFFEE"]],
    ["by code units, of many letters beyond the first 65,536", FACES.toReversed(), [FACES[0], FACES[49]]],
  ])("is said to lie between its ids, %s", async (_, ids, bounds) => {
    const file = await merged(whole(await stored(rowsOf(ids.length, (at) => ({ distinct_id: ids[at] ?? "" })))));
    expect(file.ids).toEqual(bounds);
  });

  it("is said to begin and end on its days, long ago, too", async () => {
    const days = [-719_528, -1, 0, 1];
    const files = await Promise.all(days.map(async (day) => stored([rowAt(0, { timestamp: BigInt(day) * DAY_US + DAY_US - 1n })])));
    expect((await merged(...files.map(whole))).days).toEqual([-719_528, 1]);
    expect((await merged(...files.slice(0, 2).map(whole))).days).toEqual([-719_528, -1]);
  });

  it("comes with the footer that it has", async () => {
    const file = await merged(whole(await stored(rowsOf(10))));
    expect(file.footer).toBe(Buffer.from(footerOf(file)).toString("base64"));
    expect(Number(readFooter(footerOf(file)).num_rows)).toBe(10);
    expect(file.bytes).toBe(objects.contents.get(file.key)?.length);
  });

  it.each([
    ["the narrower, the more of them", 100_000_000, [6_144, 3_856]],
    ["the wider, the fewer", 640_000_000, [2_048, 2_048, 2_048, 2_048, 1_808]],
    ["of the widest as few as the engine can", 640_000_000_000, [2_048, 2_048, 2_048, 2_048, 1_808]],
  ])("has as many rows in a group as a reader has memory for: %s", async (_, plainBytes, groups) => {
    const file = await merged(whole({ ...(await stored(rowsOf(10_000))), plainBytes }));
    expect(readFooter(footerOf(file)).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual(groups);
  });

  it("has the fewer rows in a group, the more of what it is made of is skipped", async () => {
    const file = { ...(await stored(rowsOf(10_000))), plainBytes: 100_000_000 };
    const one = await merged({ file, skip: Array.from({ length: 5_000 }, (_, at) => 2 * at) });
    expect(readFooter(footerOf(one)).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([2_048, 2_048, 904]);
  });

  it("is one file where that is asked for and the rows fit, whatever was said of their size", async () => {
    const days = rowsOf(4, (at) => ({ timestamp: BigInt(DAY + at) * DAY_US }));
    const file = { ...(await stored(days)), plainBytes: 1e15 };
    const sizes = { fileRows: 1, mostRows: 1, fileBytes: 1_000_000 };
    const files = await mergeFiles({ objects, local, databases, countUsage: countRows }, sizes)(PROJECT, [whole(file)], "one", nextKey);
    expect(files.map(({ rows }) => rows)).toEqual([4]);
    expect(files[0]?.plainBytes).toBeLessThan(10_000);
  });

  it("has no more than some 80,000 rows in a group, however narrow they are", async () => {
    const source = whole(await stored(rowsOf(10_000)));
    const file = await merged(...Array.from({ length: 9 }, () => source));
    expect(readFooter(footerOf(file)).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([81_920, 8_080]);
  });

  it("is stored before the merge ends, and leaves nothing on the disk that could not go", async () => {
    const { counting, leases } = countingLeases(local);
    const slow: Objects = {
      ...objects,
      putFile: async (key, path) => {
        for (let turn = 0; turn < 10; turn++) await setImmediate();
        await objects.putFile(key, path);
      },
    };
    const failing: Objects = { ...objects, putFile: () => Promise.reject(new Error("the store does not answer")) };
    const left = async (): Promise<readonly string[]> =>
      (await readdir(local.readable(PROJECT))).filter((name) => name.startsWith("merged"));

    // So many rows are skipped that they are listed in a file of their own.
    const file = await stored(rowsOf(3_000));
    const source = { file, skip: Array.from({ length: 2_500 }, (_, at) => at) };
    const [one] = await merging({ objects: slow, local: counting })(PROJECT, [source], "one", nextKey);
    expect(objects.contents.has(one?.key ?? "")).toBe(true);
    expect(await left()).toEqual([]);
    await expect(merging({ objects: failing, local: counting })(PROJECT, [source], "one", nextKey)).rejects.toThrow("does not answer");
    expect(await left()).toEqual([]);
    expect(leases.held).toBeGreaterThanOrEqual(4);
    expect(leases.open).toBe(0);
  });

  it("puts days together up to a quarter of a million rows", async () => {
    const columns = [...columnTypes("events")].map(([name, type]) => {
      const value = name === "timestamp" ? `make_timestamptz(((${DAY} + i // 50000) * ${DAY_US})::BIGINT)` : `NULL::${type}`;
      return `${value} AS ${quoteName(name)}`;
    });
    const rows = `SELECT ${columns.join(", ")} FROM range(400000) t(i)`;
    const sources = [whole(aFile("long", { rows: 400_000, days: [DAY, DAY + 7] }))];
    const pieces = await databases.alone(PROJECT, 0, (database) => planPieces(database, rows, sources, "days", MERGE_SIZES));
    expect(pieces.map((piece) => piece.rows)).toEqual([250_000, 150_000]);
    expect(pieces.map(({ days }) => days)).toEqual([
      [DAY, DAY + 4],
      [DAY + 5, DAY + 7],
    ]);
    // A row without any text takes its place in memory, too.
    expect(pieces.map(({ plainBytes }) => plainBytes)).toEqual([250_000 * ROW_BYTES, 150_000 * ROW_BYTES]);
  });

  it.each([
    ["one day's rows where they are too many", 1, 2, [2, 2]],
    ["no day's rows that are not", 1, 4, [4]],
    ["a few rows by their days", 4, 4, [1, 1, 1, 1]],
  ])("puts apart %s", async (_, days, mostRows, files) => {
    const file = await stored(rowsOf(4, (at) => ({ timestamp: BigInt(DAY + (at % days)) * DAY_US, distinct_id: `user ${at}` })));
    const sizes = { fileRows: 2 / days, mostRows, fileBytes: 1_000_000 };
    const written = await mergeFiles({ objects, local, databases, countUsage: countRows }, sizes)(PROJECT, [whole(file)], "days", nextKey);
    expect(written.map(({ rows }) => rows)).toEqual(files);
  });

  it.each([
    ["of a day that is split", DAY, 1, 2],
    ["of days that lie long ago, which count together", 10_000, 2, 2],
  ])("counts with each file what it has, %s", async (_, day, days, mostRows) => {
    const rows = rowsOf(6, (at) => ({ timestamp: BigInt(day + (at % days)) * DAY_US, distinct_id: `user ${at}` }));
    const { content, ...facts } = await writeSegment(rows, countUsage);
    const file = { key: nextKey(), ...facts };
    await objects.put(file.key, content);
    const parts = { objects, local, databases, countUsage };
    const merge = mergeFiles(parts, { fileRows: 2 / days, mostRows, fileBytes: 1_000_000 });
    const written = await merge(PROJECT, [whole(file)], "days", nextKey);
    expect(written.length).toBeGreaterThan(1);
    for (const one of written) expect(one.usage).toEqual(await recountFile(parts)(PROJECT, one));

    // Files of a release before may count rows that lie elsewhere: these stay counted.
    const counted = { [day]: { event_count_in_period: 100 } };
    const again = await merge(PROJECT, [whole({ ...file, usage: sumUsage([file, { usage: counted }]) })], "days", nextKey);
    expect(sumUsage(again)).toEqual(sumUsage([...written, { usage: counted }]));
  });

  it("counts nothing of a file that counts nothing, and reads for its counts none that is skipped whole", async () => {
    const uncounted = { ...(await stored(rowsOf(3))), usage: {} };
    const skipped = await stored(rowsOf(3));
    const read: number[] = [];
    const merge = merging({
      countUsage: (rows) => {
        read.push(rows.length);
        return countRows(rows);
      },
    });
    const sources = [
      { file: uncounted, skip: [0] },
      { file: skipped, skip: [0, 1, 2] },
    ];
    const [one] = await merge(PROJECT, sources, "one", nextKey);
    expect(one).toMatchObject({ rows: 2, usage: {} });
    expect(read).toEqual([]);
  });

  it("counts what stays, of each day and of each kind of person", async () => {
    const modes = ["full", "propertyless", "force_upgrade"] as const;
    const rows = rowsOf(12, (at) => ({
      timestamp: BigInt(DAY + (at % 2)) * DAY_US + BigInt(at),
      person_mode: modes[at % 3] ?? "full",
      distinct_id: `user ${String(at).padStart(2, "0")}`,
    }));
    const { content, ...facts } = await writeSegment(rows, countUsage);
    const file = { key: nextKey(), ...facts };
    await objects.put(file.key, content);
    const kept = async (...stays: readonly number[]) => {
      const skip = rows.flatMap((_, at) => (stays.includes(at) ? [] : [at]));
      const [one] = await merging({ countUsage })(PROJECT, [{ file, skip }], "one", nextKey);
      expect(one?.usage).toEqual(countUsage(rows.filter((_, at) => stays.includes(at))));
    };
    for (const [at] of rows.entries()) await kept(at);
    await kept(0, 1, 2);
    expect(await recountFile({ local, databases, countUsage })(PROJECT, { ...file, usage: {} })).toEqual(countUsage(rows));
  });
});
