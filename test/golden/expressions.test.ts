import { describe, expect, it } from "vitest";
import { goldenProject } from "./golden-project.ts";

const { rows, values } = goldenProject();

describe("conversion", () => {
  it("gives NULL for a text that is no number", () =>
    values({
      "toInt('12')": 12,
      "toInt('12abc')": null,
      "toInt('12.7')": null,
      "toFloat('1e3')": 1000,
      "toFloat('x')": null,
      "toUUID('x')": null,
    }));

  it("makes an integer of a float only when it is whole, unless the type is named", () =>
    values({ "toInt(12.0)": 12, "toInt(12.7)": null, "toInt64(12.7)": 12, "toInt64(-12.7)": -12 }));

  it("prints values as ClickHouse does", () =>
    values({
      "toString(1.0)": "1",
      "toString(1.5)": "1.5",
      "toString(now())": "2026-01-15 12:00:00",
      "toString(['a'])": "['a']",
      "toString(toDateTime64('2026-01-01 10:00:00.5', 3))": "2026-01-01 10:00:00.500",
    }));

  it("keeps the digits of large integers until the reply", () => values({ "toString(9223372036854775807)": "9223372036854775807" }));

  it("reads dates and times in the formats of the language", () =>
    values({
      "toDate('2026-01-31')": "2026-01-31",
      "toDateTime('2026-01-01 10:00:00')": "2026-01-01T10:00:00Z",
      "toDateTime('2026-01-01T10:00:00+02:00')": "2026-01-01T08:00:00Z",
      "parseDateTime('2026-01-31 10:20', '%Y-%m-%d %H:%i')": "2026-01-31T10:20:00Z",
      "toDateTime(0)": "1970-01-01T00:00:00Z",
      "toDateTime(1767225600500 / 1000)": "2026-01-01T00:00:00Z",
      "toDateTime64(1767225600500 / 1000, 3)": "2026-01-01T00:00:00.500000Z",
    }));

  it("says which letter of a format it cannot read", async () => {
    for (const [format, letter] of [
      ["%Y %Q", "%Q"],
      ["%Y %E", "%E"],
      ["%Y%", "%"],
    ])
      await expect(rows(`SELECT parseDateTimeOrNull('2026', '${format}')`)).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(`does not know ${letter}.`),
      });
    await values({ "parseDateTime('2026-1-2 %', '%Y-%-m-%-d %%')": "2026-01-02T00:00:00Z" });
  });

  it("reads numbers as days, and as seconds where they are beyond ClickHouse's days", async () => {
    await values({
      "toDate(20454)": "2026-01-01",
      "toDate(65535)": "2149-06-06",
      "toDate(65536)": "1970-01-01",
      "toDate(1767225600)": "2026-01-01",
      "toDate(1767225599.5)": "2025-12-31",
      "toStartOfMonth(toDate(1767225600))": "2026-01-01",
    });
    await values({ "toDate(1767225600)": "2025-12-31" }, "", { timezone: "America/New_York" });
    expect(await rows("SELECT toDate(1767225600 * number) FROM numbers(2) ORDER BY number")).toEqual([["1970-01-01"], ["2026-01-01"]]);
  });

  it("has no date that a reply could not show", async () => {
    await expect(rows("SELECT addDays(toDate('2026-01-01'), 100000000)")).rejects.toMatchObject({ code: "invalid_input" });
    expect(await rows("SELECT addDays(toDate('2026-01-01'), 109200000 * number) FROM numbers(2) ORDER BY number")).toEqual([
      ["2026-01-01"],
      ["301005-06-13"],
    ]);
  });

  it("gives NULL for a number that is no time, however large", async () => {
    await values({
      "toDateTimeOrNull(9223372036854775807)": null,
      "toDateTime64OrNull(-9223372036854775807)": null,
      "toDateOrNull(9223372036854775807)": null,
      "toDateTime(1e15)": null,
      "parseDateTimeBestEffortOrNull(9223372036854775807)": null,
    });
    expect(await rows("SELECT toDateTime(number * 9223372036854775807) FROM numbers(2) ORDER BY number")).toEqual([
      ["1970-01-01T00:00:00Z"],
      [null],
    ]);
  });
});

