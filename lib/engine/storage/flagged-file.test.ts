import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import type { FileFacts } from "../../lake/catalogue.ts";
import { segmentKey } from "../../lake/paths.ts";
import { writeSegment } from "../../lake/row-files.ts";
import { type Database, openDatabase } from "../duckdb/duckdb.ts";
import { isWorthFlagging } from "./flagged-file.ts";
import { type LocalFiles, openLocalFiles } from "./local-files.ts";
import { allRows } from "./merge-pieces.ts";
import { openRelation } from "./relation.ts";

const PROJECT = 1;
const LARGE = 50_000;
const SMALL = 100;

/** Places of rows to skip, near the ends and the borders between vectors of the engine among them. */
const places = (rows: number) =>
  fc.uniqueArray(fc.oneof(fc.integer({ min: 0, max: rows - 1 }), fc.constantFrom(0, 1, rows - 1, Math.min(2_048, rows - 2))), {
    minLength: 1,
    maxLength: 60,
  });

const ascending = (list: readonly number[]): readonly number[] => list.toSorted((a, b) => a - b);

describe("a large file of which rows are skipped", () => {
  const objects = memoryObjects();
  let root = "";
  let local: LocalFiles;
  let database: Database;
  let large: FileFacts;
  let small: FileFacts;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "flagged-"));
    const write = async (name: string, count: number): Promise<FileFacts> => {
      const rows = Array.from({ length: count }, (_, at) => anEventRow({ index: at, timestamp: BigInt(at), request: name }));
      const { content, ...facts } = await writeSegment(rows, countRows);
      const key = segmentKey(PROJECT, "1970-01", name);
      await objects.put(key, content);
      return { key, ...facts };
    };
    [large, small] = [await write("large", LARGE), await write("small", SMALL)];
    local = await openLocalFiles(objects, join(root, "engine"), 100_000_000);
    const readable = local.readable(PROJECT);
    database = await openDatabase({ readable, temporary: join(root, "spill"), memoryMb: 300, threads: 1, spillBytes: 1_000_000 });
  });
  afterAll(async () => {
    database.close();
    await rm(root, { recursive: true, force: true });
  });

  /** The rows that are seen by their numbers, of each file, after `during` the files are held. */
  const seen = async (skips: ReadonlyMap<FileFacts, readonly number[]>, during: () => Promise<unknown> = async () => undefined) => {
    const sources = [...skips].map(([file, skip]) => ({ file, skip }));
    const columns = ["request", "index"];
    const held = await local.hold(
      PROJECT,
      sources.map((source) => ({ ...source.file, source, columns })),
    );
    await during();
    const relation = await openRelation(local, PROJECT, sources, held, { columns });
    const found = await allRows(database, `SELECT request, "index" FROM (${relation.selects.join(" UNION ALL ")})`);
    relation.release();
    held.release();
    const of = (name: string) => ascending(found.filter(([request]) => request === name).map(([, at]) => Number(at)));
    return { large: of("large"), small: of("small") };
  };
  const without = (rows: number, skip: readonly number[]): readonly number[] =>
    Array.from({ length: rows }, (_, at) => at).filter((at) => !skip.includes(at));

  it("is read without them, beside a small one and beside itself with other rows skipped", async () => {
    await fc.assert(
      fc.asyncProperty(
        places(LARGE).map(ascending),
        places(SMALL).map(ascending),
        places(LARGE).map(ascending),
        async (skip, few, others) => {
          expect([isWorthFlagging({ file: large, skip }), isWorthFlagging({ file: small, skip: few })]).toEqual([true, false]);
          const expected = { large: without(LARGE, skip), small: without(SMALL, few) };
          const meanwhile = async () => expect((await seen(new Map([[large, others]]))).large).toEqual(without(LARGE, others));
          expect(
            await seen(
              new Map([
                [large, skip],
                [small, few],
              ]),
              meanwhile,
            ),
          ).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });

  it("gets the columns that another query needs of it", async () => {
    const source = { file: large, skip: [3, 4] };
    for (const columns of [["index"], ["timestamp", "event"], "all" as const]) {
      const held = await local.hold(PROJECT, [{ ...large, source, columns }]);
      const asked = columns === "all" ? ["index", "timestamp", "event", "properties"] : columns;
      const relation = await openRelation(local, PROJECT, [source], held, { columns: asked });
      const [count] = await allRows(
        database,
        `SELECT ${asked.map((name) => `count("${name}")`).join(", ")} FROM (${relation.selects.join()})`,
      );
      expect(count?.map(Number)).toEqual(asked.map(() => LARGE - 2));
      relation.release();
      held.release();
    }
  });
});
