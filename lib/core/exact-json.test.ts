import { describe, expect, it } from "vitest";
import { exactJson, isExactNumber, longNumbersAsText, toDouble, wholeNumber } from "./exact-json.ts";

const rewritten = (json: string): string => JSON.stringify(exactJson(json));

describe("a number that a double would round", () => {
  it.each([
    "9007199254740993",
    "-9007199254740993",
    "123456789012345678",
    "36028797018963968",
    "18446744073709551616",
    "9".repeat(308),
    `${"9".repeat(400)}e-390`,
    "0.12345678901234567890",
    "1700000000.123456789",
    "9007199254740993.0",
    "12345678901234567e2",
    "12345678901234567891E-30",
    `0.${"0".repeat(400)}1`,
  ])("is written again as it was sent: %s", (number) => {
    expect(rewritten(number)).toBe(number);
    expect(rewritten(`{"a":[${number}, {"b":${number}}],"c" : ${number}}`)).toBe(`{"a":[${number},{"b":${number}}],"c":${number}}`);
    expect(isExactNumber(exactJson(number))).toBe(true);
    expect(toDouble(exactJson(number))).toBe(Number(number));
  });
});

describe("any other number", () => {
  it.each([
    ["0", "0"],
    ["1.50", "1.5"],
    ["9007199254740992", "9007199254740992"],
    ["9007199254740994", "9007199254740994"],
    ["12345678901234567000", "12345678901234567000"],
    ["10000000000000000000000", "1e+22"],
    ["1700000000123456.0", "1700000000123456"],
    ["1.0000000000000000000000", "1"],
    ["0.00000000000000000000", "0"],
    ["-0.0000000000000000000", "0"],
    ["0.30000000000000004", "0.30000000000000004"],
    ["0.8372093023255814", "0.8372093023255814"],
    // As programs write the doubles 0.1 and 2^55 in seventeen digits.
    ["0.10000000000000001", "0.1"],
    ["3.6028797018963968e16", "36028797018963970"],
    // Sixteen digits are of the number, not of its exponent.
    ["1e0000000000000000000002", "100"],
    // Beyond all doubles.
    ["1e400", "null"],
    ["1234567890123456e400", "null"],
    ["9".repeat(400), "null"],
  ])("is a double: %s", (sent, written) => {
    expect(typeof exactJson(sent)).toBe("number");
    expect(rewritten(sent)).toBe(written);
  });
});

describe("a JSON text", () => {
  it("keeps digits in texts, whatever stands before them", () => {
    const json = '["12345678901234567","a: 12345678901234567","\\",12345678901234567",12345678901234567]';
    expect(exactJson(json)).toEqual([
      "12345678901234567",
      "a: 12345678901234567",
      '",12345678901234567',
      expect.objectContaining({ rawJSON: "12345678901234567" }),
    ]);
  });

  it("that is none is refused, with long numbers or without", () => {
    for (const json of ["", "{", "12345678901234567.", "[12345678901234567", "012345678901234567", "{12345678901234567:1}"]) {
      expect(() => exactJson(json), json).toThrow(SyntaxError);
    }
  });

  it("is an object with keys of its own, whatever they are called", () => {
    expect(rewritten('{"__proto__":12345678901234567,"rawJSON":1}')).toBe('{"__proto__":12345678901234567,"rawJSON":1}');
  });
});

it("a whole number that a double would round can be read as text, and nothing else is", () => {
  const json = '{"a":[9007199254740993,-123456789012345678 ,0.12345678901234567890],"b":"9007199254740993","c":9007199254740992}';
  expect(longNumbersAsText(json)).toBe(
    '{"a":["9007199254740993","-123456789012345678" ,0.12345678901234567890],"b":"9007199254740993","c":9007199254740992}',
  );
});

it.each([0n, -5n, 9007199254740993n, 18446744073709551615n, 1609458310123456000n, -(2n ** 63n)])(
  "a bigint is written whole: %s",
  (value) => {
    expect(JSON.stringify(wholeNumber(value))).toBe(String(value));
  },
);
