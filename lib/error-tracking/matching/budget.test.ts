import { describe, expect, it } from "vitest";
import { compileFilters } from "../filters.ts";
import { BudgetExhausted } from "./regex.ts";
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
});
