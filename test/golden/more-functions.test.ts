import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cell } from "../../lib/engine/engine.ts";
import { type Golden, openGolden } from "./harness.ts";
import { EVENTS, STATE } from "./project.ts";

let golden: Golden;
beforeAll(async () => {
  golden = await openGolden(EVENTS, STATE);
});
afterAll(() => golden.close());

/** Expressions and the values ClickHouse has for them, asked for in one query. */
const values = async (expected: Readonly<Record<string, Cell>>, from = ""): Promise<void> => {
  const names = Object.keys(expected);
  const [row] = await golden.rows(`SELECT ${names.join(", ")}${from}`);
  expect(Object.fromEntries(names.map((name, index) => [name, row?.[index]]))).toEqual(expected);
};

describe("JSONExtractKeysAndValues", () => {
  it.each<readonly [string, Cell]>([
    [
      `JSONExtractKeysAndValues('{"b":5,"a":7,"c":"x","d":300}', 'Int8')`,
      [
        ["b", 5],
        ["a", 7],
      ],
    ],
    [
      `JSONExtractKeysAndValues('{"x":{"k":"v","n":1,"z":null}}', 'x', 'String')`,
      [
        ["k", "v"],
        ["n", "1"],
      ],
    ],
    [`JSONExtractKeysAndValues('{"a":1.5,"b":true}', 'Float64')`, [["a", 1.5]]],
    [`JSONExtractKeysAndValues('{"a":1.5,"b":true}', 'Bool')`, [["b", true]]],
    ["JSONExtractKeysAndValues('[1]', 'Int64')", []],
    ["JSONExtractKeysAndValues('no json', 'String')", []],
  ])("%s is %j", async (expression, expected) => expect(await golden.value(`SELECT ${expression}`)).toEqual(expected));
});

describe("extractAllGroups", () => {
  it("gives the groups of each match", () =>
    values({
      "extractAllGroups('a=1, b=22', '(\\\\w)=(\\\\d+)')": [
        ["a", "1"],
        ["b", "22"],
      ],
      "extractAllGroups('x', '(\\\\d)')": [],
      "extractAllGroups('ab', '(a)|(b)')": [
        ["a", ""],
        ["", "b"],
      ],
    }));
  it("needs a group", () => expect(golden.rows("SELECT extractAllGroups('a', 'a')")).rejects.toMatchObject({ code: "invalid_input" }));
});

describe("maps", () => {
  it("are filtered and changed entry by entry", () =>
    values({
      "mapFilter((k, v) -> v > 1, map('a', 1, 'b', 2))": { b: 2 },
      "mapFilter((k, v) -> k = 'a', map('a', 1, 'b', 2))": { a: 1 },
      "mapApply((k, v) -> (upper(k), v * 10), map('a', 1, 'b', 2))": { A: 10, B: 20 },
      "mapKeys(mapFilter((k, v) -> false, map('a', 1)))": [],
    }));
});

describe("addresses", () => {
  it("are numbers, and lie in ranges", () =>
    values({
      "IPv4StringToNum('192.168.0.1')": 3232235521,
      "IPv4StringToNumOrNull('192.168.0.256')": null,
      "IPv4StringToNumOrDefault('x')": 0,
      "isIPAddressInRange('127.0.0.1', '127.0.0.0/8')": true,
      "isIPAddressInRange('128.0.0.1', '127.0.0.0/8')": false,
      "isIPAddressInRange('10.1.2.3', '0.0.0.0/0')": true,
      "isIPAddressInRange('10.1.2.3', '10.1.2.4/32')": false,
      "isIPAddressInRange('::1', '127.0.0.0/8')": false,
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
    expect(golden.rows("SELECT arrayReduce('argMin', [1])")).rejects.toMatchObject({ code: "unsupported" }));

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

describe("aggregates per key", () => {
  it("sort their keys", () =>
    values(
      {
        "sumMap(map('b', number, 'a', 1))": { a: 4, b: 6 },
        "toString(mapKeys(sumMap(map('b', number, 'a', 1))))": "['a','b']",
        "sumMap(map(number % 2, number))": { "0": 2, "1": 4 },
        "maxMap(map('x', number))": { x: 3 },
        "avgMap(map('x', number))": { x: 1.5 },
        "sumMapIf(map('x', number), number > 1)": { x: 5 },
        "sumMapIf(map('x', number), number > 9)": {},
      },
      " FROM numbers(4)",
    ));

  it("take keys and values in two arrays, and leave out sums of zero", () =>
    values(
      {
        "sumMap(['b', 'a', 'z'], [number, 1, 0])": [
          ["a", "b"],
          [4, 6],
        ],
        "minMap([number % 2, 7], [number, 0])": [
          [0, 1, 7],
          [0, 1, 0],
        ],
      },
      " FROM numbers(4)",
    ));
});

describe("other aggregates", () => {
  it("fit a line, and print all values as JSON", () =>
    values(
      {
        "simpleLinearRegression(number, number * 2 + 1)": [2, 1],
        "simpleLinearRegression(1, number)": [null, null],
        "json_agg(number)": "[0,1,2,3]",
        "json_aggIf(number, number > 9)": "[]",
      },
      " FROM numbers(4)",
    ));
});

describe("max2 and min2", () => {
  it("are the greater and the less of two numbers as a float, and NULL where one is", async () => {
    await values({ "max2(1, 2)": 2, "min2(1, 2.5)": 1, "max2(-1, -3)": -1, "max2(1, NULL)": null });
  });
});

describe("a session's duration", () => {
  it("is what dateDiff counts in seconds between its start and its end", async () => {
    const rows = await golden.rows("SELECT $session_duration, dateDiff('second', $start_timestamp, $end_timestamp) FROM sessions");
    expect(rows.length).toBeGreaterThan(0);
    for (const [duration, difference] of rows) expect(duration).toBe(difference);
  });
});
