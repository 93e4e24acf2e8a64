import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEngineStorage } from "../../../test/support/engine-storage.ts";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import type { EventRow } from "../../event/event.ts";
import { utcDay } from "../../event/time-partitions.ts";
import { readParquet as readRows } from "../../lake/parquet.ts";
import { segmentKey } from "../../lake/paths.ts";
import { type RowSource, type Shape, writeSegment } from "../../lake/row-files.ts";
import { countUsage } from "../../usage/day-counts.ts";
import type { Databases } from "../duckdb/databases.ts";
import { readParquet } from "../duckdb/sql-text.ts";
import type { LocalFiles } from "./local-files.ts";
import { mergeFiles } from "./merge.ts";

const PROJECT = 1;
const DAY = 20_250;
const DAY_US = 86_400_000_000n;
const SIZES = { fileRows: 100, mostRows: 200, fileBytes: 1_000_000 };

describe("a day with more rows than may be sorted at once", () => {
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

  const merged = (sources: readonly RowSource[], sizes = SIZES, shape: Shape = "days") =>
    mergeFiles({ objects, local, databases, countUsage: countRows }, sizes)(PROJECT, sources, shape, nextKey);

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

    for (const { rows, usage } of files) {
      const counts = Object.values(usage).flatMap((types) => Object.values(types));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows);
    }
    const days = files.flatMap(({ usage }) => Object.keys(usage));
    expect([...new Set(days)].toSorted()).toEqual([String(DAY), String(utcDay(BigInt(DAY + 1) * DAY_US))]);
  });

  const heavy = (at: number, changes: Partial<EventRow>): EventRow =>
    anEventRow({
      uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`,
      timestamp: BigInt(DAY) * DAY_US,
      properties: JSON.stringify({ text: "x".repeat(1_000) }),
      ...changes,
    });

  it.each([
    ["by days", (at: number) => ({ timestamp: BigInt(DAY + (at % 4)) * DAY_US })],
    ["by ids, where a day is too large", (at: number) => ({ distinct_id: `user ${at % 30}` })],
    ["by times, where a day of one id is too large", (at: number) => ({ timestamp: BigInt(DAY) * DAY_US + BigInt(at) })],
    ["by uuids, where one moment is too large", () => ({})],
    ["by events, where even their uuids are one", (at: number) => ({ uuid: anEventRow().uuid, event: `event ${at}` })],
    ["a single row that is larger than a file", (at: number) => (at === 7 ? { properties: `{"text":"${"x".repeat(50_000)}"}` } : {})],
  ])("never writes a file of more bytes than may be sorted at once: %s", async (_, changes) => {
    const rows = Array.from({ length: 200 }, (_, at) => heavy(at, changes(at)));
    const sizes = { ...SIZES, fileRows: 1_000, mostRows: 1_000, fileBytes: 20_000 };
    const files = await merged([await sourceOf(rows.slice(0, 90), []), await sourceOf(rows.slice(90), [])], sizes, "one");
    const found = (await Promise.all(files.map(async ({ key }) => readRows((await objects.get(key)) ?? new Uint8Array())))).map((own) => ({
      rows: own.length,
      bytes: own.reduce((sum, { properties }) => sum + String(properties).length, 0),
    }));
    expect(found.reduce((sum, { rows: own }) => sum + own, 0)).toBe(200);
    for (const { rows: own, bytes } of found) expect(own === 1 || bytes <= 20_000, `${own} rows of ${bytes} bytes`).toBe(true);
    expect(files.length, "files half full").toBeLessThanOrEqual(200 / 7 + 8);
    expect(files.every(({ plainBytes = 0 }, at) => plainBytes >= (found[at]?.bytes ?? 0))).toBe(true);
  });

  it("leaves days in one file that are less than a file may hold, however near they come to it", async () => {
    const rows = Array.from({ length: 20 }, (_, at) => heavy(at, { distinct_id: `user ${at}` }));
    const source = await sourceOf(rows, []);
    const weight = source.file.plainBytes ?? 0;
    expect(await merged([source], { ...SIZES, fileBytes: Math.ceil(weight * 1.2) }, "days")).toHaveLength(1);
    const later = await sourceOf([heavy(20, { timestamp: BigInt(DAY + 1) * DAY_US })], []);
    expect(await merged([source, later], { ...SIZES, fileBytes: Math.ceil(weight * 1.4) }, "days")).toHaveLength(1);
  });

  it("cuts a file of many days into some thirty, and of two days into two", async () => {
    const daily = Array.from({ length: 100 }, (_, at) => heavy(at, { timestamp: BigInt(DAY + at) * DAY_US }));
    const files = await merged([await sourceOf(daily, [])], { ...SIZES, fileBytes: 1_000_000 }, "parts");
    expect(files.length).toBeGreaterThan(20);
    expect(files.length).toBeLessThan(40);
    expect(await merged([await sourceOf(daily.slice(0, 2), [])], SIZES, "parts")).toHaveLength(2);
  });

  it("counts wide rows that are skipped by what counts of them", async () => {
    const survey = (at: number, tour: object) =>
      heavy(at, { event: "survey sent", properties: JSON.stringify({ ...tour, text: "x".repeat(5_000) }) });
    const rows = [survey(0, {}), survey(1, { $product_tour_id: null }), survey(2, { $product_tour_id: "t" }), survey(3, {}), heavy(4, {})];
    const { content, ...facts } = await writeSegment(rows, countUsage);
    const file = { key: nextKey(), ...facts };
    await objects.put(file.key, content);
    const [one] = await mergeFiles({ objects, local, databases, countUsage })(PROJECT, [{ file, skip: [0, 1, 2, 4] }], "one", nextKey);
    expect(one?.usage).toEqual({ [DAY]: { survey_responses_count_in_period: 1 } });
  });

  it("takes the keyed counts of rows that are skipped back, whatever they are made of", async () => {
    const of = (at: number, event: string, properties: object) =>
      heavy(at, { event, properties: JSON.stringify({ ...properties, text: "x".repeat(5_000) }) });
    const generation = { ai_product: "assistant", $ai_billable: true, $ai_total_cost_usd: 0.12345, $ai_trace_id: "t" };
    const state = { messages: [{ type: "human" }, { tool_calls: [{ name: "search", args: { kind: "docs" } }] }] };
    const rows = [
      of(0, "survey sent", { $survey_id: "s", $survey_submission_id: 'a"b' }),
      of(1, "$snapshot", { $session_id: "one", $snapshot_source: "mobile" }),
      of(2, "$ai_generation", generation),
      of(3, "$ai_generation", { ...generation, $ai_total_cost_usd: "0.5" }),
      of(4, "$ai_trace", { $ai_trace_id: "t", $ai_output_state: state }),
      of(5, "$exception", {}),
    ];
    const { content, ...facts } = await writeSegment(rows, countUsage);
    const file = { key: nextKey(), ...facts };
    await objects.put(file.key, content);
    const [first, ...others] = rows;
    const twice = await writeSegment(rows, countUsage);
    const copy = { key: nextKey(), ...twice };
    await objects.put(copy.key, twice.content);
    const sources = [
      { file, skip: [1, 2, 3, 4, 5] },
      { file: copy, skip: [0] },
    ];
    const [one] = await mergeFiles({ objects, local, databases, countUsage })(PROJECT, sources, "one", nextKey);
    expect(one?.usage).toEqual(countUsage(first === undefined ? [] : [first, ...others]));
  });
});
