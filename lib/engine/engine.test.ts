import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pinnedOf, storedSegment } from "../../test/support/lake-state.ts";
import { type CountedObjects, memoryObjects } from "../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../test/support/samples/event-rows.ts";
import type { EventColumn } from "../event/event.ts";
import { QueryError } from "../hogql/errors.ts";
import type { EventScan, LoweredSql } from "../hogql/lowered-query.ts";
import type { FileFacts, PinnedState } from "../lake/catalogue.ts";
import { eventFileKey, segmentKey } from "../lake/paths.ts";
import type { Objects } from "../ports/objects.ts";
import type { EmbeddedEngine, Limits } from "./engine.ts";
import { openEngine } from "./open.ts";

const LIMITS: Limits = { timeMs: 10_000, maxRows: 1_000, maxReplyBytes: 5_500_000 };
const DAY_US = 86_400_000_000n;
const START = 20_250n * DAY_US;

const events = (columns: readonly EventColumn[], changes: Partial<EventScan> = {}): EventScan => ({
  kind: "events",
  name: "e",
  columns,
  from: null,
  to: null,
  events: null,
  distinctIds: null,
  ...changes,
});

const aQuery = (sql: string, columns: readonly EventColumn[], changes: Partial<LoweredSql> = {}): LoweredSql => ({
  project: 1,
  sql,
  parameters: [],
  scans: [events(columns)],
  columns: [],
  timezone: "UTC",
  ...changes,
});

const roots: string[] = [];
const aDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "engine-"));
  roots.push(directory);
  return directory;
};
afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

const openOver = async (objects: Objects, engineMemoryMb = 300, engineDiskBytes = 100_000_000): Promise<EmbeddedEngine> =>
  openEngine({
    objects,
    directory: join(await aDirectory(), "engine"),
    config: { engineDiskBytes, engineMemoryMb },
    countUsage: countRows,
  });

/** Two days of rows with wide properties, so that a file has columns worth leaving out. */
const someRows = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    anEventRow({
      uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`,
      event: at % 3 === 0 ? "buy" : "view",
      distinct_id: `user ${at % 97}`,
      timestamp: START + BigInt(at % 2) * DAY_US + BigInt(at),
      properties: JSON.stringify({ at, noise: (at * 2_654_435_761).toString(36).repeat(8) }),
      hot: [`https://example.com/${at % 11}`, ...Array.from({ length: 20 }, () => null)],
      index: at,
    }),
  );

