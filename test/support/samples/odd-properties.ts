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
