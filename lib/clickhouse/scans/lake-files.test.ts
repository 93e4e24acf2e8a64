import { describe, expect, it } from "vitest";
import { fileName, readFiles } from "./lake-files.ts";

const COLUMNS = new Map([
  ["index", "Int32"],
  ["timestamp", "DateTime64(6, 'UTC')"],
]);
const ALONE = { cluster: "" };

describe("what reads files of the lake", () => {
  it("names them, and the columns with their types, and neither an address nor a secret", () => {
    expect(readFiles(ALONE, ["fresh/1/2026-01/a.parquet"], COLUMNS)).toEqual([
      "s3(lake, filename = 'fresh/1/2026-01/a.parquet', format = 'Parquet', structure = '`index` Int32, `timestamp` DateTime64(6, \\'UTC\\')')",
    ]);
  });

  it("spreads them over a cluster where there is one", () => {
    const [from = ""] = readFiles({ cluster: "two machines" }, ["state/1/persons/a.parquet"], COLUMNS);
    expect(from).toMatch(/^s3Cluster\('two machines', lake, filename = 'state\/1\/persons\/a\.parquet', /);
  });

  it("lists many in braces of one depth, by the first folder, to which rights are given", () => {
    const keys = ["events/project=1/month=2026-01/a.parquet", "fresh/1/2026-01/c.parquet", "events/project=1/month=2026-02/b.parquet"];
    expect(readFiles(ALONE, keys, COLUMNS).map((from) => /filename = '([^']*)'/.exec(from)?.[1])).toEqual([
      "events/{project=1/month=2026-01/a.parquet,project=1/month=2026-02/b.parquet}",
      "fresh/1/2026-01/c.parquet",
    ]);
  });

  it("names no more in one list than ClickHouse takes", () => {
    const keys = Array.from({ length: 2_001 }, (_, at) => `events/project=1/month=2026-01/${at}.parquet`);
    const named = readFiles(ALONE, keys, COLUMNS).map((from) => from.match(/\.parquet/g)?.length);
    expect(named).toEqual([1_000, 1_000, 1]);
  });

  it.each(["fresh/1/a'b.parquet", "fresh/1/*.parquet", "fresh/1/{a,b}.parquet", "fresh/1/a?.parquet", "fresh/1/a\\", ""])(
    "refuses %s, which no key of ours is",
    (key) => expect(() => readFiles(ALONE, [key], COLUMNS)).toThrow("characters"),
  );

  it("knows the name by which a row's file is told", () => expect(fileName("fresh/1/2026-01/a.parquet")).toBe("a.parquet"));
});
