import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddedEngine } from "../../../lib/engine/engine.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import type { EventScan, LoweredSql } from "../../../lib/hogql/lowered-query.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import type { PinnedState } from "../../../lib/lake/catalogue.ts";
import { segmentKey } from "../../../lib/lake/paths.ts";
import { pinnedOf, storedSegment } from "../../support/lake-state.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { anEventRow, countRows } from "../../support/samples/event-rows.ts";

const LIMITS = { timeMs: 10_000, maxRows: 1_000, maxReplyBytes: 5_500_000 };
const DAY_US = 86_400_000_000n;
const YEAR_0 = -62_167_219_200_000_000n;
const LAST = 253_402_300_799_999_999n;
const JUNE = 20_250n * DAY_US;

/** Times per file: both ends of time, files that touch, one that spans others, one of a single moment. */
const FILES: readonly (readonly bigint[])[] = [
  [YEAR_0, YEAR_0 + 1n, -1n, 0n, 1n],
  [JUNE, JUNE + 1n, JUNE + DAY_US - 1n],
  [JUNE + DAY_US, JUNE + DAY_US + 5n, JUNE + 2n * DAY_US - 1n],
  [JUNE + 7n, JUNE + 5n * DAY_US],
  [JUNE + 3n * DAY_US],
  [LAST - 1n, LAST],
];
/** Waiting: a new row, and copies of rows of a file at another time of the same day. */
const NEW = JUNE + 4n * DAY_US;

let numbered = 0;
const rowAt = (timestamp: bigint): EventRow =>
  anEventRow({ uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(numbered++).padStart(12, "0")}`, timestamp, properties: `{"at":"${timestamp}"}` });

/** Several times what a quiet machine takes: each case runs two queries of a process. */
const BUDGET_MS = 120_000;

describe("a scan whose bounds are exact", () => {
  const objects = memoryObjects();
  const kept: EventRow[] = [];
  let engine: EmbeddedEngine;
  let pinned: PinnedState;
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "bounds-"));
    const config = { engineDiskBytes: 100_000_000, engineMemoryMb: 300 };
    engine = await openEngine({ objects, directory: join(root, "engine"), config, countUsage: countRows });
    const files = [];
    for (const [at, times] of FILES.entries()) {
      const rows = times.map(rowAt);
      kept.push(...rows);
      files.push(await storedSegment(engine, objects, segmentKey(1, "2025-06", `f${at}`), rows));
    }
    const fresh = rowAt(NEW);
    const moved = kept.filter(({ timestamp }) => timestamp === JUNE + 1n).map((row) => ({ ...row, timestamp: JUNE + 50n }));
    kept.push(fresh);
    const segment = await storedSegment(engine, objects, segmentKey(1, "2025-06", "w"), [fresh, ...moved]);
    pinned = pinnedOf(1, files, [segment]);
  });
  afterAll(async () => {
    await engine.close();
    await rm(root, { recursive: true, force: true });
  });

  const uuids = async (query: LoweredSql): Promise<readonly unknown[]> =>
    (await engine.run(query, pinned, LIMITS)).rows.map(([uuid]) => uuid);
  const expected = (keep: (timestamp: bigint) => boolean): readonly string[] =>
    kept
      .filter(({ timestamp }) => keep(timestamp))
      .map(({ uuid }) => uuid)
      .sort();

  const times = [...FILES.flat(), NEW];
  const moment = fc.oneof(
    fc.tuple(fc.constantFrom(...times), fc.constantFrom(-1n, 0n, 1n)).map(([time, by]) => time + by),
    fc.bigInt(YEAR_0 - DAY_US, LAST + DAY_US),
    fc.bigInt(JUNE - DAY_US, JUNE + 6n * DAY_US),
  );
  const bound = fc.option(moment, { nil: null });

  it(
    "gives exactly the rows within, whatever the files' edges",
    async () => {
      await fc.assert(
        fc.asyncProperty(bound, bound, fc.constantFrom(...(["timestamp", "properties"] as const)), async (from, to, column) => {
          const scan: EventScan = {
            kind: "events",
            name: "e",
            columns: ["uuid", column],
            from,
            to,
            boundsAreExact: true,
            events: null,
            distinctIds: null,
          };
          const sql = "SELECT CAST(a.uuid AS VARCHAR) FROM e AS a ORDER BY 1";
          const columns = [{ name: "uuid", type: "String" }];
          const found = await uuids({ project: 1, sql, parameters: [], scans: [scan], columns, timezone: "UTC" });
          expect(found).toEqual(expected((time) => (from === null || time >= from) && (to === null || time < to)));
        }),
        { numRuns: 60 },
      );
    },
    BUDGET_MS,
  );

  it(
    "answers as conditions in the query would",
    async () => {
      const year = fc.bigInt(-62_135_596_800_000_000n, LAST);
      const readable = fc.oneof(
        moment.filter((time) => time >= -62_135_596_800_000_000n && time <= LAST),
        year,
      );
      const comparison = fc.record({ op: fc.constantFrom(">", ">=", "<", "<=", "="), at: readable, mirrored: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(comparison, { minLength: 1, maxLength: 3 }), async (comparisons) => {
          const written = comparisons.map(({ op, at, mirrored }) =>
            mirrored ? `'${textOf(at)}' ${MIRRORED[op]} timestamp` : `timestamp ${op} '${textOf(at)}'`,
          );
          const text = (condition: string): string => `SELECT toString(uuid) FROM events WHERE ${condition} ORDER BY toString(uuid)`;
          const bounded = await loweredOf(text(written.join(" AND ")));
          // Under NOT nothing is known of the rows, so that every file is read and each row is looked at.
          const looked = await loweredOf(text(written.map((one) => `NOT (NOT (${one}))`).join(" AND ")));
          expect(bounded.scans[0]).toMatchObject({ boundsAreExact: true, columns: ["uuid"] });
          expect(looked.scans[0]).toMatchObject({ columns: ["uuid", "timestamp"], from: null, to: null });
          const found = await uuids(bounded);
          expect(found).toEqual(await uuids(looked));
          expect(found).toEqual(expected((time) => comparisons.every(({ op, at }) => COMPARE[op]?.(time, at))));
        }),
        { numRuns: 60 },
      );
    },
    BUDGET_MS,
  );
});

const loweredOf = async (text: string): Promise<LoweredSql> =>
  lower(await parse(text), { project: 1, timezone: "UTC", now: 0, variables: {}, page: null }).lowered;

const MIRRORED: Readonly<Record<string, string>> = { ">": "<", ">=": "<=", "<": ">", "<=": ">=", "=": "=" };
const COMPARE: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  "=": (a, b) => a === b,
};

const textOf = (micros: bigint): string => {
  const part = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const whole = new Date(Number((micros - part) / 1_000n)).toISOString().slice(0, 19).replace("T", " ");
  return `${whole}.${String(part).padStart(6, "0")}`;
};
