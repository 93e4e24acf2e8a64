import { describe, expect, it } from "vitest";
import { goldenProject } from "./golden-project.ts";

const { rows, values, itHas } = goldenProject();

describe("arrays with NULL in them", () =>
  itHas([
    ["has([1, NULL], NULL)", true],
    ["has([1, 2], NULL)", false],
    ["countEqual([1, NULL, NULL], NULL)", 2],
    ["arrayUniq([1, NULL, NULL])", 2],
    ["arrayIntersect([1, NULL], [NULL, 2])", [null]],
    ["arrayDistinct([NULL, 1, NULL, 1])", [1]],
    ["hasAny([1, NULL], [NULL])", true],
    ["hasAny([1], [NULL])", false],
    ["hasAll([1, NULL], [NULL, 1])", true],
    ["hasAll([1], [1, NULL])", false],
    ["arraySlice([1, 2, 3], 0)", []],
    ["arraySlice([1, 2, 3], 0, 2)", []],
    ["arraySlice([1, 2, 3], -5)", [1, 2, 3]],
    ["arraySlice([1, 2, 3], -5, 3)", [1]],
    ["arraySlice([1, 2, 3], -5, 2)", []],
    ["arraySlice([1, 2, 3], -5, -1)", [1, 2]],
    ["arraySlice([1, 2, 3], 1, -5)", []],
    ["arraySlice([1, 2, 3], 2, NULL)", [2, 3]],
    ["arraySlice([1, 2, 3], -2, 9223372036854775807)", [2, 3]],
    ["arrayLastIndex(x -> x = 1, [1, 2, 1])", 3],
    ["arrayLastIndex(x -> x = 9, [1, 2, 1])", 0],
  ]));

describe("several arrays", () =>
  itHas([
    ["arrayUniq(['a', 'b', 'a'], [1, 1, 1])", 2],
    ["arrayIntersect([1, 2, 3], [2, 3], [3, 2, 9])", [2, 3]],
    ["arrayFlatten([[[1]], [[2], [3]]])", [1, 2, 3]],
  ]));

describe("of no elements", () => {
  const none = "arrayFilter(x -> x > 5, [1, 2])";
  itHas([
    [`arrayAvg(${none})`, 0],
    [`arrayProduct(${none})`, 0],
    [`arraySum(${none})`, 0],
    [`arrayMax(${none})`, 0],
    ["arrayAvg(JSONExtract('[]', 'Array(Float64)'))", 0],
  ]);
});

describe("an element that is not there", () => {
  itHas([
    ["[1, 2][NULL]", null],
    ["[1, 2][toIntOrNull('x')]", null],
    ["[(1, 'a')][5]", [0, ""]],
    ["[(1, NULL)][5]", [0, null]],
    ["[(1, [2], map('a', 1))][5]", [0, [], {}]],
    ["[(1, 'a')][5].2", ""],
    ["arrayZip([1, NULL], ['a', 'b'])[9]", [null, ""]],
    ["arrayFirst(x -> x.1 > 5, [(1, 'a')])", [0, ""]],
    ["[map('a', 1)][5]", {}],
    ["mapKeys([map('a', 1)][5])", []],
    ["map('k', map('a', 1))['z']", {}],
    ["map('k', (1, 2))['z']", [0, 0]],
    ["JSONExtract('{}', 'a', 'Map(String, Int64)')", {}],
    ["JSONExtract('[]', 'Array(Tuple(Int64, Nullable(String)))')[1]", [0, null]],
  ]);
  it("has the default of its type, also of no rows", async () => {
    const chosen = "any(map('a', 1)), any((1, 'a')), argMax((1, NULL), timestamp), max((1, 'a'))";
    expect(await rows(`SELECT ${chosen} FROM events WHERE event = 'never sent'`)).toEqual([[{}, [0, ""], [0, null], [0, ""]]]);
    expect(await rows("SELECT lagInFrame((number, 'a')) OVER (ORDER BY number) FROM numbers(2)")).toEqual([[[0, ""]], [[0, "a"]]]);
  });
});