describe("NaN", () => {
  const RATES = "FROM (SELECT number AS n, if(n = 1, 0 / 0, n / 2) AS rate FROM numbers(4))";

  it("is greater and less than nothing, and equal to nothing", async () => {
    expect(await rows(`SELECT n ${RATES} WHERE rate > -1 ORDER BY n`)).toEqual([[0], [2], [3]]);
    expect(await rows(`SELECT n ${RATES} WHERE rate BETWEEN 1 AND 9 ORDER BY n`)).toEqual([[2], [3]]);
    expect(await rows(`SELECT n ${RATES} WHERE rate != rate`)).toEqual([[1]]);
    expect(await rows(`SELECT countIf(rate >= 0), countIf(rate = rate), countIf(NOT (rate > 1)) ${RATES}`)).toEqual([[3, 3, 3]]);
    await values({
      "0 / 0 > 1": false,
      "1 < 0 / 0": false,
      "0 / 0 = 0 / 0": false,
      "if(0 / 0 >= 0, 'a', 'b')": "b",
      "log(-1) > 0": false,
    });
  });

  it("comes behind all numbers in both directions, before NULL", async () => {
    expect(await rows(`SELECT n ${RATES} ORDER BY rate DESC`)).toEqual([[3], [2], [0], [1]]);
    expect(await rows(`SELECT n ${RATES} ORDER BY rate`)).toEqual([[0], [2], [3], [1]]);
    expect(await rows(`SELECT n ${RATES} ORDER BY if(n = 0, NULL, rate) DESC`)).toEqual([[3], [2], [1], [0]]);
    expect(await rows(`SELECT n ${RATES} ORDER BY if(n = 0, NULL, rate) NULLS FIRST`)).toEqual([[0], [1], [2], [3]]);
    expect(await rows(`SELECT DISTINCT rate ${RATES} ORDER BY rate DESC LIMIT 1`)).toEqual([[1.5]]);
    expect(await rows(`SELECT n ${RATES} QUALIFY row_number() OVER (ORDER BY rate DESC) = 1`)).toEqual([[3]]);
    expect(
      await rows(`SELECT count() OVER (ORDER BY rate DESC RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) ${RATES} WHERE n != 1 ORDER BY n`),
    ).toEqual([[2], [2], [1]]);
  });

  it("is passed over where the greatest, the least or the middle is looked for", async () => {
    expect(await rows(`SELECT max(rate), min(rate), argMax(n, rate), median(rate), maxIf(rate, n < 3) ${RATES}`)).toEqual([
      [1.5, 0, 3, 1, 1],
    ]);
    expect(await rows(`SELECT max(rate), argMax(n, rate) ${RATES} WHERE n = 1`)).toEqual([[null, 1]]);
    await values({ "greatest(0 / 0, 1)": 1, "least(0 / 0, 1)": 1 });
  });
});

describe("what an infinity has none of", () => {
  it("is NaN, which a reply shows as null", () => values({ "sin(1 / 0)": null, "cos(-1 / 0)": null, "isNaN(tan(1 / 0))": 1, "sin(0)": 0 }));
});

describe("isZeroOrNull", () => {
  it("is of numbers", async () => {
    await values({
      "isZeroOrNull(0)": 1,
      "isZeroOrNull(NULL)": 1,
      "isZeroOrNull(nullIf(1.5, 1.5))": 1,
      "isZeroOrNull(0.5)": 0,
      "isZeroOrNull(1) + 1": 1,
    });
    await expect(rows("SELECT isZeroOrNull('a')")).rejects.toMatchObject({ code: "illegal_type_of_argument" });
  });
});

