import { describe, expect, it } from "vitest";
import { BudgetExhausted } from "../../core/budget.ts";
import { compileRegex } from "./regex.ts";

const PARTS = { steps: 1_000_000 };

const matches = (pattern: string, text: string): boolean => compileRegex(pattern, PARTS).test(text, { steps: 50_000_000 });

describe("a regular expression of a rule", () => {
  it.each([
    ["abc", "xabcx", true],
    ["a-b c", "xa-b cx", true],
    ["^abc$", "xabcx", false],
    ["a.b", "a\nb", true],
    ["(?i)ÄPFEL", "äpfel", true],
    ["", "", true],
    ["\\B", "aßa", true],
    ["^\\B", "aßa", false],
    ["\\Bß", "aßa", false],
  ])("%s of %j is %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });
  it("takes no longer for what brings others to a halt", () => {
    expect(matches("^(a+)+$", `${"a".repeat(50_000)}b`)).toBe(false);
  });
  it("ends when its steps are used up", () => {
    expect(() => compileRegex("a|b", PARTS).test("x".repeat(5_000), { steps: 1_000 })).toThrow(BudgetExhausted);
  });
});
