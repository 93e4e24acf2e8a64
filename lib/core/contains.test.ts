import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BudgetExhausted } from "./budget.ts";
import { contains } from "./contains.ts";

const plenty = () => ({ steps: 1_000_000_000 });

describe("whether a part stands in a text", () => {
  it("is what the language's own search says, for parts of all lengths that repeat themselves", () => {
    const repeating = fc
      .array(fc.tuple(fc.constantFrom("a", "b", "ab", "aab"), fc.integer({ min: 0, max: 200 })), { maxLength: 5 })
      .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(""));
    fc.assert(
      fc.property(repeating, repeating, (text, part) => {
        expect(contains(text, part, plenty())).toBe(text.includes(part));
        expect(contains(`${text}${part}${text}`, part, plenty())).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("is found out in one look at the text, also where each place of it begins as the part does", () => {
    const budget = { steps: 2_100_000 };
    expect(contains("a".repeat(2_000_000), `${"a".repeat(20_000)}b${"a".repeat(20_000)}`, budget)).toBe(false);
    expect(() => contains("a".repeat(2_000_000), "b", budget)).toThrow(BudgetExhausted);
  });
});
