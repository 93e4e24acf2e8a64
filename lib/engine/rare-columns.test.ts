import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pinnedOf, storedSegment } from "../../test/support/lake-state.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../test/support/samples/event-rows.ts";
import { type EventColumn, type EventRow, RARE_COLUMNS } from "../event/event.ts";
import { HOT, hotValues, RARE } from "../event/hot-properties.ts";
import type { FileFacts } from "../lake/catalogue.ts";
import { readFooter } from "../lake/parquet.ts";
import { eventFileKey, segmentKey } from "../lake/paths.ts";
import type { EmbeddedEngine } from "./engine.ts";
import { openEngine } from "./open.ts";

const PROJECT = 1;
const LIMITS = { timeMs: 10_000, maxRows: 1_000, maxReplyBytes: 5_500_000 };
const START = 20_250n * 86_400_000_000n;

const GENERATION = {
  ai_product: "service_code",
  $ai_trace_id: 42,
  $ai_tools_called: "",
  $ai_input_tokens: 1_000,
  $ai_output_tokens: "12",
  $ai_input_cost_usd: 0.25,
  $ai_cache_read_cost_usd: null,
};
const EXCEPTION = { $exception_issue_id: "0190a1b2-c3d4-7e5f-8a9b-00000000000e", $exception_fingerprint: 7, $exception_types: ["E"] };

