import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cell } from "../../lib/engine/engine.ts";
import { type Golden, openGolden } from "./harness.ts";
import { EVENTS, STATE } from "./project.ts";

let golden: Golden;
beforeAll(async () => {
  golden = await openGolden(EVENTS, STATE);
});
afterAll(() => golden.close());

/** Expressions with the values ClickHouse has for them, asked for in one query. */
const values = (pairs: readonly (readonly [expression: string, value: Cell])[], from = "") =>
  it(pairs.map(([expression]) => expression).join(", "), async () => {
    const [row] = await golden.rows(`SELECT ${pairs.map(([expression], index) => `${expression} AS v${index}`).join(", ")}${from}`);
    expect(pairs.map(([expression], index) => [expression, row?.[index]])).toEqual(pairs);
  });

describe("arrays with NULL in them", () =>
  values([
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
    ["arrayLastIndex(x -> x = 1, [1, 2, 1])", 3],
    ["arrayLastIndex(x -> x = 9, [1, 2, 1])", 0],
  ]));

describe("whole numbers of a lambda added to dates and times", () =>
  values(
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

describe("several arrays", () =>
  values([
    ["arrayUniq(['a', 'b', 'a'], [1, 1, 1])", 2],
    ["arrayIntersect([1, 2, 3], [2, 3], [3, 2, 9])", [2, 3]],
    ["arrayFlatten([[[1]], [[2], [3]]])", [1, 2, 3]],
  ]));

describe("arrayFold", () =>
  values([
    ["arrayFold((acc, x) -> acc + x * 2, [1, 2, 3], 3)", 15],
    ["arrayFold((acc, x) -> arrayPushFront(acc, x), [1, 2], [0])", [2, 1, 0]],
    ["arrayFold((acc, x) -> concat(acc, toString(x)), [1, 2], '')", "12"],
    ["arrayFold((acc, x) -> acc + length(x), ['a', 'bcd'], 0)", 4],
    ["arrayFold((acc, x) -> acc, emptyArrayString(), 7)", 7],
  ]));

describe("aggregates where values are NULL", () => {
  const rows =
    " FROM (SELECT arrayJoin([(1, NULL, 'a'), (2, 'x', 'a'), (3, 'y', NULL), (4, NULL, 'b')]) AS t, t.1 AS n, t.2 AS v, t.3 AS w)";
  values(
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
  values([["quantileExact(0.5)(number)", 0]], " FROM numbers(3) WHERE number > 5");
  values([["sum(toInt(toString(number)))", 0]], " FROM numbers(3) WHERE number > 5");
});

describe("anyLast over a window", () =>
  it("is the last value that is not NULL", async () => {
    const text =
      "SELECT number AS n, anyLast(if(n % 2 = 0, n, NULL)) OVER (ORDER BY n), anyLastIf(n, n > 1) OVER () FROM numbers(4) ORDER BY n";
    expect(await golden.rows(text)).toEqual([
      [0, 0, 3],
      [1, 0, 3],
      [2, 2, 3],
      [3, 2, 3],
    ]);
  }));

describe("beyond the partition", () =>
  it("lag and lead find NULL, and in a frame the type's default, or NULL where values can be NULL", async () => {
    const whole = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING";
    const frame = `OVER (ORDER BY n ${whole})`;
    const text = `SELECT number AS n, lag(n) OVER (ORDER BY n), lead(n) OVER (ORDER BY n), lagInFrame(n) ${frame}, lagInFrame(nullIf(n, 9)) ${frame}`;
    expect(await golden.rows(`${text} FROM numbers(2) ORDER BY n`)).toEqual([
      [0, null, 1, 0, null],
      [1, 0, null, 0, 0],
    ]);
  }));

describe("sides that a join leaves unmatched", () => {
  const sides = "(SELECT number AS n FROM numbers(3)) AS a JOIN_ (SELECT number + 2 AS n, 'x' AS s FROM numbers(2)) AS b ON a.n = b.n";
  it.each([
    ["LEFT JOIN", [3, 3, 1, 1, 2]],
    ["RIGHT JOIN", [2, 1, 2, 2, 0]],
    ["FULL JOIN", [4, 3, 2, 2, 2]],
    ["INNER JOIN", [1, 1, 1, 1, 0]],
  ] as const)("are NULL, and not counted: %s", async (kind, counts) => {
    const text = "SELECT count(), count(a.n), count(b.n), count(b.s), countIf(b.s IS NULL)";
    expect(await golden.rows(`${text} FROM ${sides.replace("JOIN_", kind)}`)).toEqual([counts]);
  });
});

describe("parts of addresses", () => {
  const text = "https://user@www.example.co.uk:8443/a/b.html?x=1&y=%20;z&x=3&q#top?k=v";
  values([
    [`protocol('HTTPS://A.b')`, "HTTPS"],
    [`domain('${text}')`, "www.example.co.uk"],
    ["domain('https://user:pw@a.example.com/')", ""],
    ["domainRFC('https://user:pw@a.example.com/')", "a.example.com"],
    ["domain('mailto:ann@example.com')", ""],
    ["domain('not a url')", ""],
    ["domain('http://localhost:8000/')", ""],
    ["domain('https://münchen.example/')", "münchen.example"],
    [`port('${text}')`, 8443],
    ["port('http://example.com:80?x')", 0],
    ["port('http://example.com:99999/')", 0],
    ["path('/relative/path?x=1')", "/relative/path"],
    ["path('example.com/page')", "/page"],
    ["path('http://example.com')", ""],
    ["path('https://example.com//double')", "//double"],
    ["pathFull('example.com/page?x=1#y')", "/page?x=1#y"],
    ["topLevelDomain('http://192.168.0.1/')", ""],
  ]);
  values([
    [`extractURLParameters('${text}')`, ["x=1", "y=%20;z", "x=3", "q", "k=v"]],
    [`extractURLParameterNames('${text}')`, ["x", "y", "x", "q", "k"]],
    ["extractURLParameters('https://a.b/?x=1&y')", ["x=1"]],
    [`extractURLParameter('${text}', 'x')`, "1"],
    ["cutURLParameter('https://a.b/?x=1&y=2&x=3', 'x')", "https://a.b/?y=2&x=3"],
    ["cutURLParameter('https://a.b/?y=2&x=1#f', 'x')", "https://a.b/?y=2#f"],
    ["cutURLParameter('https://a.b/?x=1#f', 'x')", "https://a.b/?#f"],
    ["cutURLParameter('https://a.b/?xx=1', 'x')", "https://a.b/?xx=1"],
    ["cutURLParameter('https://a.b/?a.c=1&abc=2', 'a.c')", "https://a.b/?abc=2"],
    ["cutQueryStringAndFragment('https://a.b/?x=1#f')", "https://a.b/"],
  ]);
});

describe("hashes", () => {
  values([
    ["toString(cityHash64('abc'))", "4220206313085259313"],
    ["toString(sipHash64('abc'))", "4596069200710135518"],
    ["toString(farmHash64('a', 'b'))", "13764019092918827821"],
    ["cityHash64('a', NULL)", null],
    ["cityHash64('abc') % 10", 3],
    ["cityHash64('a') = cityHash64('b')", false],
  ]);
  it("are of columns too", async () => {
    expect(
      await golden.rows("SELECT cityHash64(toString(number)) % 5 AS part, count() FROM numbers(5000) GROUP BY part ORDER BY part"),
    ).toEqual([
      [0, 989],
      [1, 976],
      [2, 991],
      [3, 1005],
      [4, 1039],
    ]);
  });
  it("refuse what is no text", async () => {
    await expect(golden.rows("SELECT cityHash64(1)")).rejects.toThrow("must be a text; use toString");
  });
});

describe("ranges of addresses", () => {
  const isIn = (address: string, range: string): string => `isIPAddressInRange('${address}', '${range}')`;
  values([
    [isIn("10.1.2.3", "10.0.0.0/8"), true],
    [isIn("11.1.2.3", "10.0.0.0/8"), false],
    [isIn("127.0.0.1", "0.0.0.0/0"), true],
    [isIn("::1", "::/64"), true],
    [isIn("2001:DB8:0:1::5", "2001:db8::/48"), true],
    [isIn("2001:db8:8000::", "2001:db8::/33"), false],
    [isIn("2001:db8:7fff::", "2001:db8::/33"), true],
    [isIn("fe80::1", "fe80::1/128"), true],
    [isIn("fe80::2", "fe80::1/128"), false],
    [isIn("127.0.0.1", "ffff::/16"), false],
    [isIn("::1", "10.0.0.0/8"), false],
  ]);
  it.each([
    ["no address", isIn("nothing", "10.0.0.0/8")],
    ["no range", isIn("10.0.0.1", "10.0.0.0")],
  ])("refuse %s", async (_, text) => {
    await expect(golden.rows(`SELECT ${text}`)).rejects.toThrow(/address|range|types/);
  });
});

describe("sets of rows", () => {
  const left = "SELECT arrayJoin([1, 1, 2, NULL, 3, 3]) AS x";
  const right = "SELECT arrayJoin([1, NULL, 2]) AS x";
  it.each<readonly [string, readonly (number | null)[]]>([
    [`${left} INTERSECT ${right}`, [1, 2, null]],
    [`${left} INTERSECT DISTINCT ${right}`, [1, 2, null]],
    [`${left} EXCEPT ${right}`, [1, 3, 3]],
    [`SELECT 9 AS x UNION ALL ${left} INTERSECT ${right}`, [1, 2, 9, null]],
    [`${left} EXCEPT ${right} UNION ALL SELECT 3 AS x`, [1, 3, 3, 3]],
  ])("%s", async (text, expected) => {
    expect(await golden.rows(`SELECT x FROM (${text}) ORDER BY x`)).toEqual(expected.map((x) => [x]));
  });
});

describe("bytes read as another type", () =>
  values([
    ["reinterpretAsUInt8('a')", 97],
    ["reinterpretAsUInt32('abcd')", 1684234849],
    ["toString(reinterpretAsInt64('abcdefgh'))", "7523094288207667809"],
    ["reinterpretAsInt8('ÿ')", -61],
    ["reinterpretAsInt16(-2)", 254],
    ["reinterpretAsInt8(-2)", -2],
    ["reinterpretAsUInt64('')", 0],
    ["reinterpretAsString(25185)", "ab"],
    ["reinterpretAsFloat64(reinterpretAsString(1.5))", 1.5],
    ["reinterpretAsFloat64(reinterpretAsString(-0.1))", -0.1],
    ["reinterpretAsFloat32(1065353216)", 1],
    ["reinterpretAsUInt8(NULL)", null],
  ]));

describe("texts of NULL and of decimals", () =>
  values([
    ["position(NULL, 'a')", null],
    ["position(nullIf('größe', 'größe'), 'e')", null],
    ["position('größe', 'e')", 7],
    ["position('größe', 'x')", 0],
    ["extract(NULL, 'a')", null],
    ["extract('b', 'a')", ""],
    ["toString(toDecimal(10, 3))", "10"],
    ["toString(toDecimal('-1.250', 3))", "-1.25"],
    ["toJSONString(NULL)", null],
    ["toJSONString(nullIf('a', 'a'))", null],
    ["JSONExtractArrayRaw('[1,null]')", ["1", "null"]],
  ]));

describe("calls in calls in calls", () => {
  const nested = (call: (x: string) => string, depth: number): string => (depth === 0 ? "toString(number)" : call(nested(call, depth - 1)));
  it.each([
    ["padding", (x: string) => `leftPad(${x}, 3, '0')`, 8, "001"],
    ["capitals", (x: string) => `lower(upper(${x}))`, 8, "1"],
    ["floats", (x: string) => `toString(toFloat(${x}))`, 8, "1"],
    ["slices", (x: string) => `arrayStringConcat(arraySlice(splitByChar(',', ${x}), -1, 1), ',')`, 5, "1"],
    ["times", (x: string) => `toString(toDate(toDateTime(concat('2026-01-0', right(${x}, 1)))))`, 3, "2026-01-01"],
  ] as const)("stay short enough to run: %s", async (_, call, depth, value) => {
    const text = nested(call, depth);
    expect((await golden.lowered(`SELECT ${text} FROM numbers(2)`)).sql.length).toBeLessThan(40_000);
    expect(await golden.rows(`SELECT ${text} AS v, count() FROM numbers(2) GROUP BY v ORDER BY v DESC LIMIT 1`)).toEqual([[value, 1]]);
  });
});
