import { describe, expect, it } from "vitest";
import { goldenProject } from "./golden-project.ts";

const { rows, value, values, itHas } = goldenProject();

const over = async (aggregates: string, values: string) => (await rows(`SELECT ${aggregates} FROM (SELECT arrayJoin(${values}) AS x)`))[0];

describe("aggregates where values are NULL", () => {
  const rows =
    " FROM (SELECT arrayJoin([(1, NULL, 'a'), (2, 'x', 'a'), (3, 'y', NULL), (4, NULL, 'b')]) AS t, t.1 AS n, t.2 AS v, t.3 AS w)";
  itHas(
    [
      ["any(v)", "x"],
      ["anyLast(v)", "y"],
      ["uniq(v, w)", 1],
      ["countDistinct(n, w)", 3],
      ["sum(toInt(v))", null],
      ["sumIf(n, n > 9)", 0],
      ["avgWeighted(if(n < 3, n, NULL), n)", 5 / 3],
    ],
    rows,
  );
  itHas([["quantileExact(0.5)(number)", 0]], " FROM numbers(3) WHERE number > 5");
  itHas([["sum(toInt(toString(number)))", 0]], " FROM numbers(3) WHERE number > 5");
});

describe("rows of which an aggregate is asked", () => {
  it.each([
    ["SELECT count() + NULL, 'x' FROM numbers(5)", [[null, "x"]]],
    ["SELECT 1 - max(number) * NULL FROM numbers(0)", [[null]]],
    ["SELECT count() IN (NULL) FROM numbers(3)", [[false]]],
    ["SELECT 1 FROM numbers(3) ORDER BY count() + NULL", [[1]]],
    [
      "SELECT number, count() + NULL FROM numbers(2) GROUP BY number ORDER BY number",
      [
        [0, null],
        [1, null],
      ],
    ],
  ])("are one group, even where nothing of it is left: %s", async (query, expected) => expect(await rows(query)).toEqual(expected));

  it("have no column of their own", () =>
    expect(rows("SELECT number, count() + NULL FROM numbers(5)")).rejects.toMatchObject({ code: "not_an_aggregate" }));
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

describe("moving sums and averages", () => {
  const SUMS = "groupArrayMovingSum(x), groupArrayMovingSum(2)(x), groupArrayMovingSum(9)(x)";
  const AVERAGES = "groupArrayMovingAvg(x), groupArrayMovingAvg(2)(x), groupArrayMovingAvg(9)(x)";
  const NINTHS = [1 / 9, 3 / 9, 7 / 9, 14 / 9];

  it("are one for each value, over all so far or over a window", async () => {
    expect(await over(SUMS, "[1, 2, 4, 7]")).toEqual([
      [1, 3, 7, 14],
      [1, 3, 6, 11],
      [1, 3, 7, 14],
    ]);
    expect(await over(AVERAGES, "[1, 2, 4, 7]")).toEqual([[0.25, 0.75, 1.75, 3.5], [0.5, 1.5, 3, 5.5], NINTHS]);
  });

  it("leave out what is NULL or fails the condition", async () => {
    const aggregates = "groupArrayMovingSum(2)(x), groupArrayMovingAvg(2)(x), groupArrayMovingSumIf(2)(x, x > 1)";
    expect(await over(aggregates, "[1, NULL, 4, 7]")).toEqual([
      [1, 5, 11],
      [0.5, 2.5, 5.5],
      [4, 11],
    ]);
  });

  it("keep to whole numbers, and of averages to floats", async () => {
    const names = "toTypeName(groupArrayMovingSum(2)(x)), toTypeName(groupArrayMovingAvg(2)(x))";
    expect(await over(names, "[1, 2]")).toEqual(["Array(UInt64)", "Array(Float64)"]);
    expect(await over("groupArrayMovingSum(2)(x)", "[1.5, 2, 4, 7]")).toEqual([[1.5, 3.5, 6, 11]]);
  });

  it("are empty of no rows", async () =>
    expect(await rows("SELECT groupArrayMovingSum(x), groupArrayMovingAvg(2)(x) FROM (SELECT 1 AS x WHERE 1 = 0)")).toEqual([[[], []]]));

  it("run over many rows", async () =>
    expect(await rows("SELECT arraySum(groupArrayMovingSum(7)(number)) FROM numbers(100000)")).toEqual([[34_997_550_056]]));

  it.each(["0", "-1", "1.5", "'a'"])("refuse a window of %s", async (size) =>
    expect(over(`groupArrayMovingSum(${size})(x)`, "[1]")).rejects.toMatchObject({ code: "invalid_input" }),
  );
});

describe("what values rise by", () => {
  it.each([
    ["[1, 2, 3]", 2],
    ["[1, 2, 3, 0, 3, 4, 2, 3]", 7],
    ["[2.25, 3, 4.5]", 2.25],
    ["[-5, 3, NULL, 4]", 9],
    ["[7]", 0],
  ])("of %s is %d in their order", async (values, sum) => expect(await over("deltaSum(x)", values)).toEqual([sum]));

  it("is 0 of no rows", async () => expect(await value("SELECT deltaSum(x) FROM (SELECT 1 AS x WHERE 1 = 0)")).toBe(0));

  it("can be told an order, such as that of times", async () => {
    const rows = "SELECT number AS t, [0, 4, 8, 3, 0, 0, 0, 1, 3, 5][number] AS v FROM numbers(1, 10)";
    expect(await value(`SELECT deltaSumTimestamp(v, t) FROM (${rows} ORDER BY v)`)).toBe(13);
    expect(await value(`SELECT deltaSum(v ORDER BY t) FROM (${rows} ORDER BY v)`)).toBe(13);
    expect(await value("SELECT deltaSumTimestamp(toFloat(properties.price), timestamp) FROM events WHERE event = '$pageview'")).toBe(20);
  });

  it("reads times that are texts as times, and refuses what is none", async () => {
    const events = "SELECT arrayJoin([(5, '2026-01-01T09:00:00Z'), (9, '2026-01-01 10:00:00+02:00')]) AS r, r.1 AS v, r.2 AS t";
    expect(await value(`SELECT deltaSumTimestamp(v, t) FROM (${events})`)).toBe(0);
    expect(await value(`SELECT deltaSumTimestamp(-v, t) FROM (${events})`)).toBe(4);
    await expect(rows("SELECT deltaSumTimestamp(1, [1])")).rejects.toMatchObject({ code: "illegal_type_of_argument" });
  });

  it("grows over a window", async () =>
    expect(await rows("SELECT x, deltaSum(x) OVER (ORDER BY x) FROM (SELECT arrayJoin([1, 2, 4]) AS x) ORDER BY x")).toEqual([
      [1, 0],
      [2, 1],
      [4, 3],
    ]));
});

describe("how values lie about their average", () => {
  it.each([
    ["[1, 2, 4, 7, 20]", [2.8130897367911585, 1.8003774315463419, 1.1951183017245288, 0.8551570444192483]],
    ["[1, 2, NULL, 7]", [1.4999999999999976, 0.6666666666666656, 0.630903856710624, 0.34342056126556036]],
    ["[1, 2]", [1, 0.25, 0, 0]],
    ["[3, 3, 3]", [null, null, null, null]],
    ["[1]", [null, null, null, null]],
  ])("of %s is %j", async (values, numbers) => {
    const found = await over("kurtPop(x), kurtSamp(x), skewPop(x), skewSamp(x)", values);
    expect(found).toEqual(numbers.map((number) => (number === null ? null : expect.closeTo(number, 12))));
  });

  it("is known of the rows that fulfil a condition, and over a window", async () => {
    expect(await over("skewPopIf(x, x < 5)", "[1, 2, 4, 7]")).toEqual([expect.closeTo(0.3818017741606048, 12)]);
    const found = await rows("SELECT skewPop(x) OVER (ORDER BY x) FROM (SELECT arrayJoin([1, 2, 4]) AS x) ORDER BY x");
    expect(found).toEqual([[null], [0], [expect.closeTo(0.3818017741606048, 12)]]);
  });
});