describe("a file of events", () => {
  const objects = memoryObjects();
  let root: string;
  let engine: EmbeddedEngine;
  let keys = 0;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "rare-"));
    const config = { engineDiskBytes: 100_000_000, engineMemoryMb: 300 };
    engine = await openEngine({ objects, directory: join(root, "engine"), config, countUsage: countRows });
  });
  afterAll(async () => {
    await engine.close();
    await rm(root, { recursive: true, force: true });
  });

  const row = (distinct_id: string, properties: Readonly<Record<string, unknown>>, hot = hotValues(properties)): EventRow =>
    anEventRow({
      distinct_id,
      timestamp: START,
      uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(keys++).padStart(12, "0")}`,
      properties: JSON.stringify(properties),
      hot,
    });
  const stored = (...rows: readonly EventRow[]): Promise<FileFacts> =>
    storedSegment(engine, objects, segmentKey(PROJECT, "2025-06", `s${keys++}`), rows);
  /** As the first format wrote it: without the rare columns, and without a word about them. */
  const storedBefore = async (...ids: readonly string[]): Promise<FileFacts> => {
    const rows = ids.map((id) =>
      row(
        id,
        GENERATION,
        HOT.map(() => null),
      ),
    );
    const { rare: _, exceptions: __, ...facts } = await stored(...rows);
    return facts;
  };
  /** As the format before wrote it: with what it knows of generations, and without a word about exceptions. */
  const storedLately = async (id: string, properties: Readonly<Record<string, unknown>>): Promise<FileFacts> => {
    const own = row(id, properties);
    const hot = own.hot.map((value, at) => (HOT[at]?.property.startsWith("$exception") ? null : value));
    const { exceptions: _, ...facts } = await stored({ ...own, hot });
    return facts;
  };
  const merged = async (...files: readonly FileFacts[]): Promise<FileFacts> => {
    const sources = files.map((file) => ({ file, skip: [] }));
    const [file] = await engine.rowFiles.merge(PROJECT, sources, "one", () => eventFileKey(PROJECT, "2025-06", `f${keys++}`));
    if (file === undefined) throw new Error("nothing was merged");
    return file;
  };
  const columnsOf = (file: FileFacts): readonly string[] => {
    const content = objects.contents.get(file.key) ?? new Uint8Array();
    const footer = readFooter(content.subarray(content.length - 8 - file.footerBytes, content.length - 8));
    return footer.schema.slice(1).map(({ name }) => name);
  };
  const COLUMNS: readonly EventColumn[] = ["distinct_id", ...[...RARE_COLUMNS.values()].map(({ column }) => column)];
  const read = async (...files: readonly FileFacts[]) => {
    const sql = `SELECT distinct_id, hot_ai_product, hot_ai_trace_id, hot_ai_tools_called, hot_ai_input_tokens, hot_ai_output_tokens,
      hot_ai_input_cost_usd, hot_ai_cache_read_cost_usd FROM e ORDER BY 1`;
    const scan = { kind: "events", name: "e", columns: COLUMNS, from: null, to: null, events: null, distinctIds: null } as const;
    const query = { project: PROJECT, sql, parameters: [], scans: [scan], columns: [], timezone: "UTC" };
    return (await engine.run(query, pinnedOf(PROJECT, files), LIMITS)).rows;
  };
  const VALUES = ["service_code", "42", null, 1_000, 12, 0.25, null];
  const NONE = Array.from({ length: 7 }, () => null);

  it("has the columns of LLM generations only when one of its rows needs them", async () => {
    const ordinary = await stored(row("a", { plan: "free" }));
    const generation = await stored(row("a", { plan: "free" }), row("b", GENERATION));
    const rare = RARE.rare.map(({ column }) => column);
    expect(columnsOf(ordinary).filter((name) => rare.some((column) => column === name))).toEqual([]);
    expect(columnsOf(generation)).toEqual(expect.arrayContaining(rare));
    expect([ordinary.rare, generation.rare]).toEqual([false, true]);
  });

  it("has the columns of exceptions only when one of its rows needs them, whether or not another is a generation", async () => {
    const column = "hot_exception_issue_id";
    const [ordinary, exception, both] = [
      await stored(row("a", { plan: "free" }), row("b", GENERATION)),
      await stored(row("a", {}), row("b", EXCEPTION)),
      await stored(row("a", GENERATION), row("b", EXCEPTION)),
    ];
    const facts = [ordinary, exception, both].map((file) => [file.rare, file.exceptions, columnsOf(file).includes(column)]);
    expect(facts).toEqual([
      [true, false, false],
      [false, true, true],
      [true, true, true],
    ]);
  });

  it("gives the same issues with these columns, without them, and from the formats before", async () => {
    const files = [
      await stored(row("ordinary", GENERATION)),
      await stored(row("new", EXCEPTION)),
      await storedLately("lately", EXCEPTION),
      await storedLately("lately both", { ...GENERATION, ...EXCEPTION }),
      await storedBefore("before"),
    ];
    const issues = async (...some: readonly FileFacts[]) => {
      const sql = "SELECT distinct_id, hot_exception_issue_id, hot_exception_fingerprint, hot_ai_product FROM e ORDER BY 1";
      const scan = { kind: "events", name: "e", columns: COLUMNS, from: null, to: null, events: null, distinctIds: null } as const;
      const query = { project: PROJECT, sql, parameters: [], scans: [scan], columns: [], timezone: "UTC" };
      return (await engine.run(query, pinnedOf(PROJECT, some), LIMITS)).rows;
    };
    const exception = [EXCEPTION.$exception_issue_id, "7"];
    const rows = [
      ["before", null, null, "service_code"],
      ["lately", ...exception, null],
      ["lately both", ...exception, "service_code"],
      ["new", ...exception, null],
      ["ordinary", null, null, "service_code"],
    ];
    expect(await issues(...files)).toEqual(rows);
    const one = await merged(...files);
    expect([one.rare, one.exceptions]).toEqual([true, true]);
    expect(await issues(one)).toEqual(rows);
    const none = await merged(await storedLately("a", { plan: "free" }), await storedLately("b", GENERATION));
    expect([none.rare, none.exceptions]).toEqual([true, false]);
    expect(columnsOf(none)).not.toContain("hot_exception_issue_id");
  });

  it("gives the same values with these columns, without them, and from the format before", async () => {
    const files = [await stored(row("ordinary", { plan: "free" })), await stored(row("new", GENERATION)), await storedBefore("before")];
    const rows = [
      ["before", ...VALUES],
      ["new", ...VALUES],
      ["ordinary", ...NONE],
    ];
    expect(await read(...files)).toEqual(rows);
    const one = await merged(...files);
    expect(one.rare).toBe(true);
    expect(await read(one)).toEqual(rows);
  });

  it("gets them when the format before is merged, and none where there is nothing for them", async () => {
    const { rare: _, ...plain } = await stored(row("plain", { plan: "free" }));
    const generations = await merged(await storedBefore("one"), await storedBefore("two"));
    const ordinary = await merged(plain, await stored(row("other", {})));
    expect([generations.rare, ordinary.rare]).toEqual([true, false]);
    expect(columnsOf(ordinary)).not.toContain("hot_ai_product");
    expect(await read(generations, ordinary)).toEqual([
      ["one", ...VALUES],
      ["other", ...NONE],
      ["plain", ...NONE],
      ["two", ...VALUES],
    ]);
  });

  it("skips rows wherever their values lie", async () => {
    const before = await storedBefore("a", "b");
    const after = await stored(row("c", GENERATION), row("d", GENERATION));
    const sources = [before, after].map((file) => ({ file, skip: [0] }));
    const [one] = await engine.rowFiles.merge(PROJECT, sources, "one", () => eventFileKey(PROJECT, "2025-06", `f${keys++}`));
    expect(one && (await read(one)).map(([id]) => id)).toEqual(["b", "d"]);
  });
});
