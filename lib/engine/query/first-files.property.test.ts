import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pinnedOf, storedSegment } from "../../../test/support/lake-state.ts";
import { type CountedObjects, memoryObjects } from "../../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import type { EventRow } from "../../event/event.ts";
import { lower } from "../../hogql/lower.ts";
import { parse } from "../../hogql/parse.ts";
import type { FileFacts, PinnedState } from "../../lake/catalogue.ts";
import { segmentKey } from "../../lake/paths.ts";
import { writeSegment } from "../../lake/row-files.ts";
import { type Databases, openDatabases } from "../duckdb/databases.ts";
import type { Engine, Rows } from "../engine.ts";
import { compareParquet } from "../storage/compare-rows.ts";
import { openDuplicateFinder } from "../storage/duplicates.ts";
import { openLocalFiles } from "../storage/local-files.ts";
import { openMatchingRows } from "../storage/matching-rows.ts";
import { runQuery } from "./run.ts";
import { openOverlays } from "./scans/state-overlays.ts";
import { openStateScans } from "./scans/state-scan.ts";

const PROJECT = 1;
const LIMITS = { timeMs: 10_000, maxRows: 1_000, maxReplyBytes: 5_500_000 };
const START = 20_250n * 86_400_000_000n;
const HOUR_US = 3_600_000_000n;
const WRITER = { rowFiles: { write: (rows: readonly EventRow[]) => writeSegment(rows, countRows) } };

