import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NativeRow } from "../native.ts";
import { type Database, openDatabase } from "./duckdb.ts";
import { quoteName } from "./sql-text.ts";

let root = "";
let database: Database;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "kept-files-"));
  await mkdir(join(root, "files"));
  const options = {
    readable: `${join(root, "files")}/`,
    temporary: join(root, "spill"),
    memoryMb: 400,
    threads: 2,
    spillBytes: 10_000_000,
  };
  database = await openDatabase(options);
});
afterAll(async () => {
  database.close();
  await rm(root, { recursive: true, force: true });
});

const rowsOf = async (sql: string, kept: readonly string[] = [], into?: string): Promise<readonly NativeRow[]> => {
  const found: NativeRow[] = [];
  const take = (rows: readonly NativeRow[]) => {
    found.push(...rows);
    return "more" as const;
  };
  await database.select(sql, [], 20_000, take, into === undefined ? { kept } : { into });
  return found;
};

/** A file of the rows of a query, and how to ask it. */
const aFile = async (name: string, sql: string) => {
  const path = join(root, "files", `it's ${name}`);
  await rowsOf(sql, [], path);
  return {
    ask: (list: string, rest = "") => rowsOf(`SELECT ${list} FROM ${quoteName(path)} ${rest}`, [path]),
    remove: () => rm(path),
  };
};

const VALUES =
  "SELECT n, 'text ' || n AS t, n / 7.0 AS d, make_timestamptz(n * 1000000) AS at, DATE '2026-01-01' + n::INTEGER AS day, n % 2 = 0 AS even, nullif('x' || (n % 3), 'x0') AS none FROM (SELECT range AS n FROM range(1000))";

describe("a file that statements name", () => {
  it("is read as it is, and from the second statement on from memory: the same rows, in the same order", async () => {
    const { ask, remove } = await aFile("values", VALUES);
    const first = await ask("*");
    expect(first).toHaveLength(1_000);
    expect(await ask("*")).toEqual(first);
    await remove();
    expect(await ask("*")).toEqual(first);
    expect(await ask("t, d", "WHERE none = 'x1' AND n > 990")).toEqual([
      ["text 991", 991 / 7],
      ["text 994", 994 / 7],
      ["text 997", 997 / 7],
    ]);
  });

  it.each([
    ["many rows", "SELECT range AS n FROM range(200001)"],
    ["long texts", "SELECT repeat('x', 1000000) AS t FROM range(20)"],
    ["lists", "SELECT [range] AS list FROM range(10)"],
  ])("stays a file where it has %s", async (what, sql) => {
    const { ask, remove } = await aFile(what, sql);
    const first = await ask("count(*)");
    for (let again = 0; again < 3; again += 1) expect(await ask("count(*)")).toEqual(first);
    await remove();
    await expect(ask("*")).rejects.toThrow();
  });

  it("makes room for those that are asked for after it", async () => {
    const large = (name: string) => aFile(name, "SELECT repeat('x', 100) || range AS t FROM range(100000)");
    const files = [await large("one"), await large("two"), await large("three")];
    for (const { ask } of files) for (let again = 0; again < 3; again += 1) expect(await ask("count(*)")).toEqual([[100_000n]]);
    for (const { remove } of files) await remove();
    const [one, ...others] = files;
    await expect(one?.ask("max(t)")).rejects.toThrow();
    for (const { ask } of others) expect(await ask("count(DISTINCT t)")).toEqual([[100_000n]]);
  });

  it("stays for the statement that names it, whatever others take that this names, too", async () => {
    const paths = ["a", "b", "c"].map((name) => join(root, "files", `together ${name}`));
    for (const path of paths) await rowsOf("SELECT repeat('x', 100) || range AS t FROM range(100000)", [], path);
    const sql = `SELECT count(*) FROM (${paths.map((path) => `SELECT t FROM ${quoteName(path)}`).join(" UNION ALL ")})`;
    for (let again = 0; again < 4; again += 1) expect(await rowsOf(sql, paths)).toEqual([[300_000n]]);
  });

  it("that is not there yet is none, and one when it is", async () => {
    const path = join(root, "files", "later");
    const ask = () => rowsOf(`SELECT * FROM ${quoteName(path)}`, [path]);
    await expect(ask()).rejects.toThrow();
    await rowsOf("SELECT 1 AS one", [], path);
    expect(await ask()).toEqual([[1]]);
    expect(await ask()).toEqual([[1]]);
  });
});
