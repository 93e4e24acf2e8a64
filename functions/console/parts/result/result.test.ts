import { describe, expect, it } from "vitest";
import type { Answer } from "./answer.ts";
import { answerGrid, gridCsv, gridTsv, sortedRows } from "./grid.ts";
import { fittingKind, possibleKinds, shownKind, singleNumber } from "./kinds.ts";
import { MOST_SERIES, plotColumns } from "./plot-columns.ts";

const sql = (types: readonly (readonly [string, string])[], ...results: readonly unknown[][]): Answer => ({
  results,
  columns: types.map(([name]) => name),
  types,
  timezone: "Europe/Berlin",
});

const days = sql(
  [
    ["day", "Date"],
    ["events", "UInt64"],
    ["people", "Nullable(UInt64)"],
  ],
  ["2026-09-23", 24, null],
  ["2026-09-22", 12, 5],
);
const names = sql(
  [
    ["event", "Nullable(String)"],
    ["count()", "UInt64"],
  ],
  ["signup", 3],
  ["$pageview", 20],
);
const split = sql(
  [
    ["hour", "DateTime"],
    ["event", "String"],
    ["count()", "UInt64"],
  ],
  ["2026-09-22T10:00:00Z", "a", 1],
  ["2026-09-22T11:00:00Z", "b", 2],
  ["2026-09-22T10:00:00Z", "b", 3],
);
const trend = (label: string, data: readonly number[], more: object = {}) => ({
  label,
  data,
  days: ["2026-09-22", "2026-09-23"].slice(0, data.length),
  ...more,
});
const trends: Answer = { results: [trend("signup", [1, 2]), trend("$pageview", [3, 4], { compare_label: "previous" })] };
const totals: Answer = { results: [trend("Chrome", [], { aggregated_value: 7 }), trend("Safari", [], { aggregated_value: 2 })] };
const cohort = (date: string, ...counts: readonly number[]) => ({
  date,
  values: counts.map((count, at) => ({ count, label: `Day ${at}` })),
  breakdown_value: null,
});
const retention: Answer = { results: [cohort("2026-11-21T00:00:00Z", 71, 23), cohort("2026-11-22T00:00:00Z", 67, 0)] };

describe("the kind that fits", () => {
  it.each([
    ["a time and numbers", days, "line"],
    ["a time, a name and a number", split, "line"],
    ["a name and a number", names, "bar"],
    ["one number", sql([["count()", "UInt64"]], [7]), "number"],
    ["one text", sql([["name", "String"]], ["a"]), "table"],
    [
      "a time without numbers",
      sql(
        [
          ["t", "DateTime64(6)"],
          ["e", "String"],
        ],
        ["2026-09-22T10:00:00Z", "a"],
        ["2026-09-22T11:00:00Z", "a"],
      ),
      "table",
    ],
    [
      "an object beside numbers",
      sql(
        [
          ["t", "Date"],
          ["n", "UInt8"],
          ["m", "Map(String, String)"],
        ],
        ["2026-09-22", 1, {}],
        ["2026-09-23", 1, {}],
      ),
      "table",
    ],
    [
      "too many names",
      sql(
        [
          ["e", "String"],
          ["n", "UInt8"],
        ],
        ...Array.from({ length: 41 }, (_, at) => [`e${at}`, at]),
      ),
      "table",
    ],
    ["a trend", trends, "line"],
    ["totals of a trend", totals, "bar"],
    ["a retention", retention, "heat_map"],
  ])("of %s", (_, answer, kind) => {
    expect(fittingKind(answer)).toBe(kind);
  });

  it("is drawn where the answer cannot be what is wished for", () => {
    expect(shownKind(names, "heat_map")).toBe("bar");
    expect(shownKind(names, "table")).toBe("table");
    expect(possibleKinds(retention)).toEqual(["auto", "table", "line", "area", "bar", "heat_map"]);
    expect(possibleKinds(sql([["name", "String"]], ["a"]))).toEqual(["auto", "table"]);
  });

  it("finds the one number", () => {
    expect(singleNumber(sql([["count()", "UInt64"]], [7]))).toEqual({ value: 7, label: "count()" });
    expect(singleNumber({ results: [trend("signup", [], { aggregated_value: 7 })] })).toEqual({ value: 7, label: "signup" });
    expect(singleNumber(days)).toBeUndefined();
  });
});

