import { beforeAll, expect, it } from "vitest";
import { pinnedOf, storedSegment } from "../../../test/support/lake-state.ts";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import type { EventColumn } from "../../event/event.ts";
import type { EventScan } from "../../hogql/lowered-query.ts";
import type { FileFacts, PinnedState } from "../../lake/catalogue.ts";
import { segmentKey } from "../../lake/paths.ts";
import { writeSegment } from "../../lake/row-files.ts";
import { openColumnBytes } from "../storage/column-bytes.ts";
import { openFooters } from "../storage/footers.ts";
import { openNeededBytes } from "./needed-bytes.ts";

const objects = memoryObjects();
let files: readonly FileFacts[];
let pinned: PinnedState;

const wideRows = () =>
  Array.from({ length: 3_000 }, (_, at) =>
    anEventRow({ distinct_id: `user ${at}`, properties: JSON.stringify({ noise: (at * 2_654_435_761).toString(36).repeat(8) }) }),
  );

beforeAll(async () => {
  const rowFiles = { write: (rows: Parameters<typeof writeSegment>[0]) => writeSegment(rows, countRows) };
  const stored = ["a", "b", "c"].map((name) => storedSegment({ rowFiles }, objects, segmentKey(1, "2025-06", name), wideRows()));
  files = await Promise.all(stored);
  pinned = pinnedOf(1, files.slice(0, 2), files.slice(2));
});

const events = (...columns: readonly EventColumn[]): EventScan => ({
  ...{ kind: "events", name: "e", columns, from: null, to: null, events: null, distinctIds: null },
});

const open = () => openNeededBytes(openColumnBytes(objects, openFooters(objects)));
const wholeBytes = (): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

it("reads no footer where whole files are few enough", async () => {
  objects.counts.requests = 0;
  expect(await open()(pinned, [events("event")], wholeBytes())).toBe(wholeBytes());
  expect(objects.counts.requests).toBe(0);
});

it("counts the chunks of the columns that are read, of a file once for all scans, and reads its footer once", async () => {
  const needed = open();
  const some = await needed(pinned, [events("event", "distinct_id")], wholeBytes() - 1);
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(wholeBytes() / 4);
  objects.counts.requests = 0;
  expect(await needed(pinned, [events("event"), events("distinct_id", "event")], wholeBytes() - 1)).toBe(some);
  expect(await needed(pinned, [events("event", "distinct_id", "properties")], wholeBytes() - 1)).toBeGreaterThan(some * 2);
  expect(objects.counts.requests).toBe(0);
});

it("stops as soon as it is enough", async () => {
  const asked: string[] = [];
  const columnBytes = async ({ key, bytes }: { key: string; bytes: number }): Promise<number> => {
    asked.push(key);
    return bytes;
  };
  const many = Array.from({ length: 1_000 }, (_, at) => ({ ...(files[0] ?? expect.fail()), key: `f${at}` }));
  const bytes = files[0]?.bytes ?? 0;
  expect(await openNeededBytes(columnBytes)(pinnedOf(1, many), [events("properties")], 10 * bytes)).toBeGreaterThan(10 * bytes);
  expect(asked.length).toBeLessThan(100);
  expect(await openNeededBytes(columnBytes)(pinnedOf(1, many), [events("properties")])).toBe(1_000 * bytes);
});
