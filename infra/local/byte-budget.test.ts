import { describe, expect, it } from "vitest";
import { openByteBudget } from "./byte-budget.ts";

/** A budget with the names of the reservations that were evicted. */
const setUp = (maxBytes: number, ordinaryBytes?: number) => {
  const budget = openByteBudget(maxBytes, ordinaryBytes);
  const evicted: string[] = [];
  return { evicted, reserve: (name: string) => budget.reserve(name.charAt(0), () => evicted.push(name)) };
};

describe("a byte budget", () => {
  it("is used up by what is reserved, however small the parts", () => {
    const { evicted, reserve } = setUp(100);
    for (let each = 0; each < 100; each += 1) expect(reserve(`a${each}`).grow(1)).toBe(true);
    expect([reserve("a100").grow(1), evicted]).toEqual([true, ["a0"]]);
  });

  it("evicts the oldest reservation of the source that holds most, and no other", () => {
    const { evicted, reserve } = setUp(100);
    const [victim, first, second] = [reserve("v1"), reserve("a1"), reserve("a2")];
    expect([victim.grow(20), first.grow(30), second.grow(40)]).toEqual([true, true, true]);
    expect([victim.grow(40), evicted]).toEqual([true, ["a1"]]);
    expect([second.grow(61), evicted]).toEqual([false, ["a1", "a2"]]);
    expect(reserve("b1").grow(60)).toBe(true);
  });

  it("evicts nothing that is pinned, and has its bytes again once that is released", () => {
    const { evicted, reserve } = setUp(100);
    const pinned = reserve("a1");
    pinned.grow(90);
    pinned.pin();
    expect([reserve("b1").grow(20), evicted]).toEqual([false, ["b1"]]);
    pinned.release();
    pinned.release();
    expect([reserve("b2").grow(100), evicted]).toEqual([true, ["b1"]]);
  });

  it("is never used up by large reservations alone", () => {
    const { evicted, reserve } = setUp(800, 10);
    const large = reserve("a1");
    expect(large.grow(700)).toBe(true);
    large.pin();
    expect([reserve("a2").grow(11), reserve("b1").grow(10), evicted]).toEqual([false, true, ["a2"]]);
  });
});