describe("NULL", () => {
  it("is what functions give whose place, size or replacement is NULL", () =>
    values({
      "left('abc', NULL)": null,
      "right('abc', NULL)": null,
      "substring('abc', NULL)": null,
      "substring('abc', 2, NULL)": null,
      "substring('abc', toIntOrNull('x'), 1)": null,
      "replaceOne('abc', 'x', NULL)": null,
      "replaceOne('abc', NULL, 'x')": null,
      "makeDate(2026, NULL, 1)": null,
      "makeDate(NULL, 1)": null,
      "right('abc', 0)": "",
      "right('abc', -1)": "bc",
    }));

  it("equals only the literal NULL", () =>
    values({ "NULL = NULL": true, "1 = NULL": false, "NULL != 1": true, "NULL != NULL": false, "isNull(NULL)": true }));

  it("stays NULL in logic that hangs on it", async () => {
    await values({ "NOT NULL": null, "NULL AND 1": null, "NULL OR 0": null, "xor(NULL, 1)": null, "NULL AND 0": false, "NULL OR 1": true });
    await values({ "if(NOT NULL, 1, 2)": 2, "xor(1, 1, 1)": true });
    expect(await rows("SELECT number FROM numbers(3) WHERE NOT (NULL AND number = 1) ORDER BY number")).toEqual([[0], [2]]);
  });

  it("makes a condition false", () =>
    values({ "if(NULL, 1, 2)": 2, "coalesce(NULL, 'x')": "x", "ifNull(NULL, 3)": 3, "nullIf(1, 1)": null }));
});

describe("arithmetic", () => {
  it("shifts negative numbers too, and has no bits of a NULL", () =>
    values({
      "bitShiftLeft(-1, 2)": -4,
      "bitShiftLeft(toInt64(-3), 4)": -48,
      "bitShiftLeft(toInt64(7), 4)": 112,
      "bitShiftLeft(NULL, 100)": null,
      "bitShiftRight(NULL, 100)": null,
    }));

  it("rounds fractions to a power of two of their own", () =>
    values({
      "roundToExp2(0.1)": 0.0625,
      "roundToExp2(-2.5)": -2,
      "roundToExp2(1e300)": 2 ** 996,
      "roundToExp2(0.0)": 0,
      "roundToExp2(5)": 4,
      "roundToExp2(-3)": 0,
    }));

  it("divides integers into floats, and by zero into infinity, which is null in JSON", () =>
    values({
      "1 / 2": 0.5,
      "1 / 0": null,
      "intDiv(-7, 2)": -3,
      "intDivOrZero(1, 0)": 0,
      "-7 % 3": -1,
      "positiveModulo(-7, 3)": 2,
      "positiveModulo(-7, -2)": 1,
    }));

  it("rounds halves of floats to even", () =>
    values({ "round(2.5)": 2, "round(3.5)": 4, "round(8.805, 2)": 8.8, "round(1234, -2)": 1200, "floor(-1.5)": -2, "trunc(-1.7)": -1 }));
});

describe("weeks", () => {
  it("start on Sunday, and on Monday with mode 1", () =>
    values({
      "toStartOfWeek(toDate('2026-01-07'))": "2026-01-04",
      "toStartOfWeek(toDate('2026-01-07'), 1)": "2026-01-05",
      "toMonday(toDate('2026-01-04'))": "2025-12-29",
      "toDayOfWeek(toDate('2026-01-04'))": 7,
      "toDayOfWeek(toDate('2026-01-04'), 1)": 6,
      "toISOWeek(toDate('2027-01-01'))": 53,
      "toWeek(toDate('2026-01-04'))": 1,
    }));

  it("are counted between dates by their Mondays", () =>
    values({
      "dateDiff('week', toDate('2026-01-04'), toDate('2026-01-05'))": 1,
      "dateDiff('week', toDate('2026-01-03'), toDate('2026-01-04'))": 0,
    }));
});

describe("decimals", () => {
  it("keep their digits beside one another", () =>
    values({
      "if(true, toDecimal('1.25', 2), toDecimal('0.1', 1))": 1.25,
      "multiIf(false, toDecimal('3.1', 1), toDecimal('1.25', 2))": 1.25,
      "coalesce(toDecimal('1.25', 2), toDecimal('0.1', 1))": 1.25,
      "greatest(toDecimal('1.25', 2), toDecimal('0.1', 1))": 1.25,
      "[toDecimal('1.25', 2), toDecimal('0.1', 1)]": [1.25, 0.1],
    }));

  it("lose digits beyond a smaller scale without being rounded", () =>
    values({ "toDecimal(toDecimal('1.259', 3), 2)": 1.25, "toDecimal(toDecimal('-1.9', 1), 0)": -1 }));
});

