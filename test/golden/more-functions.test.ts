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
