import { describe, expect, it } from "vitest";
import { openDebts } from "./debts.ts";

describe("a debt", () => {
  it("grows by what is added and is forgiven as time passes", () => {
    const debts = openDebts(10);
    debts.add("a", 1_000, 100);
    debts.add("a", 1_050, 100);
    expect([debts.owedMs("a", 1_050), debts.owedMs("a", 1_100), debts.owedMs("a", 9_000)]).toEqual([150, 100, 0]);
    expect(debts.owedMs("b", 1_050)).toBe(0);
  });
  it("is forgotten when the clock is set back, and begins anew", () => {
    const debts = openDebts(10);
    debts.add("a", 3_600_000, 100);
    expect(debts.owedMs("a", 1_000)).toBe(0);
    debts.add("a", 1_000, 100);
    expect(debts.owedMs("a", 1_040)).toBe(60);
  });
});