describe("dates", () => {
  it("count boundaries with dateDiff and full units with age", () =>
    values({
      "dateDiff('day', toDateTime('2026-01-01 23:00:00'), toDateTime('2026-01-02 01:00:00'))": 1,
      "age('day', toDateTime('2026-01-01 23:00:00'), toDateTime('2026-01-02 01:00:00'))": 0,
      "dateDiff('month', toDate('2026-01-31'), toDate('2026-02-01'))": 1,
      "age('month', toDate('2026-01-31'), toDate('2026-02-28'))": 0,
    }));

  it("lie apart by the hours that have passed with age, whatever clocks were set to, and on the clock of a zone that is named", () =>
    values(
      {
        "age('hour', toDateTime('2026-03-28 12:00:00'), toDateTime('2026-03-29 12:00:00'))": 23,
        "age('minute', toDateTime('2026-03-28 12:00:00'), toDateTime('2026-03-29 03:30:00'))": 870,
        "age('second', toDateTime('2026-03-28 23:30:00', 'UTC'), toDateTime('2026-03-29 03:30:00'))": 7200,
        "age('day', toDateTime('2026-03-28 12:00:00'), toDateTime('2026-03-29 12:00:00'))": 1,
        "dateDiff('day', toDateTime('2026-03-28 23:30:00', 'UTC'), toDateTime('2026-03-29 03:30:00'))": 1,
        "dateDiff('day', toDateTime('2026-03-28 23:30:00', 'UTC'), toDateTime('2026-03-29 03:30:00'), 'America/New_York')": 0,
        "dateDiff('hour', toDateTime('2026-03-28 12:00:00'), toDate('2026-03-28'), 'America/New_York')": -7,
        "age('day', toDateTime('2026-03-29 03:30:00'), toDate('2026-03-28'), 'America/New_York')": 0,
      },
      "",
      { timezone: "Europe/Berlin" },
    ));

  it("are read from the texts that people and browsers write", () =>
    values({
      "toDateTime('31/12/26')": "2026-12-31T00:00:00Z",
      "toDateTime('31.12.2026')": "2026-12-31T00:00:00Z",
      "toDateTime('1/2/26')": "2026-02-01T00:00:00Z",
      "toDateTime('12/31/2026')": "2026-12-31T00:00:00Z",
      "toDateTime('12/31/2026, 10:00:00 PM')": "2026-12-31T22:00:00Z",
      "parseDateTimeBestEffortUSOrNull('1/2/26')": "2026-01-02T00:00:00Z",
      "parseDateTimeBestEffortUSOrNull('31/12/2026')": "2026-12-31T00:00:00Z",
      "toDateTime('Thu, 31 Dec 2026 10:00:00 GMT')": "2026-12-31T10:00:00Z",
      "toDateTime('13/13/2026')": null,
      "toDateTime('123')": null,
      "toDateTime('infinity')": null,
      "toDate('infinity')": null,
      "toDate('epoch')": null,
      "toDateTime('99999-01-01')": null,
    }));

  it("lie apart in days, and times in seconds with the fraction that they have", () =>
    values({
      "toDate('2026-03-01') - toDate('2026-02-01')": 28,
      "toStartOfHour(now()) - toStartOfDay(now())": 43_200,
      "toDateTime('2026-01-01 00:00:00') - toDateTime('2025-12-31 23:59:59')": 1,
      "toDateTime64('2026-01-01 00:00:00.25', 3) - toDateTime64('2025-12-31 23:59:59.5', 3)": 0.75,
      "toDateTime('2026-01-01 00:00:00.000001') - now()": -1_252_799.999999,
      "(toDateTime('2026-01-01 00:00:01') - toDateTime('2026-01-01 00:00:00')) / 60": 1 / 60,
    }));

  it("fall back to the last day of a shorter month", () =>
    values({ "toDate('2026-03-31') - INTERVAL 1 MONTH": "2026-02-28", "addMonths(toDate('2024-01-31'), 1)": "2024-02-29" }));

  it("are floored to months, quarters and intervals as dates, to hours and days as times", () =>
    values({
      "toStartOfMonth(toDateTime('2026-02-03 01:00:00'))": "2026-02-01",
      "dateTrunc('quarter', toDateTime('2026-05-05 01:00:00'))": "2026-04-01",
      "toStartOfInterval(toDate('2026-02-17'), INTERVAL 2 WEEK)": "2026-02-16",
      "dateTrunc('hour', toDateTime('2026-01-01 10:17:00'))": "2026-01-01T10:00:00Z",
      "toStartOfInterval(toDateTime('2026-01-01 23:00:00'), INTERVAL 5 HOUR)": "2026-01-01T20:00:00Z",
    }));

  it("round down before 1970 too", () =>
    values({
      "toHour(toDateTime('1969-12-31 23:59:59'))": 23,
      "toUnixTimestamp(toDateTime('1969-12-31 23:59:59'))": -1,
      "toDate(toDateTime('1969-12-31 23:59:59'))": "1969-12-31",
    }));

  it("print with ClickHouse's letters", () =>
    values({ "formatDateTime(toDateTime('2026-01-02 03:04:05'), '%Y-%m-%d %H:%i:%s %M %W')": "2026-01-02 03:04:05 January Friday" }));

  it("follow the project's wall clock through a change of its offset", () =>
    values(
      {
        "toDateTime('2026-03-08 12:00:00')": "2026-03-08T12:00:00-04:00",
        "toStartOfDay(toDateTime('2026-03-08 12:00:00'))": "2026-03-08T00:00:00-05:00",
        "toDateTime('2026-03-07 12:00:00') + INTERVAL 1 DAY": "2026-03-08T12:00:00-04:00",
        "toDateTime('2026-03-07 12:00:00') + INTERVAL 24 HOUR": "2026-03-08T13:00:00-04:00",
        "toHour(toTimeZone(toDateTime('2026-03-08 12:00:00'), 'Asia/Tokyo'))": 1,
        "today()": "2026-01-15",
      },
      "",
      { timezone: "America/New_York" },
    ));
});