describe("the engine over an object store far away", () => {
  let objects: CountedObjects;
  let engine: EmbeddedEngine;
  let file: FileFacts;
  let pinned: PinnedState;
  const real = memoryObjects();

  beforeAll(async () => {
    const engine = await openOver(real);
    const segment = await storedSegment(engine, real, segmentKey(1, "2025-06", "s"), someRows(8_000));
    const [merged] = await engine.rowFiles.merge(1, [{ file: segment, skip: [] }], "one", () => eventFileKey(1, "2025-06", "f"));
    if (!merged) throw new Error("nothing was merged");
    file = merged;
    pinned = pinnedOf(1, [file]);
    await engine.close();
  });
  beforeEach(async () => {
    objects = { ...real };
    objects.counts.bytes = 0;
    engine = await openOver(objects);
  });
  afterEach(() => engine.close());

  it("answers from the columns that a query names, fetching hardly more than those", async () => {
    const query = aQuery("SELECT event, count(*), count(DISTINCT distinct_id) FROM e GROUP BY 1 ORDER BY 1", ["event", "distinct_id"]);
    const { rows, cost } = await engine.run(query, pinned, LIMITS);
    expect(rows).toEqual([
      ["buy", 2_667, 97],
      ["view", 5_333, 97],
    ]);
    expect(cost.fetchedBytes).toBe(objects.counts.bytes);
    expect(cost.fetchedBytes).toBeLessThanOrEqual(cost.neededBytes * 1.2);
    expect(cost.neededBytes).toBeLessThan(file.bytes / 4);
  });

  it("fetches a column once, whatever asks for it, and others as they are asked for", async () => {
    await engine.run(aQuery("SELECT count(*) FROM e WHERE event = 'buy'", ["event"]), pinned, LIMITS);
    objects.counts.bytes = 0;
    expect((await engine.run(aQuery("SELECT count(*) FROM e WHERE event = 'view'", ["event"]), pinned, LIMITS)).rows).toEqual([[5_333]]);
    expect(objects.counts.bytes).toBe(0);
    const hot = aQuery("SELECT count(DISTINCT hot_current_url), sum(length(properties)) FROM e", ["hot_current_url", "properties"]);
    const [row] = (await engine.run(hot, pinned, LIMITS)).rows;
    expect(row).toEqual([11, someRows(8_000).reduce((sum, { properties }) => sum + properties.length, 0)]);
  });

  it("fetches footers that lie beside the files once for all of them, in one request", async () => {
    const footer = Buffer.from(file.footer ?? "", "base64");
    const copies = Array.from({ length: 6 }, (_, at) => ({ ...file, key: eventFileKey(1, "2025-06", `copy-${at}`) }));
    for (const { key } of copies) await real.put(key, real.contents.get(file.key) ?? new Uint8Array());
    await real.put("footers", Buffer.concat(copies.map(() => footer)));
    const query = aQuery("SELECT event, count(*) FROM e GROUP BY 1 ORDER BY 1", ["event"]);
    const requestsFor = async (files: readonly FileFacts[]): Promise<number> => {
      const fresh = await openOver(objects);
      objects.counts.requests = 0;
      const { rows } = await fresh.run(query, pinnedOf(1, files), LIMITS);
      expect(rows).toEqual([
        ["buy", 6 * 2_667],
        ["view", 6 * 5_333],
      ]);
      await fresh.close();
      return objects.counts.requests;
    };
    const beside = copies.map(({ footer: _, ...rest }, at) => ({ ...rest, footerAt: { key: "footers", from: at * footer.length } }));
    const gone = beside.map((rest) => ({ ...rest, footerAt: { key: "gone", from: 0 } }));
    const inside = await requestsFor(copies);
    expect(await requestsFor(beside)).toBe(inside + 1);
    expect(await requestsFor(gone), "from the files themselves").toBeGreaterThan(inside + 1);
  });

  it("reads a file whole when a column it should have is missing", async () => {
    // The scan names too few columns, which a right plan never does.
    const query = aQuery("SELECT count(*) FROM e WHERE length(event) > 0", ["event"]);
    const { footer: _, ...rest } = file;
    const broken = objects.getRange;
    let damaged = true;
    objects.getRange = async (key, from, to) => {
      const bytes = await broken(key, from, to);
      if (!damaged || from === 0 || to === file.bytes) return bytes;
      damaged = false;
      return bytes?.fill(0);
    };
    expect((await engine.run(query, pinnedOf(1, [rest]), LIMITS)).rows).toEqual([[8_000]]);
  });

  it("reads from sparse files what it reads from whole ones, whatever columns are asked for, in any order", async () => {
    const store = join(await aDirectory(), "store");
    await mkdir(dirname(join(store, file.key)), { recursive: true });
    await writeFile(join(store, file.key), real.contents.get(file.key) ?? "");
    const other = await openOver({ ...real, localPath: (key) => join(store, key) });
    const names = ["uuid", "event", "distinct_id", "timestamp", "identity", "hot_current_url", "properties", "group_0", "index"] as const;
    const asked = fc.sample(fc.shuffledSubarray([...names], { minLength: 1, maxLength: 4 }), 12);
    for (const columns of asked) {
      const hashes = columns.map((column) => `bit_xor(hash("${column}"))::VARCHAR, count("${column}")`);
      const query = aQuery(`SELECT ${hashes.join(", ")} FROM e`, columns);
      const direct = aQuery(`SELECT ${hashes.join(", ")} FROM e`, names);
      expect((await engine.run(query, pinned, LIMITS)).rows).toEqual((await other.run(direct, pinned, LIMITS)).rows);
    }
    await other.close();
  });

  it("keeps to its limit of disk and still answers", async () => {
    const small = await openOver(objects, 300, 1);
    const query = aQuery("SELECT count(*), max(length(properties)) > 0 FROM e", ["properties"]);
    for (let at = 0; at < 3; at++) expect((await small.run(query, pinned, LIMITS)).rows).toEqual([[8_000, true]]);
    await small.close();
  });
});

describe("limits", () => {
  let engine: EmbeddedEngine;
  const nothing = pinnedOf(1, []);
  const stillWorks = async (): Promise<void> => {
    expect((await engine.run(aQuery("SELECT 1", []), nothing, LIMITS)).rows).toEqual([[1]]);
  };
  const failing = async (sql: string, limits: Partial<Limits> = {}): Promise<unknown> =>
    engine.run(aQuery(sql, []), nothing, { ...LIMITS, ...limits }).then(
      () => undefined,
      (thrown: unknown) => (thrown instanceof QueryError ? thrown.code : thrown),
    );

  beforeEach(async () => {
    engine = await openOver(memoryObjects(), 100);
  });
  afterEach(() => engine.close());

  it("ends a query at its time limit and goes on", async () => {
    expect(await failing("SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b", { timeMs: 50 })).toBe("query_timeout");
    await stillWorks();
  });

  it("ends a query that needs too much memory and goes on", async () => {
    expect(await failing("SELECT list(repeat('x', 1000) || range::VARCHAR) FROM range(1000000)")).toBe("query_memory_limit");
    await stillWorks();
  });

  it("ends a reply that grows too large and goes on", async () => {
    expect(await failing("SELECT repeat('x', 1000) FROM range(1000000)", { maxRows: 1_000_000, maxReplyBytes: 100_000 })).toBe(
      "query_too_large",
    );
    await stillWorks();
  });

  it("gives no more rows than were asked for", async () => {
    const { rows } = await engine.run(aQuery("SELECT range FROM range(100000) ORDER BY 1", []), nothing, { ...LIMITS, maxRows: 3 });
    expect(rows).toEqual([[0], [1], [2]]);
    await stillWorks();
  });

  it("tells an author about values that cannot be converted, without the engine's words", async () => {
    expect(await failing("SELECT 'a'::INTEGER")).toBe("cannot_parse_text");
    await stillWorks();
  });
});

