import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anEventRow, countRows } from "../../test/support/event-rows.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { type EventRow, utcDay } from "../lake/event.ts";
import { segmentKey } from "../lake/paths.ts";
import type { RowSource } from "../lake/row-files.ts";
import { writeSegment } from "../lake/segment.ts";
import { type Databases, openDatabases } from "./databases.ts";
import { type LocalFiles, openLocalFiles } from "./local-files.ts";
import { mergeFiles } from "./merge.ts";
import { readParquet } from "./scan-sql.ts";

const PROJECT = 1;
const DAY = 20_250;
const DAY_US = 86_400_000_000n;
const SIZES = { fileRows: 100, mostRows: 200 };

describe("a day with more rows than may be sorted at once", () => {
  const objects = memoryObjects();
  let root: string;
  let local: LocalFiles;
  let databases: Databases;
  let keys = 0;
  const nextKey = (): string => segmentKey(PROJECT, "2025-06", String(keys++).padStart(4, "0"));

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "merge-"));
    local = await openLocalFiles(objects, join(root, "engine"), 100_000_000);
    databases = openDatabases(local, { memoryMb: 300, threads: 2 });
  });
  afterAll(async () => {
    await databases.close();
    await rm(root, { recursive: true, force: true });
  });

  const rowsOfDay = (day: number, count: number, idOf: (at: number) => string): EventRow[] =>
    Array.from({ length: count }, (_, at) =>
      anEventRow({
        uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`,
        distinct_id: idOf(at),
        timestamp: BigInt(day) * DAY_US + BigInt(at),
        historical: at % 3 === 0,
        index: at,
      }),
    );

  const sourceOf = async (rows: readonly EventRow[], skip: readonly number[]): Promise<RowSource> => {
    const { content, ...facts } = await writeSegment(rows, countRows);
    const key = nextKey();
    await objects.put(key, content);
    return { file: { key, ...facts }, skip };
  };

  const merged = (sources: readonly RowSource[]) =>
    mergeFiles({ objects, local, databases, countUsage: countRows }, SIZES)(PROJECT, sources, "days", nextKey);

  const idsOf = async (key: string): Promise<readonly (readonly unknown[])[]> => {
    const bytes = await objects.get(key);
    const held = await local.holdBytes(PROJECT, `copy-${key.replaceAll("/", "-")}`, async () => bytes ?? new Uint8Array());
    const found: (readonly unknown[])[] = [];
    const path = held.path(`copy-${key.replaceAll("/", "-")}`);
    await databases.use(PROJECT, (database) =>
      database.select(`SELECT distinct_id, count(*) FROM ${readParquet([path])} GROUP BY 1 ORDER BY 1`, [], 5_000, (rows) => {
        found.push(...rows);
        return "more";
      }),
    );
    held.release();
    return found;
  };

  it.each([
    ["many ids", (at: number) => `user ${String(at % 50).padStart(2, "0")}`, 5],
    // Its range begins with the least id, so that the range before it is empty.
    ["one id that has nearly all rows", (at: number) => (at % 20 === 0 ? `user ${at}` : "a"), 2],
    ["a single id", () => "a", 2],
    ["ids with quotes and letters beyond ASCII", (at: number) => `'${"é\u{1F600}\uFFEE"[at % 3]}${at % 40}`, 5],
  ])("is split by ranges of ids: %s", async (_, idOf, least) => {
    const big = rowsOfDay(DAY, 700, idOf);
    const small = rowsOfDay(DAY + 1, 30, idOf);
    const skip = [0, 5, 77, 650];
    const sources = [await sourceOf(big, skip), await sourceOf(small, [])];
    const files = await merged(sources);

    const found = await Promise.all(files.map(async (file) => ({ file, ids: await idsOf(file.key) })));
    expect(files.reduce((sum, { rows }) => sum + rows, 0)).toBe(726);
    const ofBigDay = found.filter(({ file }) => file.days[0] === DAY).flatMap(({ ids }) => ids.map(([id]) => id));
    expect(new Set(ofBigDay).size, "an id in two files").toBe(ofBigDay.length);
    expect(found.length).toBeGreaterThanOrEqual(least);

    const total: Record<string, number> = {};
    for (const { usage } of files)
      for (const types of Object.values(usage)) for (const [type, n] of Object.entries(types)) total[type] = (total[type] ?? 0) + n;
    expect((total.events ?? 0) + (total.historical ?? 0)).toBe(726);
    const days = files.flatMap(({ usage }) => Object.keys(usage));
    expect(days.toSorted()).toEqual([String(DAY), String(utcDay(BigInt(DAY + 1) * DAY_US))]);
  });
});