describe("texts", () => {
  it("have parts of an address only where there is one", () =>
    values({
      "extractURLParameter(NULL, 'x')": null,
      "extractURLParameter('http://a.test/?x=1', 'y')": "",
      "port(NULL)": null,
      "port('http://a.test/')": 0,
    }));

  it("begin with a byte, whatever the character", () =>
    values({ "ascii('')": 0, "ascii('a')": 97, "ascii('é')": 195, "ascii('日本')": 230, "ascii('😀')": 240, "ascii(NULL)": null }));

  it("count bytes, and positions from 1", () =>
    values({
      "length('añb')": 4,
      "lengthUTF8('añb')": 3,
      "substring('hello', 2, 3)": "ell",
      "substring('hello', -3)": "llo",
      "substring('hello', 0)": "",
      "position('hello', 'l')": 3,
      "position('hello', 'l', 4)": 4,
      "position('hello', 'z')": 0,
      "position('hello', '', 6)": 6,
      "position('hello', '', 7)": 0,
      "position('hello', 'l', NULL)": null,
      "positionUTF8('é', '', 3)": 0,
    }));

  it("end where they end, however far a cut reaches", () =>
    values({
      "substring('hello', 1, 9223372036854775807)": "hello",
      "substring('héllo', 2, 9223372036854775807)": "éllo",
      "substringUTF8('héllo', -3, 9223372036854775807)": "llo",
      "substring('hello', 9223372036854775807, 9223372036854775807)": "",
      "substring('héllo', -9223372036854775808, 3)": "",
      "left('hello', 9223372036854775807)": "hello",
      "right('hello', 9223372036854775807)": "hello",
      "right('hello', -9223372036854775808)": "",
    }));

  it("are searched by RE2 with dots that match a new line", () =>
    values({
      "match('a\\nc', 'a.c')": true,
      "extract('a12b', 'a([0-9])')": "1",
      "extractAll('a1b2', '[0-9]')": ["1", "2"],
      "replaceRegexpOne('hello', '(l)', '[\\\\1]')": "he[l]lo",
    }));

  it("are joined by operators, functions and templates", () =>
    values({
      "'a' || 'b'": "ab",
      "concat('a', 1, true)": "a1true",
      "format('{} {1} {0}', 'a', 'b')": "a b a",
      "f'{1 + 1} is two'": "2 is two",
    }));

  it("name countries and languages by their codes", () =>
    values({
      "countryCodeToName('us')": "United States",
      "countryCodeToName('xx')": "Unknown",
      "languageCodeToName('de-AT')": "German",
      "countryCodeToName(NULL)": null,
    }));

  it("are taken apart as URLs", () =>
    values({
      "domain('https://www.example.co.uk:8080/a?x=1')": "www.example.co.uk",
      "path('https://e.com:8080/a/b?x=1#f')": "/a/b",
      "extractURLParameter('https://e.com/a?x=1&y=2#f', 'y')": "2",
      "cutURLParameter('https://e.com/a?x=1&y=2#f', 'x')": "https://e.com/a?y=2#f",
    }));
});

