import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Parameter } from "../../../hogql/lowered-query.ts";
import type { NativeRow } from "../../native.ts";
import { openQueryProcess } from "./query-process.ts";

let root = "";
const queries = openQueryProcess();
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "query-process-"));
  await mkdir(join(root, "files"));
});
afterAll(async () => {
  queries.close();
  await rm(root, { recursive: true, force: true });
});

const aDatabase = (memoryMb = 200) =>
  queries.open({ readable: `${join(root, "files")}/`, temporary: join(root, "spill"), memoryMb, threads: 2, spillBytes: 10_000_000 });

const rowsOf = async (sql: string, parameters: readonly Parameter[] = [], timeMs = 5_000): Promise<readonly NativeRow[]> => {
  const found: NativeRow[] = [];
  await aDatabase().select(sql, parameters, timeMs, (rows) => {
    found.push(...rows);
    return "more";
  });
  return found;
};

describe("a query in a process of its own", () => {
  it("gets its values there and its rows back as they are", async () => {
    const sql =
      "SELECT $1::BIGINT, $2::VARCHAR, $3::DOUBLE, NULL, DATE '2026-01-02', make_timestamptz(5), [1, NULL], {'1': 'x'}, map(['k'], [true])";
    expect(await rowsOf(sql, [2n ** 60n, "ü\0'", 0.5])).toEqual([
      [
        2n ** 60n,
        "ü\0'",
        0.5,
        null,
        { days: 20_455 },
        { micros: 5n },
        { items: [1, null] },
        { fields: [["1", "x"]] },
        { entries: [["k", true]] },
      ],
    ]);
  });

  it("gets all of many rows, in order", async () => {
    const rows = await rowsOf("SELECT range FROM range(50000)");
    expect(rows).toHaveLength(50_000);
    expect(rows.every(([value], at) => value === BigInt(at))).toBe(true);
  });

  it("ends when no more rows are wanted, or when whoever takes them throws, and the next one runs", async () => {
    let taken = 0;
    await aDatabase().select("SELECT range FROM range(10000000)", [], 5_000, (rows) => {
      taken += rows.length;
      return "enough";
    });
    expect(taken).toBeLessThan(10_000);
    const full = () => {
      throw new RangeError("full");
    };
    await expect(aDatabase().select("SELECT 1", [], 5_000, full)).rejects.toThrow("full");
    expect(await rowsOf("SELECT 1")).toEqual([[1]]);
  });

  it("tells what was wrong", async () => {
    await expect(rowsOf("SELECT CAST('x' AS INTEGER)")).rejects.toThrow(/^Conversion Error/);
    await expect(rowsOf("CREATE TABLE x (a INTEGER)")).rejects.toMatchObject({ name: "Defect" });
    await expect(rowsOf("SELECT count(*) FROM range(10000000000) a, range(1000) b", [], 100)).rejects.toMatchObject({
      code: "query_timeout",
    });
  });

  it.runIf(process.platform === "linux")("is asked of a fresh process when the one there died idle", async () => {
    expect(await rowsOf("SELECT 1")).toEqual([[1]]);
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").map(Number);
    for (const child of children) if (/engine-process/.test(readFileSync(`/proc/${child}/cmdline`, "utf8"))) process.kill(child, "SIGKILL");
    expect(await rowsOf("SELECT 2")).toEqual([[2]]);
  });

  it("sees no setting and no credential of the platform", async () => {
    await expect(rowsOf("SELECT getenv('PATH')")).rejects.toThrow();
  });
});

describe("a query that cannot be interrupted", () => {
  const BOMBS: readonly (readonly [what: string, sql: string])[] = [
    ["constants computed while it is planned", "SELECT list_sum(list_transform(range(1000000), lambda x: len(range(x))))"],
    [
      "one value of many",
      "SELECT list_sum(list_transform(range(n), lambda x: len(range(x)))) FROM (SELECT unnest(range(1000000, 1000001)) AS n)",
    ],
    ["texts in lists in rows", "SELECT sum(len(list_transform(range(1000), lambda x: repeat('x', 100000 + x)))) FROM range(5000)"],
    ["a text replaced by a text", "SELECT length(replace(repeat('a', 1000000), 'a', repeat('b', 100000)))"],
    ["a fold that doubles", "SELECT length(list_reduce(list_transform(range(60), lambda x: 'xxxx' || x), lambda a, b: a || a || b))"],
  ];

  it.each(BOMBS)("%s: ends with its process, in time and memory, and the next one runs", async (_, sql) => {
    await expect(rowsOf(sql, [], 300)).rejects.toMatchObject({ code: expect.stringMatching(/^query_(timeout|memory_limit)$/) });
    expect(await rowsOf("SELECT 42")).toEqual([[42]]);
  });
});
