import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pinnedOf, storedSegment } from "../../test/support/lake-state.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../test/support/samples/event-rows.ts";
import { type EarnedColumn, earnedColumn } from "../event/earned-properties.ts";
import { jsonText } from "../event/hot-properties.ts";
import type { FileFacts } from "../lake/catalogue.ts";
import { readFooter } from "../lake/parquet.ts";
import { eventFileKey, segmentKey } from "../lake/paths.ts";
import type { EmbeddedEngine } from "./engine.ts";
import { openEngine } from "./open.ts";

const PROJECT = 1;
const LIMITS = { timeMs: 10_000, maxRows: 10_000, maxReplyBytes: 5_500_000 };
const START = 20_250n * 86_400_000_000n;

const PLAN = earnedColumn({ property: "plan", type: "text" });
const AMOUNT = earnedColumn({ property: "amount", type: "number" });
const ROLE = earnedColumn({ property: "role", type: "text" });

describe("columns of earned properties", () => {
  const objects = memoryObjects();
  let root: string;
  let engine: EmbeddedEngine;
  let keys = 0;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "earned-"));
    const config = { engineDiskBytes: 100_000_000, engineMemoryMb: 300 };
    engine = await openEngine({ objects, directory: join(root, "engine"), config, countUsage: countRows });
  });
  afterAll(async () => {
    await engine.close();
    await rm(root, { recursive: true, force: true });
  });

  const stored = (...events: readonly Readonly<Record<string, unknown>>[]): Promise<FileFacts> =>
    storedSegment(
      engine,
      objects,
      segmentKey(PROJECT, "2025-06", `s${keys++}`),
      events.map((properties) =>
        anEventRow({
          distinct_id: `p${String(keys).padStart(6, "0")}`,
          timestamp: START,
          uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(keys++).padStart(12, "0")}`,
          properties: jsonText(properties),
        }),
      ),
    );
  const merged = async (earned: readonly EarnedColumn[], ...files: readonly FileFacts[]): Promise<FileFacts> => {
    const sources = files.map((file) => ({ file, skip: [] }));
    const [file] = await engine.rowFiles.merge(PROJECT, sources, "one", () => eventFileKey(PROJECT, "2025-06", `f${keys++}`), earned);
    if (file === undefined) throw new Error("nothing was merged");
    return file;
  };
  const columnsOf = (file: FileFacts): readonly string[] => {
    const content = objects.contents.get(file.key) ?? new Uint8Array();
    const footer = readFooter(content.subarray(content.length - 8 - file.footerBytes, content.length - 8));
    return footer.schema.slice(1).map(({ name }) => name);
  };
  const read = (earned: readonly EarnedColumn[], files: readonly FileFacts[], where = "true") => {
    const names = earned.map(({ column }) => column);
    const sql = `SELECT ${names.join(", ")} FROM e WHERE ${where} ORDER BY distinct_id`;
    const bounds = { from: null, to: null, events: null, distinctIds: null } as const;
    const scan = { kind: "events", name: "e", columns: ["distinct_id"], earned, ...bounds } as const;
    const query = { project: PROJECT, sql, parameters: [], scans: [scan], columns: [], timezone: "UTC" };
    return engine.run(query, pinnedOf(PROJECT, files), LIMITS);
  };

  it("are written by a merge, for the properties that it is told, and said in the file's facts", async () => {
    const segment = await stored({ plan: "pro", amount: 5 }, { plan: "free" });
    const [without, one] = [await merged([], segment), await merged([PLAN, AMOUNT], segment)];
    expect([segment.earned, without.earned, one.earned]).toEqual([undefined, undefined, [PLAN.column, AMOUNT.column]]);
    expect(columnsOf(without).filter((name) => name.startsWith("earned_"))).toEqual([]);
    expect(columnsOf(one)).toEqual(expect.arrayContaining([PLAN.column, AMOUNT.column]));
  });

  it("are read where a file has them, and from the JSON where it has not, all in one scan", async () => {
    const events = [{ plan: "pro", amount: 5, role: "admin" }, { plan: "", amount: "7.5" }, { amount: "many" }] as const;
    const files = [
      await stored(...events),
      await merged([PLAN], await stored(...events)),
      await merged([AMOUNT, PLAN], await stored(...events)),
      await merged([ROLE], await stored(...events)),
    ];
    const rows = [
      ["pro", 5, "admin"],
      [null, 7.5, null],
      [null, null, null],
    ];
    expect((await read([PLAN, AMOUNT, ROLE], files)).rows).toEqual([...rows, ...rows, ...rows, ...rows]);
    expect((await read([PLAN, AMOUNT, ROLE], files, `${AMOUNT.column} > 5`)).rows).toEqual(files.map(() => rows[1]));
  });

  it("stay when files with and without them are merged again, and go when the property no longer has one", async () => {
    const files = [await stored({ plan: "a" }), await merged([PLAN], await stored({ plan: "b" }))];
    const again = await merged([PLAN], ...files);
    expect((await read([PLAN], [again])).rows).toEqual([["a"], ["b"]]);
    const gone = await merged([], again);
    expect(columnsOf(gone)).not.toContain(PLAN.column);
    expect((await read([PLAN], [gone])).rows).toEqual([["a"], ["b"]]);
  });

  it("are copied where all files have them, others being taken from the JSON beside them", async () => {
    const files = [
      await merged([AMOUNT, PLAN], await stored({ plan: "a", amount: "1_0", role: "x" })),
      await merged([PLAN, AMOUNT, ROLE], await stored({ plan: "b" }, { role: "" })),
    ];
    const again = await merged([ROLE, PLAN, AMOUNT], ...files);
    expect(again.earned?.toSorted()).toEqual([PLAN, AMOUNT, ROLE].map(({ column }) => column).sort());
    expect((await read([PLAN, AMOUNT, ROLE], [again])).rows).toEqual((await read([PLAN, AMOUNT, ROLE], files)).rows);
    expect((await read([PLAN, AMOUNT, ROLE], [again])).rows).toEqual([
      ["a", 10, "x"],
      ["b", null, null],
      [null, null, null],
    ]);
  });

  it("are fetched instead of all properties", async () => {
    const filler = (at: number): string => Array.from({ length: 40 }, (_, place) => Math.sin(at * 97 + place)).join(" ");
    const segment = await stored(...Array.from({ length: 2_000 }, (_, at) => ({ plan: `plan-${at % 5}`, filler: filler(at) })));
    const [json, column] = [await read([PLAN], [await merged([], segment)]), await read([PLAN], [await merged([PLAN], segment)])];
    expect(column.rows).toEqual(json.rows);
    expect(column.cost.neededBytes).toBeLessThan(json.cost.neededBytes / 10);
  });

  it("are read of a state that has no events", async () => {
    expect((await read([PLAN, AMOUNT], [])).rows).toEqual([]);
  });
});