describe("JSON", () => {
  it("that is NULL has no value, and a null in it is written as one", () =>
    values({
      "JSON_VALUE(NULL, '$.a')": null,
      "JSON_QUERY(NULL, '$.a')": null,
      "JSON_EXISTS(NULL, '$.a')": null,
      "JSON_VALUE('not JSON', '$.a')": "",
      "JSON_EXISTS('{}', '$.a')": false,
      'JSONExtractKeysAndValuesRaw(\'{"a":null,"b":"null"}\')': [
        ["a", "null"],
        ["b", '"null"'],
      ],
    }));

  it("has defaults for what is missing or of another type", () =>
    values({
      'JSONExtractString(\'{"a":"x","b":1}\', \'a\')': "x",
      'JSONExtractString(\'{"a":"x","b":1}\', \'b\')': "1",
      "JSONExtractInt('{\"a\":{\"b\":[5,6]}}', 'a', 'b', 2)": 6,
      "JSONExtractFloat('{}', 'a')": 0,
      "JSONExtractRaw('{\"a\":{\"b\":1}}', 'a')": '{"b":1}',
      "JSONExtract('{\"a\":[\"x\",\"y\"]}', 'a', 'Array(String)')": ["x", "y"],
      "JSONExtractString('not json', 'a')": "",
      "JSONHas('{\"a\":null}', 'a')": true,
    }));
});

describe("arrays", () => {
  it("count from 1 and from their end, with a default outside", () =>
    values({ "[1,2,3][2]": 2, "[1,2,3][-1]": 3, "[1,2,3][9]": 0, "['a'][5]": "", "map('a', 1)['z']": 0 }));

  it("take lambdas over one and several arrays", () =>
    values({
      "arrayMap(x -> x * 2, [1, 2])": [2, 4],
      "arrayMap((x, y) -> x + y, [1, 2], [10, 20])": [11, 22],
      "arrayFilter((x, y) -> y = 1, ['a', 'b'], [1, 0])": ["a"],
      "arraySort((x, y) -> y, ['a', 'b', 'c'], [3, 1, 2])": ["b", "c", "a"],
      "arrayFold((acc, x) -> acc + x, [1, 2, 3], 10)": 16,
      "arrayFirst(x -> x > 9, [1, 2, 3])": 0,
    }));

  it("keep the order of first appearance when made distinct", () =>
    values({ "arrayDistinct([2, 1, 2])": [2, 1], "arrayCompact([1, 1, 2, 1])": [1, 2, 1], "arrayIntersect([3, 1, 2], [2, 3])": [3, 2] }));

  it("hold tuples with all their fields", () =>
    values({
      "arrayZip([1, 2], ['a', 'b'])": [
        [1, "a"],
        [2, "b"],
      ],
      "(1, 'a').2": "a",
      "(1, 2) IN ((1, 2), (3, 4))": true,
    }));
});