describe("isolation", () => {
  let directory: string;
  let engine: EmbeddedEngine;
  let own: FileFacts;
  let others: string;
  const nothing = pinnedOf(1, []);

  beforeEach(async () => {
    directory = await aDirectory();
    const stored = join(directory, "store");
    const memory = memoryObjects();
    const put = async (key: string, bytes: Uint8Array): Promise<void> => {
      await mkdir(dirname(join(stored, key)), { recursive: true });
      await writeFile(join(stored, key), bytes);
    };
    const objects: Objects = { ...memory, put, localPath: (key) => join(stored, key) };
    const config = { engineDiskBytes: 100_000_000, engineMemoryMb: 300 };
    engine = await openEngine({ objects, directory: join(directory, "engine"), config, countUsage: countRows });
    own = await storedSegment(engine, objects, segmentKey(1, "2025-06", "a"), someRows(10));
    const other = await storedSegment(engine, objects, segmentKey(2, "2025-06", "b"), someRows(20));
    // Both projects have been read, so both have files in the engine's directory.
    const count = aQuery("SELECT count(*) FROM e", []);
    expect((await engine.run(count, pinnedOf(1, [own]), LIMITS)).rows).toEqual([[10]]);
    expect((await engine.run({ ...count, project: 2 }, pinnedOf(2, [other]), LIMITS)).rows).toEqual([[20]]);
    others = join(directory, "engine", "2", "cache", "fresh~2~2025-06~b.parquet");
  });
  afterEach(() => engine.close());

  const refused = async (sql: string): Promise<void> => {
    const outcome = await engine.run(aQuery(sql, []), nothing, LIMITS).then(
      ({ rows }) => rows,
      (thrown: unknown) => thrown,
    );
    expect(outcome, sql).toBeInstanceOf(Error);
  };

  it("reads no file outside the project's directory", async () => {
    const mine = join(directory, "engine", "1", "cache");
    const paths = [
      others,
      join(directory, "store", segmentKey(1, "2025-06", "a")),
      `${mine}/../../2/cache/fresh~2~2025-06~b.parquet`,
      "/etc/passwd",
    ];
    for (const path of [...paths, join(directory, "engine", "*", "cache", "*.parquet")]) {
      await refused(`SELECT count(*) FROM read_parquet('${path}')`);
      await refused(`SELECT count(*) FROM read_text('${path}')`);
      await refused(`SELECT count(*) FROM '${path}'`);
    }
    expect(
      (
        await engine
          .run(aQuery(`SELECT count(*) FROM glob('${directory}/engine/2/**')`, []), nothing, LIMITS)
          .catch(() => ({ rows: [[0]] }))
      ).rows,
    ).toEqual([[0]]);
    await refused("SELECT * FROM read_csv('https://example.com/x.csv')");
  });

  it("refuses everything but a single SELECT", async () => {
    const target = join(directory, "engine", "1", "cache", "x.parquet");
    const statements = [
      "SELECT 1; SELECT 2",
      `COPY (SELECT 1) TO '${target}'`,
      `ATTACH '${target}'`,
      "SET threads = 1",
      "RESET lock_configuration",
      "CREATE TABLE t (a INTEGER)",
      "INSTALL httpfs",
      "LOAD httpfs",
      "CALL pragma_version()",
      "EXPLAIN SELECT 1",
      "BEGIN",
      "PREPARE p AS SELECT 1",
    ];
    for (const statement of statements) await refused(statement);
  });
});