describe("columns of a plot", () => {
  const seconds = (text: string): number => Date.parse(text) / 1_000;

  it("are in the order of their days, a series for each number", () => {
    const plot = plotColumns(days);
    expect(plot?.x).toEqual({
      kind: "time",
      values: Float64Array.of(seconds("2026-09-22T00:00Z"), seconds("2026-09-23T00:00Z")),
      zone: "UTC",
    });
    expect(plot?.series).toEqual([
      { title: "events", values: Float64Array.of(12, 24) },
      { title: "people", values: Float64Array.of(5, Number.NaN) },
    ]);
  });

  it("are split by a name, and say moments by the clock of the zone", () => {
    const plot = plotColumns(split);
    expect(plot?.x).toMatchObject({ zone: "Europe/Berlin" });
    expect(plot?.series).toEqual([
      { title: "a", values: Float64Array.of(1, Number.NaN) },
      { title: "b", values: Float64Array.of(3, 2) },
    ]);
  });

  it("are split by a name for each of several numbers, where rows share a place", () => {
    const types = [
      ["day", "Date"],
      ["event", "String"],
      ["n", "UInt64"],
      ["people", "UInt64"],
    ] as const;
    const titles = (answer: Answer) => plotColumns(answer)?.series.map(({ title, values }) => [title, ...values]);
    expect(titles(sql(types, ["2026-09-22", "a", 138, 20], ["2026-09-22", "b", 1, 1]))).toEqual([
      ["a: n", 138],
      ["a: people", 20],
      ["b: n", 1],
      ["b: people", 1],
    ]);
    expect(titles(sql(types, ["2026-09-22", "a", 138, 20], ["2026-09-23", "b", 1, 1]))).toEqual([
      ["n", 138, 1],
      ["people", 20, 1],
    ]);
  });

  it("say which rows they leave out, which are no bars by themselves", () => {
    const twice = sql(
      [
        ["event", "String"],
        ["n", "UInt64"],
      ],
      ["a", 1],
      ["b", 2],
      ["a", 3],
    );
    expect(plotColumns(twice)?.leftOut).toBe("1 row is not drawn: another has its place. The table has all.");
    expect(fittingKind(twice)).toBe("table");
    expect(plotColumns(split)?.leftOut).toBe(undefined);
  });

  it("are names as they came", () => {
    expect(plotColumns(names)?.x).toEqual({ kind: "category", values: ["signup", "$pageview"] });
    expect(plotColumns(totals)?.series).toEqual([{ title: "Value", values: Float64Array.of(7, 2) }]);
  });

  it("are a trend's days, hours by what a clock showed", () => {
    expect(plotColumns(trends)?.series.map(({ title }) => title)).toEqual(["signup", "$pageview (previous)"]);
    const hours = { results: [{ label: "a", data: [1], days: ["2026-09-22 10:00:00"] }] };
    expect(plotColumns(hours)?.x).toMatchObject({ values: Float64Array.of(seconds("2026-09-22T10:00Z")), zone: "UTC" });
  });

  it("are the largest of many series", () => {
    const many = { results: Array.from({ length: MOST_SERIES + 1 }, (_, at) => trend(`e${at}`, [at, at])) };
    expect(plotColumns(many)?.series.map(({ title }) => title)).not.toContain("e0");
    expect(plotColumns(many)?.series).toHaveLength(MOST_SERIES);
    expect(plotColumns(many)?.leftOut).toBe("Of 25 series the 24 largest are drawn. The table has all.");
  });
});

describe("a table", () => {
  it("has a trend's days as rows, and a retention's cohorts", () => {
    expect(answerGrid(trends).rows).toEqual([
      ["2026-09-22", 1, 3],
      ["2026-09-23", 2, 4],
    ]);
    expect(answerGrid(retention).rows[0]).toEqual(["2026-11-21", 71, 23]);
    expect(answerGrid(totals).rows).toEqual([
      ["Chrome", 7],
      ["Safari", 2],
    ]);
  });

  it("is sorted by numbers as numbers, with nothing last", () => {
    const grid = answerGrid(
      sql(
        [
          ["a", "String"],
          ["n", "Int8"],
        ],
        ["x", 10],
        ["y", null],
        ["z", 9],
      ),
    );
    const order = (column: number, descending: boolean) => sortedRows(grid, { column, descending }).map(([name]) => name);
    expect(order(1, false)).toEqual(["z", "x", "y"]);
    expect(order(1, true)).toEqual(["x", "z", "y"]);
    expect(order(0, true)).toEqual(["z", "y", "x"]);
  });

  it("keeps long numbers in order, and as numbers in a file, below zero too", () => {
    const grid = answerGrid(
      sql(
        [
          ["id", "Int64"],
          ["text", "String"],
        ],
        ["123456789012345679", "-1"],
        ["123456789012345678", "=1"],
        ["-123456789012345678", "a"],
      ),
    );
    const order = sortedRows(grid, { column: 0, descending: false }).map(([id]) => id);
    expect(order).toEqual(["-123456789012345678", "123456789012345678", "123456789012345679"]);
    expect(gridCsv(grid)).toBe("id,text\n123456789012345679,'-1\n123456789012345678,'=1\n-123456789012345678,a\n");
  });

  it("is copied and saved", () => {
    const grid = answerGrid(
      sql(
        [
          ["a", "String"],
          ["m", "Map(String, UInt8)"],
        ],
        ["x\ty\nz, w", { k: 1 }],
        ["=1", null],
      ),
    );
    expect(gridTsv(grid)).toBe('a\tm\nx y z, w\t{"k":1}\n=1\t');
    expect(gridCsv(grid)).toBe('a,m\n"x\ty\nz, w","{""k"":1}"\n\'=1,\n');
  });
});
