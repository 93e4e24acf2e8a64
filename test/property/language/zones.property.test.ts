import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../lib/engine/duckdb/duckdb.ts";
import type { NativeRow } from "../../../lib/engine/native.ts";
import { ident, NULL_SQL, type Sql, sql } from "../../../lib/hogql/sql/fragment.ts";
import { print } from "../../../lib/hogql/sql/print.ts";
import { survey } from "../../../lib/hogql/sql/survey.ts";
import { offsetOfLocalSql, offsetSql } from "../../../lib/hogql/time/zone-sql.ts";
import { timeZone } from "../../../lib/hogql/time-zone.ts";

let root: string;
let database: Database;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "zones-"));
  database = await openDatabase({ readable: `${root}/`, temporary: join(root, "spill"), memoryMb: 200, threads: 2, spillBytes: 1_000_000 });
});
afterAll(async () => {
  database.close();
  await rm(root, { recursive: true, force: true });
});

/** Zones whose rules were settled years ago: the engine's own table of zones is older than ours. */
const ZONES = [
  "America/New_York",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "America/Sao_Paulo",
  "Asia/Tehran",
  "Pacific/Apia",
  "Asia/Kathmandu",
];
const SECOND = 1_000_000n;
const at = (year: number): bigint => BigInt(Date.UTC(year, 0, 1)) * 1000n;

const rows = async (sql: string): Promise<NativeRow[]> => {
  const found: NativeRow[] = [];
  await database.select(sql, [], 10_000, (batch) => {
    found.push(...batch);
    return "more";
  });
  return found;
};

/** The text of SQL without parameters. */
const textOf = (tree: Sql): string => print([tree], survey([tree]), () => undefined).texts.join();
const M = ident("m");

const moment = fc.tuple(fc.integer({ min: 1990, max: 2033 }), fc.integer({ min: 0, max: 31_535_999 }));

it("the offset CASE equals ICU for any moment, inside and outside of its range, and to the second around every change", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 2000, max: 2029 }),
      fc.array(moment, { minLength: 20, maxLength: 60 }),
      async (name, year, moments) => {
        const zone = timeZone(name);
        const range = { from: at(year), to: at(year + 3), now: Date.UTC(2040, 0, 1) };
        const edges = zone
          .transitions(range.from, range.to)
          .flatMap((change) => [change.at - SECOND, change.at - 1n, change.at, change.at + SECOND]);
        const inside = moments.map(([, second]) => range.from + BigInt(second) * SECOND);
        const anywhere = moments.map(([when, second]) => at(when) + BigInt(second) * SECOND);
        const icu = (value: Sql): Sql => sql`(epoch_us(timezone(zone, make_timestamptz(${value}))) - ${value})`;
        const compare = (values: readonly bigint[], ours: Sql): Promise<NativeRow[]> =>
          rows(
            `SELECT m, ${textOf(ours)} AS ours, ${textOf(icu(M))} AS icu FROM (SELECT '${name}' AS zone, unnest([${values.map((value) => `${value}::BIGINT`).join(", ")}]) AS m) WHERE ours <> icu`,
          );
        expect(await compare([...edges, ...inside], offsetSql(zone, range, M, icu))).toEqual([]);
        expect(await compare(anywhere, offsetSql(zone, { from: null, to: null, now: range.now }, M, icu))).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
});

it("the way back from the wall clock gives the moment it came from, and the earlier one where a clock reads twice", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 2000, max: 2029 }),
      fc.array(moment, { minLength: 20, maxLength: 60 }),
      async (name, year, moments) => {
        const zone = timeZone(name);
        const range = { from: at(year), to: at(year + 1), now: Date.UTC(2040, 0, 1) };
        const values = moments.map(([, second]) => range.from + BigInt(second) * SECOND);
        const locals = values.map((value) => value + zone.offsetAt(value));
        const back = textOf(offsetOfLocalSql(zone, range, M, () => NULL_SQL));
        const found = await rows(`SELECT m - ${back} FROM (SELECT unnest([${locals.map((value) => `${value}::BIGINT`).join(", ")}]) AS m)`);
        for (const [index, [micros]] of found.entries()) {
          const value = values[index] ?? 0n;
          const again = typeof micros === "bigint" ? micros : BigInt(Number(micros));
          expect(again <= value).toBe(true);
          expect(again + zone.offsetAt(again)).toBe(locals[index]);
          expect(locals[index]).toBe(again + zone.offsetOfLocal(locals[index] ?? 0n));
        }
      },
    ),
    { numRuns: 25 },
  );
});
