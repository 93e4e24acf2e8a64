import type { Random } from "../../simulation/random.ts";

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Texts that programs stumble over. */
export const ODD_TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00\ud800",
  "\u202e",
  "é".repeat(300),
  "x".repeat(5_000),
  "💩".repeat(600),
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "true",
  "-1",
  "0",
  "1e400",
  "9".repeat(30),
  "00000000-0000-0000-0000-000000000000",
  "' OR 1=1 --",
  "../../etc/passwd",
  "%00%ff",
  "2026-01-01",
  "0000-00-00T00:00:00Z",
  "9999-12-31T23:59:59.999999Z",
  "+275760-09-13T00:00:00.001Z",
  "-30d",
  "all",
  "-99999999y",
  "Europe/Berlin",
  "(a+)+$",
  "[",
  "https://user@127.0.0.1:1/",
  "javascript:alert(1)",
  "a,b,,c",
  "#",
  "{}",
  "[]",
  '{"a":1}',
  "[1,2",
] as const;

const ODD_NUMBERS = [0, -0, -1, 1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, 5e-324, 65_536] as const;

/** Any value that a program may not have thought of. */
export const oddValue = (random: Random): unknown => {
  if (random.chance(0.5)) return random.pick(ODD_TEXTS);
  if (random.chance(0.4)) return random.pick(ODD_NUMBERS);
  return random.pick([
    null,
    true,
    false,
    [],
    {},
    [null],
    [[]],
    ["", ""],
    { "": "" },
    { kind: "HogQLQuery" },
    { id: null },
    nested(20),
    nested(120),
    Array.from({ length: 2_000 }, (_, at) => at),
    Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [`k${at}`, at])),
  ]);
};
