import { describe, expect, it } from "vitest";
import { BudgetExhausted } from "../../core/budget.ts";
import { compileFilters } from "../filters.ts";

import { FilterError } from "./filter-tree.ts";
import { compileRegex } from "./regex.ts";
import { subject } from "./subject.ts";

const leaves = (count: number, leaf: object) =>
  Array.from({ length: count }, (_, at) => ({ key: "text", type: "event", ...leaf, label: `${at}` }));
const rule = (count: number, leaf: object) => compileFilters({ type: "OR", values: leaves(count, leaf) }, "UTC");
const event = (characters: number) => subject({ text: "x".repeat(characters) }, null, 0);

describe("what the rules of one event may take", () => {
  it.each([
    { operator: "icontains", value: "absent" },
    { operator: "not_icontains", value: ["absent", "x"] },
    { operator: "regex", value: "absent" },
    { operator: "regex", value: "absent\\d" },
    { operator: "regex", value: "\\dabsent" },
    { operator: "gt", value: 5 },
    { operator: "exact", value: "2026-01-01" },
    { operator: "between", value: ["2026-01-01", "2026-01-02"] },
  ])("is bounded for %j over a megabyte, a thousand times", (leaf) => {
    const matches = rule(1_000, leaf);
    expect(() => matches(event(1_000_000))).toThrow(BudgetExhausted);
    expect(matches(event(100))).toBe(false);
  });

  it("is bounded for conditions that cost next to nothing, too", () => {
    const matches = rule(1_000, { operator: "exact", value: "absent" });
    const asked = event(10);
    expect(() => {
      for (let rules = 0; rules < 1_000; rules += 1) matches(asked);
    }).toThrow(BudgetExhausted);
  });

  it("counts what a repeated choice takes in full: a pattern of thirty characters looks at thousands of places for each one of a text", () => {
    const regex = compileRegex("(?:[a-zA-Z]?){990}[0-9][0-9]", { steps: 60_000 });
    const budget = { steps: Number.MAX_SAFE_INTEGER };
    expect(regex.test("x".repeat(1_000), budget)).toBe(false);
    // Each of the 990 choices is looked at once it is reached, and branches.
    expect(Number.MAX_SAFE_INTEGER - budget.steps).toBeGreaterThan(1_000_000);
  });

  it("reads a text of a million digits once, to see that it is no number", () => {
    const matches = rule(1, { operator: "gt", value: 5 });
    expect(matches(subject({ text: `${"1".repeat(1_000_000)}x` }, null, 0))).toBe(false);
  });

  it("is refused where the expressions of a rule are small alone and too large together", () => {
    const patterns = Array.from({ length: 100 }, (_, at) => `[ab]{900}${at}`);
    const together = { operator: "regex", value: patterns };
    expect(() => rule(1, { ...together, value: patterns.slice(0, 3) })).not.toThrow();
    expect(() => rule(1, together)).toThrow(FilterError);
  });
});
