/** Section 12.4: conversion, and what is null or conditional. */
export const CONVERSION = {
  "toString of each type":
    "SELECT toString(12) AS i, toString(-3.5) AS f, toString(true) AS b, toString('x') AS s, toString(toDate('2026-01-31')) AS d, toString(toDateTime('2026-01-31 10:20:30')) AS t, toString(NULL) AS n",
  "toString of arrays and tuples": "SELECT toString([1, 2, 3]) AS a, toString(['a', 'b']) AS s, toString([]) AS e, toString((1, 'x')) AS t",
  "toString of floats":
    "SELECT toString(0.1) AS a, toString(1e10) AS b, toString(1e21) AS c, toString(1.0) AS d, toString(1e-7) AS e, toString(0.1 + 0.2) AS f, toString(100000000000000000000.0) AS g",
  "toInt of text":
    "SELECT toInt('12') AS a, toInt('-7') AS b, toInt('x') AS c, toInt('') AS d, toInt('1.5') AS e, toInt(' 3') AS f, toInt('+4') AS g",
  "toInt of numbers": "SELECT toInt(3.99) AS a, toInt(-3.99) AS b, toInt(true) AS c, toInt(NULL) AS d, toInt(9007199254740991) AS e",
  "toFloat of text and numbers":
    "SELECT toFloat('1.5') AS a, toFloat('x') AS b, toFloat('') AS c, toFloat('1e3') AS d, toFloat(2) AS e, toFloat(NULL) AS f, toFloat('-0.25') AS g, toFloat('inf') AS h",
  "toDecimal keeps the scale":
    "SELECT toString(toDecimal('1.239', 2)) AS a, toString(toDecimal(10, 3)) AS b, toFloat(toDecimal(2.5, 1)) AS c, toDecimal('x', 2) IS NULL AS d",
  "toBool of text and numbers":
    "SELECT toBool('true') AS a, toBool('false') AS b, toBool(1) AS c, toBool(0) AS d, toBool('1') AS e, toBool('0') AS f",
  "toDate of texts and times":
    "SELECT toDate('2026-01-31') AS a, toDate(toDateTime('2026-01-31 23:59:59')) AS b, toDate('2026-02-29') IS NULL AS c, toDate('x') IS NULL AS d, toDate('2026-01-31 10:00:00') AS e",
  "toDateTime of texts":
    "SELECT toDateTime('2026-01-31 10:20:30') AS a, toDateTime('2026-01-31') AS b, toDateTime('2026-01-31T10:20:30Z') AS c, toDateTime('2026-01-31T10:20:30') AS d",
  "toDateTime of what is none":
    "SELECT toDateTime('nonsense') AS a, toDateTime('') AS b, toDateTime('2026-13-01 00:00:00') AS c, toDateTime(NULL) AS d",
  "toDateTime in a zone":
    "SELECT toUnixTimestamp(toDateTime('2026-07-01 12:00:00', 'Europe/Berlin')) AS summer, toUnixTimestamp(toDateTime('2026-01-01 12:00:00', 'Europe/Berlin')) AS winter, toUnixTimestamp(toDateTime('2026-01-01 12:00:00', 'Asia/Kathmandu')) AS kathmandu",
  "toDateTime of seconds": "SELECT toDateTime(0) AS epoch, toDateTime(1767225600) AS year, toDateTime(4102444800) AS far",
  "toDateTime64 keeps fractions":
    "SELECT toDateTime64('2026-01-31 10:20:30.123456', 6) AS micros, toDateTime64('2026-01-31 10:20:30.987', 3) AS millis, toString(toDateTime64('2026-01-31 10:20:30.5', 3)) AS text",
  "toDateTime64 in a zone": "SELECT toUnixTimestamp64Milli(toDateTime64('2026-03-29 12:00:00.250', 3, 'Europe/Berlin')) AS ms",
  "toUUID reads and refuses":
    "SELECT toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0') AS id, toString(toUUID('61F0C404-5CB3-11E7-907B-A6006AD3DBA0')) AS text, toUUID('x') IS NULL AS none",
  "parseDateTime by a format":
    "SELECT parseDateTime('2026-01-04 23:00:00', '%Y-%m-%d %H:%i:%s') AS a, parseDateTime('04/01/2026', '%d/%m/%Y') AS b, parseDateTime('20260104', '%Y%m%d') AS c",
  "parseDateTimeBestEffort of many forms":
    "SELECT parseDateTimeBestEffort('2026-01-04T10:20:30Z') AS a, parseDateTimeBestEffort('2026-01-04 10:20:30') AS b, parseDateTimeBestEffort('2026-01-04T10:20:30+02:00') AS c, parseDateTimeBestEffort('2026-01-04') AS d, parseDateTimeBestEffort('1767522030') AS e",
  "toJSONString of each type":
    "SELECT toJSONString(1) AS i, toJSONString(1.5) AS f, toJSONString('a\"b') AS s, toJSONString([1, 2]) AS a, toJSONString(['x', 'y']) AS t, toJSONString(map('k', 1)) AS m, toJSONString(true) AS b, toJSONString(NULL) AS n",
  "toJSONString of Unicode and slashes":
    "SELECT toJSONString('größe 日本 🎈') AS u, toJSONString('a/b') AS slash, toJSONString('line\\nbreak\\ttab') AS control, toJSONString('') AS empty",
  "cast and CAST":
    "SELECT cast('12' AS Int64) AS a, CAST(3.7 AS Int64) AS b, CAST(12 AS String) AS c, '2026-01-31'::Date AS d, '5'::Int64 + 1 AS e, 1::Float64 / 4 AS f",
  "cast of decimals and booleans": "SELECT CAST('1.25' AS Float64) AS a, CAST(1 AS Bool) AS b, cast(toDate('2026-01-31') AS String) AS c",
  "toTypeName of literals":
    "SELECT toTypeName('a') AS s, toTypeName(toInt('1') + 0.5) AS f, toTypeName(toDate('2026-01-01')) AS d, toTypeName([toFloat(1.5)]) AS a",
  "reinterpretAs numbers and texts":
    "SELECT reinterpretAsUInt8('a') AS a, reinterpretAsUInt32('abcd') AS b, reinterpretAsInt64('abcdefgh') AS c, reinterpretAsUInt64('a') AS d, reinterpretAsString(25185) AS s, reinterpretAsInt8('ÿ') AS i",
  "reinterpretAs floats": "SELECT reinterpretAsFloat64(reinterpretAsString(toFloat(1.5))) AS f, reinterpretAsInt16('ab') AS i",
  "accurateCastOrNull gives NULL where a value does not fit":
    "SELECT accurateCastOrNull(300, 'UInt8') AS a, accurateCastOrNull(3, 'UInt8') AS b, accurateCastOrNull('x', 'Int64') AS c, accurateCastOrNull(1.5, 'Int32') AS d, accurateCastOrNull(-1, 'UInt64') AS e, accurateCastOrNull('2026-01-31', 'Date') AS f",
  "_toInt64 and _toUInt64": "SELECT _toInt64('-5') AS a, _toUInt64('5') AS b, _toInt64(3.9) AS c, _toUInt64(7) AS d",
} as const;