describe("files of several days", () => {
  it("are read in the order in which their rows are wanted", async () => {
    const objects = memoryObjects();
    const engine = await openOver(objects);
    const files: FileFacts[] = [];
    for (const day of [2, 0, 3, 1]) {
      const row = {
        ...anEventRow({ uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(day).padStart(12, "0")}` }),
        timestamp: START + BigInt(day) * DAY_US,
      };
      files.push(await storedSegment(engine, objects, segmentKey(1, "2025-06", `d${day}`), [{ ...row, index: day }]));
    }
    // In order they are read by one thread only, which gives rows as they stand.
    const days = async (first?: "oldest" | "newest"): Promise<readonly unknown[]> => {
      const query = aQuery('SELECT "index" FROM e', ["index"], { scans: [events(["index"], first && { first })] });
      return (await engine.run(query, pinnedOf(1, files), LIMITS)).rows.flat();
    };
    expect([await days("newest"), await days("oldest"), await days()]).toEqual([
      [3, 2, 1, 0],
      [0, 1, 2, 3],
      [2, 0, 3, 1],
    ]);
    await engine.close();
  });
});

describe("waiting segments", () => {
  it("hides copies, also those that arrive later, and changes of the manifest", async () => {
    const objects = memoryObjects();
    const engine = await openOver(objects);
    const count = async (pinned: PinnedState): Promise<unknown> =>
      (await engine.run(aQuery('SELECT count(*), sum("index") FROM e', ["index"]), pinned, LIMITS)).rows[0];
    const rows = someRows(100);
    const key = (name: string): string => segmentKey(1, "2025-06", name);
    const first = await storedSegment(engine, objects, key("a"), rows);
    const copies = await storedSegment(
      engine,
      objects,
      key("b"),
      rows.map((row) => ({ ...row, created_at: row.created_at - 1n, index: 1 })),
    );
    expect(await count(pinnedOf(1, [], [first]))).toEqual([100, 4_950]);
    // The later commit's copies were received earlier: they stay.
    expect(await count(pinnedOf(1, [], [first, copies]))).toEqual([100, 100]);
    // What a manifest has stays before any waiting copy.
    expect(await count(pinnedOf(1, [first], [copies]))).toEqual([100, 4_950]);
    const half = await storedSegment(engine, objects, key("c"), rows.slice(0, 50));
    expect(await count(pinnedOf(1, [half], [copies]))).toEqual([100, 1_225 + 50]);
    await engine.close();
  });

  it("hides copies from queries that run side by side", async () => {
    const objects = memoryObjects();
    const engine = await openOver(objects);
    const rows = someRows(200);
    const waiting: FileFacts[] = [];
    for (const name of ["a", "b", "c"]) waiting.push(await storedSegment(engine, objects, segmentKey(1, "2025-06", name), rows));
    const query = aQuery("SELECT count(*) FROM e", []);
    const found = await Promise.all([3, 2, 3, 1, 3].map((count) => engine.run(query, pinnedOf(1, [], waiting.slice(0, count)), LIMITS)));
    expect(found.map((one) => one.rows)).toEqual(found.map(() => [[200]]));
    await engine.close();
  });

  it("skips many rows of a segment as it skips few", async () => {
    const objects = memoryObjects();
    const engine = await openOver(objects);
    const rows = someRows(6_000);
    const all = await storedSegment(engine, objects, segmentKey(1, "2025-06", "a"), rows);
    const most = await storedSegment(engine, objects, segmentKey(1, "2025-06", "b"), rows.slice(0, 5_000));
    const { rows: found } = await engine.run(
      aQuery("SELECT count(*), count(DISTINCT uuid) FROM e", ["uuid"]),
      pinnedOf(1, [most], [all]),
      LIMITS,
    );
    expect(found).toEqual([[6_000, 6_000]]);
    await engine.close();
  });
});

describe("values of a reply", () => {
  it("are ready for JSON by their types", async () => {
    const engine = await openOver(memoryObjects());
    const sql = `SELECT TIMESTAMP '2026-01-01 12:00:00', TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMP '9999-12-31 23:59:59.999999',
      DATE '2026-02-03', DATE '0001-01-01', 9007199254740991, 12::HUGEINT, 'nan'::DOUBLE, 'inf'::DOUBLE, 1.25::DECIMAL(9, 2), true,
      [1, NULL], {'1': 'a', '2': DATE '2026-02-03'}, MAP {'k': 1}, NULL, $1, $2, $3`;
    const columns = Array.from({ length: 18 }, (_, at) => ({ name: `c${at}`, type: "String" }));
    const query = aQuery(sql, [], { parameters: ["it's", 3n, 1.5], columns, timezone: "America/New_York" });
    const { rows } = await engine.run(query, pinnedOf(1, []), LIMITS);
    expect(rows).toEqual([
      [
        "2026-01-01T07:00:00-05:00",
        "1969-12-31T18:59:59.999999-05:00",
        "9999-12-31T18:59:59.999999-05:00",
        "2026-02-03",
        "0001-01-01",
        9_007_199_254_740_991,
        12,
        null,
        null,
        1.25,
        true,
        [1, null],
        ["a", "2026-02-03"],
        { k: 1 },
        null,
        "it's",
        3,
        1.5,
      ],
    ]);
    await engine.close();
  });
});