describe("a query that may have enough of some files", () => {
  const objects: CountedObjects = memoryObjects();
  const opened: Databases[] = [];
  let root: string;
  let files = 0;
  let run: (query: Parameters<Engine["run"]>[0], pinned: PinnedState) => Promise<Rows>;

  const runner = async (firstBytes: number): Promise<typeof run> => {
    const local = await openLocalFiles(objects, join(root, String(firstBytes)), 100_000_000);
    const databases = openDatabases(local, { memoryMb: 300, threads: 1, querySpillBytes: 1e8, compactionSpillBytes: 1e8 });
    opened.push(databases);
    const seen = {
      duplicates: openDuplicateFinder(compareParquet({ local, databases })).find,
      matching: openMatchingRows({ local, databases }).matching,
    };
    const state = openStateScans(local, openOverlays(objects, local, databases));
    const query = runQuery({ local, databases, seen, state }, firstBytes);
    return (lowered, pinned) => query(lowered, pinned, LIMITS);
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "first-files-"));
    run = await runner(1);
  });
  afterAll(async () => {
    for (const databases of opened) await databases.close();
    await rm(root, { recursive: true, force: true });
  });

  const stored = (rows: readonly EventRow[]): Promise<FileFacts> =>
    storedSegment(WRITER, objects, segmentKey(PROJECT, "2025-06", `s${files++}`), rows);
  const loweredOf = async (text: string) =>
    lower(await parse(text), { project: PROJECT, timezone: "UTC", now: 0, variables: {}, page: null }).lowered;
  const rowAt = (hour: number, at: number, who: string): EventRow =>
    anEventRow({
      uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`,
      distinct_id: who,
      timestamp: START + BigInt(hour) * HOUR_US,
      index: at,
    });

  it("answers as if it had read them all", async () => {
    const anHour = fc.integer({ min: 0, max: 400 });
    const aFile = fc.array(fc.tuple(anHour, fc.constantFrom("ann", "bob")), { minLength: 1, maxLength: 6 });
    // Most files have their own time, as compacted ones do, and some lie across others.
    const someFiles = fc.array(fc.tuple(fc.boolean(), aFile), { minLength: 1, maxLength: 14 });
    const aQuestion = fc.record({
      descending: fc.boolean(),
      who: fc.constantFrom(undefined, "ann"),
      limit: fc.integer({ min: 0, max: 9 }),
      offset: fc.integer({ min: 0, max: 4 }),
      waiting: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(someFiles, aQuestion, async (given, { descending, who, limit, offset, waiting }) => {
        let number = 0;
        const all = given.map(([isAcross, rows], place) =>
          rows.map(([hour, name]) => rowAt(isAcross ? hour : place * 30 + (hour % 24), number++, name)),
        );
        const facts: FileFacts[] = [];
        for (const rows of all) facts.push(await stored(rows));
        const pinned = pinnedOf(PROJECT, facts.slice(waiting), facts.slice(0, waiting));
        const where = who === undefined ? "" : `WHERE distinct_id = '${who}'`;
        const order = descending ? "timestamp DESC, uuid DESC" : "timestamp, uuid";
        const query = await loweredOf(`SELECT uuid FROM events ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`);
        expect(query.enough?.rows).toBe(limit);
        const wanted = all
          .flat()
          .filter(({ distinct_id }) => who === undefined || distinct_id === who)
          .sort((a, b) => Number(a.timestamp - b.timestamp) || (a.uuid < b.uuid ? -1 : 1));
        if (descending) wanted.reverse();
        expect((await run(query, pinned)).rows.flat()).toEqual(wanted.slice(offset, offset + limit).map(({ uuid }) => uuid));
      }),
      { numRuns: 60 },
    );
  });

  it("fetches no others, unless rows are missing", async () => {
    const facts: FileFacts[] = [];
    for (let day = 0; day < 40; day++) facts.push(await stored([rowAt(day * 24, day, "ann"), rowAt(day * 24 + 1, 100 + day, "bob")]));
    const bytes = facts.reduce((sum, file) => sum + file.bytes, 0);
    const fetchedFor = async (text: string): Promise<number> => {
      const far = await runner(facts[0]?.bytes ?? 0);
      objects.counts.bytes = 0;
      await far(await loweredOf(text), pinnedOf(PROJECT, facts));
      return objects.counts.bytes / bytes;
    };
    expect(await fetchedFor("SELECT event FROM events ORDER BY timestamp DESC LIMIT 2")).toBeLessThan(0.1);
    expect(await fetchedFor("SELECT event FROM events WHERE distinct_id = 'ann' ORDER BY timestamp LIMIT 1")).toBeLessThan(0.1);
    const all = await fetchedFor("SELECT event FROM events ORDER BY event LIMIT 3");
    expect(await fetchedFor("SELECT event FROM events WHERE length(distinct_id) > 9 ORDER BY timestamp LIMIT 3")).toBe(all);
  });
});

describe("what decides on the rows of a query beside their times", () => {
  it.each([
    "SELECT DISTINCT event, timestamp FROM events ORDER BY timestamp DESC LIMIT 3",
    "SELECT event FROM events ORDER BY timestamp DESC LIMIT 1 BY event LIMIT 3",
    "SELECT event FROM events QUALIFY row_number() OVER (ORDER BY timestamp) > 2 ORDER BY timestamp DESC LIMIT 3",
    "SELECT event, count() OVER () FROM events ORDER BY timestamp DESC LIMIT 3",
    "SELECT event FROM events ORDER BY toStartOfDay(timestamp) DESC, event LIMIT 3",
    "SELECT event FROM events ORDER BY event, timestamp LIMIT 3",
    "SELECT timestamp FROM events GROUP BY timestamp ORDER BY timestamp LIMIT 3",
    "SELECT n.number FROM numbers(3) n LEFT JOIN events e ON e.event = toString(n.number) ORDER BY e.timestamp LIMIT 3",
    "SELECT e.event FROM events e JOIN events f ON f.event = e.event ORDER BY e.timestamp LIMIT 3",
    "SELECT event FROM (SELECT event, timestamp FROM events LIMIT 5) ORDER BY timestamp DESC LIMIT 3",
    "SELECT event FROM events ORDER BY timestamp DESC LIMIT 3 UNION ALL SELECT event FROM events",
  ])("has all files read: %s", async (text) => {
    const { lowered } = lower(await parse(text), { project: PROJECT, timezone: "UTC", now: 0, variables: {}, page: null });
    expect(lowered.enough).toBeUndefined();
  });
});