export const CONDITIONAL = {
  "if picks a side":
    "SELECT number AS n, if(number % 2 = 0, 'even', 'odd') AS parity, if(NULL, 'yes', 'no') AS unknown FROM numbers(4) ORDER BY n",
  "if with NULL on one side": "SELECT number AS n, if(number > 1, number, NULL) AS v FROM numbers(4) ORDER BY n",
  "multiIf picks the first that holds":
    "SELECT number AS n, multiIf(number < 2, 'low', number < 4, 'mid', 'high') AS band, multiIf(NULL, 1, number = 3, 2, 0) AS second FROM numbers(6) ORDER BY n",
  "coalesce, ifNull and ??":
    "SELECT coalesce(NULL, NULL, 'c') AS a, coalesce(NULL, 1) AS b, ifNull(NULL, 'x') AS c, ifNull('y', 'x') AS d, NULL ?? 'z' AS e, '' ?? 'z' AS f, coalesce(NULL, NULL) AS g",
  nullIf: "SELECT nullIf('a', 'a') AS a, nullIf('a', 'b') AS b, nullIf(1, 1) AS c, nullIf(1, 2) AS d",
  "isNull, isNotNull, IS NULL":
    "SELECT isNull(NULL) AS a, isNull('') AS b, isNotNull(0) AS c, isNotNull(NULL) AS d, NULL IS NULL AS e, 'x' IS NOT NULL AS f",
  "assumeNotNull and toNullable":
    "SELECT assumeNotNull(toNullable(5)) AS a, toNullable('x') AS b, assumeNotNull(coalesce(NULL, 3)) AS c, toNullable(NULL) AS d",
  "greatest and least":
    "SELECT greatest(1, 3, 2) AS a, least(1, 3, 2) AS b, greatest('a', 'b') AS c, least(toDate('2026-01-01'), toDate('2025-01-01')) AS d, greatest(-1.5, -2) AS e",
  "CASE with and without a value":
    "SELECT number AS n, CASE WHEN number = 0 THEN 'zero' WHEN number = 1 THEN 'one' ELSE 'many' END AS a, CASE number WHEN 0 THEN 'none' WHEN 2 THEN 'two' ELSE 'other' END AS b, CASE WHEN number > 2 THEN 'big' END AS c FROM numbers(4) ORDER BY n",
  "the ternary nests": "SELECT number AS n, number = 0 ? 'a' : number = 1 ? 'b' : 'c' AS v FROM numbers(3) ORDER BY n",
} as const;
