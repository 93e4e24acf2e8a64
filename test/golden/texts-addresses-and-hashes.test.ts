import { describe, expect, it } from "vitest";
import type { Cell } from "../../lib/engine/engine.ts";
import { goldenProject } from "./golden-project.ts";

const { rows, value, values, itHas } = goldenProject();

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
  ])("%s is %j", async (expression, expected) => expect(await value(`SELECT ${expression}`)).toEqual(expected));
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
  it("needs a group", () => expect(rows("SELECT extractAllGroups('a', 'a')")).rejects.toMatchObject({ code: "invalid_input" }));
});

describe("texts of NULL and of decimals", () =>
  itHas([
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

describe("texts in other alphabets", () => {
  it("are empty where they are none, instead of ending the query", () =>
    values({ "unhex('zz')": "", "unhex('FF')": "", "unhex('C3A9')": "é", "unhex(NULL)": null, "tryBase64Decode('/w==')": "" }));

  it("are read of aggregates, windows and subqueries too", async () => {
    const texts = "FROM (SELECT arrayJoin(['a%E9', 'YQ==']) AS x)";
    expect(await rows(`SELECT decodeURLComponent(max(x)), tryBase64Decode(min(x)), unhex(max(x)) ${texts}`)).toEqual([
      ["a\uFFFD", "a", ""],
    ]);
    expect(await rows(`SELECT DISTINCT tryBase64URLDecode(min(x) OVER ()) ${texts}`)).toEqual([["a"]]);
    await values({ "tryBase64Decode((SELECT 'YQ=='))": "a" });
    expect(await rows("SELECT reinterpretAsString(max(number) + 65) FROM numbers(2)")).toEqual([["B"]]);
  });
});

describe("parts of addresses", () => {
  const text = "https://user@www.example.co.uk:8443/a/b.html?x=1&y=%20;z&x=3&q#top?k=v";
  itHas([
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
  itHas([
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

describe("ranges of addresses", () => {
  const isIn = (address: string, range: string): string => `isIPAddressInRange('${address}', '${range}')`;
  itHas([
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
    await expect(rows(`SELECT ${text}`)).rejects.toThrow(/address|range|types/);
  });
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

describe("hashes", () => {
  itHas([
    ["toString(cityHash64('abc'))", "4220206313085259313"],
    ["toString(sipHash64('abc'))", "4596069200710135518"],
    ["toString(farmHash64('a', 'b'))", "13764019092918827821"],
    ["cityHash64('a', NULL)", null],
    ["cityHash64('abc') % 10", 3],
    ["cityHash64('a') = cityHash64('b')", false],
  ]);
  it("are of columns too", async () => {
    expect(await rows("SELECT cityHash64(toString(number)) % 5 AS part, count() FROM numbers(5000) GROUP BY part ORDER BY part")).toEqual([
      [0, 989],
      [1, 976],
      [2, 991],
      [3, 1005],
      [4, 1039],
    ]);
  });
  it("refuse what is no text", async () => {
    await expect(rows("SELECT cityHash64(1)")).rejects.toThrow("must be a text; use toString");
  });
});

describe("bytes read as another type", () =>
  itHas([
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