describe("arrayFold", () =>
  itHas([
    ["arrayFold((acc, x) -> acc + x * 2, [1, 2, 3], 3)", 15],
    ["arrayFold((acc, x) -> arrayPushFront(acc, x), [1, 2], [0])", [2, 1, 0]],
    ["arrayFold((acc, x) -> concat(acc, toString(x)), [1, 2], '')", "12"],
    ["arrayFold((acc, x) -> acc + length(x), ['a', 'bcd'], 0)", 4],
    ["arrayFold((acc, x) -> acc, emptyArrayString(), 7)", 7],
  ]));

describe("whole numbers of a lambda added to dates and times", () =>
  itHas(
    [
      ["arrayMap(i -> toDate('2026-01-01') + i, range(3))", ["2026-01-01", "2026-01-02", "2026-01-03"]],
      ["arrayMap(i -> i + toDate('2026-01-31'), [toUInt8(1), toInt64(-2)])", ["2026-02-01", "2026-01-29"]],
      ["arrayMap(i -> toDate(timestamp) + i, range(3))", ["2026-01-01", "2026-01-02", "2026-01-03"]],
      ["arrayMap(i -> toDate(timestamp) - intDiv(i, 2), range(3))", ["2026-01-01", "2026-01-01", "2025-12-31"]],
      ["arrayMap(i -> toDate(timestamp) + i, arrayEnumerate([5, 5]))", ["2026-01-02", "2026-01-03"]],
      ["arrayMap(i -> toStartOfDay(timestamp) + i, range(2))", ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]],
      ["arrayFold((day, i) -> day + i, range(3), toDate('2026-01-01'))", "2026-01-04"],
    ],
    " FROM (SELECT toDateTime('2026-01-01 10:00:00') AS timestamp FROM numbers(1))",
  ));

describe("maps", () => {
  it("are filtered and changed entry by entry", () =>
    values({
      "mapFilter((k, v) -> v > 1, map('a', 1, 'b', 2))": { b: 2 },
      "mapFilter((k, v) -> k = 'a', map('a', 1, 'b', 2))": { a: 1 },
      "mapApply((k, v) -> (upper(k), v * 10), map('a', 1, 'b', 2))": { A: 10, B: 20 },
      "mapKeys(mapFilter((k, v) -> false, map('a', 1)))": [],
    }));
});

describe("aggregates of the elements of arrays", () => {
  it("are named to arrayReduce", () =>
    values({
      "arrayReduce('sum', [1, 2, 3])": 6,
      "arrayReduce('avg', [1, 2])": 1.5,
      "arrayReduce('max', ['a', 'c', 'b'])": "c",
      "arrayReduce('uniq', [1, 1, 2])": 2,
      "arrayReduce('count', [1, NULL])": 1,
      "arrayReduce('quantile(0.25)', [0, 4])": 1,
      "arrayReduce('sumMap', [map('b', 1), map('a', 2, 'b', 3)])": { a: 2, b: 4 },
      "arrayMap(x -> arrayReduce('max', [x, 2]), [1, 3])": [2, 3],
    }));

  it("refuses what it cannot reduce by", () =>
    expect(rows("SELECT arrayReduce('argMin', [1])")).rejects.toMatchObject({ code: "unsupported" }));

  it("run over all rows", () =>
    values(
      {
        "sumArray([number, 1])": 10,
        "sumArrayIf([number, 1], number > 1)": 7,
        "countArray([1, 2])": 8,
        "maxArray([number])": 3,
        "uniqArray([number, 0])": 4,
        "avgDistinct(intDiv(number, 2))": 0.5,
        "sumForEach([number, 1])": [6, 4],
        "sumForEach(range(number))": [0, 2, 2],
        "groupArrayForEach(range(number))": [[0, 0, 0], [1, 1], [2]],
        "sumForEachIf([number], number > 5)": [],
        "sumArrayOrNullIf([number], number > 5)": null,
        "sumArrayOrDefault([number])": 6,
      },
      " FROM numbers(4)",
    ));
});

describe("keys of a map", () => {
  it("are there once, which the error says", async () => {
    for (const map of ["map('a', 1, 'a', 2)", "mapFromArrays(['a', 'a'], [1, 2])", "map(nullIf('a', 'a'), 1)"])
      await expect(rows(`SELECT ${map}`)).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("each key once"),
      });
  });
});
