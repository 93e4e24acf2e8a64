import { describe, expect, it } from "vitest";
import { BudgetExhausted, compileRegex } from "./regex.ts";
import { RegexError } from "./syntax.ts";

const matches = (pattern: string, text: string): boolean => compileRegex(pattern).test(text, { steps: 1_000_000 });

describe("a regular expression", () => {
  it.each([
    ["abc", "xabcx", true],
    ["^abc$", "xabcx", false],
    ["a|bc", "xbc", true],
    ["(ab){2,3}$", "ababab", true],
    ["^(ab){2}$", "ababab", false],
    ["colou?r", "color", true],
    ["[^\\]a-]", "a-]", false],
    ["a.b", "a\nb", true],
    ["(?-s)a.b", "a\nb", false],
    ["(?m)^b$", "a\nb\nc", true],
    ["\\bfoo\\b", "a foo.", true],
    ["\\bfoo\\b", "afoo", false],
    ["\\Boo", "foo", true],
    ["(?i)straße", "STRASSE", false],
    ["(?i)ÄPFEL", "äpfel", true],
    ["a{,2}", "a{,2}", true],
    ["x{0}y", "y", true],
    ["\\Qa.b\\E+", "a.bb", true],
    ["^\\x{1F600}$", "😀", true],
    ["^.$", "😀", true],
    ["", "", true],
  ])("%s of %j is %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it.each(["(", ")", "[", "a**", "*", "(?=a)", "(?<!a)b", "\\1", "a{2,1}", "a{1001}", "[z-a]", "\\", "((((a{900}){900}){900}){900})"])(
    "%s is none",
    (pattern) => {
      expect(() => compileRegex(pattern)).toThrow(RegexError);
    },
  );

  it("takes no longer for what brings others to a halt", () => {
    expect(matches("^(a+)+$", `${"a".repeat(50_000)}b`)).toBe(false);
    expect(matches("(x+x+)+y", "x".repeat(50_000))).toBe(false);
  });

  it("ends when its steps are used up", () => {
    const regex = compileRegex("(a|b|ab){1,800}c|x");
    expect(() => regex.test("ab".repeat(5_000), { steps: 10_000 })).toThrow(BudgetExhausted);
  });
});
