import fc from "fast-check";

/** Names of properties that some reader may take for something else. */
export const ODD_KEYS = [
  "plan",
  "",
  "*",
  "a.b",
  'a"b',
  "a\\b",
  "a'b",
  "$",
  "a[0]",
  "#",
  "ü💩",
  "a/b",
  "~0",
  " lead ",
  "\u0001",
  "x".repeat(200),
];

/** JSON as it may stand behind a key, written out: numbers that no double holds, and texts that some reader takes for a number. */
const ODD = [
  ...['""', '"a\\"b"', '"a\\\\b"', '"\\n\\t"', '"\\u0000"', '"\\u00e9"', '"\\ud83d\\udca9"', '" "', '"null"', '"{}"', '"[1]"'],
  ...["0", "-0", "0.0", "1", "1.0", "-1.5", "0.1", "1e5", "1E5", "1e-7", "1e21", "5e-324", "1.7976931348623157e308"],
  ...["9007199254740993", "12345678901234567", "18446744073709551615", "18446744073709551616", "123456789012345678901234567890"],
  ...["true", "false", "null", "{}", "[]", '{"a":[1,"x",null]}', '[[1.50],{"":""}]', '{"b":1,"a":2}'],
  ...['"nan"', '"NaN"', '"inf"', '"-Infinity"', '"infinity"', '" 5"', '"5 "', '"1_000"', '"0x1F"', '"1e5"', '"1e400"', '"-1e400"'],
  ...['"+7"', '".5"', '"5."', '"-"', '"--1"', '"1,5"', '"1 000"', '"１"', '"true"', '"TRUE"', '"1"', '"0"', '"yes"'],
  ...['"2026-01-01"', '"2026-01-01T10:00:00Z"', '"2026-13-01"', '"10:00"'],
  `"${"long ".repeat(3_000)}"`,
];

const random = fc
  .sample(fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: "binary" }), fc.double({ noNaN: true, noDefaultInfinity: true })), {
    numRuns: 60,
    seed: 7,
  })
  .filter((value) => JSON.stringify(value).isWellFormed() && !JSON.stringify(value).includes("\\ud"))
  .map((value) => JSON.stringify(value));

/** Values as they may stand behind a name, as JSON. */
export const ODD_VALUES = [...ODD, ...random];

/** Numbers of more digits than a double holds, at the ends of what an engine reads as whole and beyond; in lists and objects, too. */
export const LONG_NUMBERS = [
  ...["-9223372036854775808", "-9223372036854775809", "9223372036854775808", "18446744073709551615", "-12345678901234567890"],
  ...["0.12345678901234567890123", "1.00000000000000000001", "-0.00000000000000000000", "123456789012345678.5", "1234567890123456789012.5"],
  ...[
    "100000000000000000000e-20",
    "12345678901234567890e10",
    "1000000000000000000E5",
    "1000000000000000000e+400",
    "1000000000000000000e-400",
  ],
  ...['[9007199254740993,{"a":123456789012345678901234567890}]', '{"1e+21":1e21,"\\u001f":0.3000000000000000166,"x":"\\\\u001f"}'],
];
