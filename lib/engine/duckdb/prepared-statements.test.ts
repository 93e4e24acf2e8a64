import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Parameter } from "../../hogql/lowered-query.ts";
import type { NativeRow } from "../native.ts";
import { type Database, openDatabase } from "./duckdb.ts";
import { quoteName } from "./sql-text.ts";

let root = "";
let database: Database;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "prepared-"));
  await mkdir(join(root, "files"));
  const readable = `${join(root, "files")}/`;
  database = await openDatabase({ readable, temporary: join(root, "spill"), memoryMb: 400, threads: 2, spillBytes: 10_000_000 });
});
afterAll(async () => {
  database.close();
  await rm(root, { recursive: true, force: true });
});

/** A file of the rows of a query. */
const aFile = async (name: string, sql: string): Promise<string> => {
  const into = join(root, "files", name);
  await database.select(sql, [], 20_000, () => "more", { into });
  return into;
};

/** The whole numbers that a text finds in a file, which it has at `{}`. */
const asked = async (path: string, parameter: Parameter, text: string): Promise<readonly number[]> => {
  const found: NativeRow[] = [];
  const take = (rows: readonly NativeRow[]) => {
    found.push(...rows);
    return "more" as const;
  };
  await database.select(text.replace("{}", quoteName(path)), [parameter], 20_000, take, { kept: [path], readsKeptAlone: true });
  return found.map(([value]) => Number(value));
};

const ROWS = "SELECT range AS n, 't' || range AS t FROM range(100)";

it("a text that is asked again has other values each time, of other types, too", async () => {
  const path = await aFile("values", ROWS);
  const text = "SELECT n FROM {} WHERE t = 't' || $1 ORDER BY n";
  const values: readonly (readonly [Parameter, readonly number[]])[] = [
    ["1", [1]],
    ["2", [2]],
    [3, [3]],
    [null, []],
    [4n, [4]],
    [2n ** 70n, []],
    [0.5, []],
    ["5", [5]],
  ];
  for (const [value, expected] of values) expect(await asked(path, value, text)).toEqual(expected);
});

it("more texts than are kept are all answered", async () => {
  const path = await aFile("texts", ROWS);
  for (const round of [0, 1, 2]) {
    for (let add = 0; add < 12; add += 1) {
      expect(await asked(path, round, `SELECT n + ${add} FROM {} WHERE n = $1`)).toEqual([round + add]);
    }
  }
});

it("a text that failed is asked as before", async () => {
  const path = await aFile("failing", ROWS);
  const dividing = "SELECT CAST('1' || t AS BIGINT) + n FROM {} WHERE n = $1";
  for (let round = 0; round < 3; round += 1) await expect(asked(path, 1, dividing)).rejects.toThrow();
  expect(await asked(path, 7, "SELECT n FROM {} WHERE n = $1")).toEqual([7]);
});

it("a table that made room for others and came back is read as it is then", async () => {
  const path = await aFile("first", ROWS);
  const text = "SELECT n FROM {} WHERE n = $1";
  for (let round = 0; round < 3; round += 1) expect(await asked(path, round, text)).toEqual([round]);
  for (let other = 0; other < 70; other += 1) await asked(await aFile(`other-${other}`, ROWS), other, text);
  await rm(path);
  await aFile("first", "SELECT range + 1000 AS n, 't' AS t FROM range(100)");
  for (let round = 0; round < 3; round += 1) expect(await asked(path, 1_000 + round, text)).toEqual([1_000 + round]);
});
