import { describe, expect, it } from "vitest";
import { cache, perOwner } from "./cache.ts";

describe("a cache", () => {
  it("keeps a value until its time, and gives it past that only to who does not ask for the time", () => {
    const kept = cache<string, number>({ capacity: 10 });
    kept.set("a", 1, 1_000);
    expect([kept.get("a", 999), kept.get("a", 1_000), kept.get("a")]).toEqual([1, undefined, 1]);
  });
  it("lets go of what was used longest ago when it is full", () => {
    const kept = cache<string, number>({ capacity: 2 });
    kept.set("a", 1);
    kept.set("b", 2);
    kept.get("a");
    kept.set("c", 3);
    expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([1, undefined, 3]);
  });
  it("is bounded by what its values weigh, also where one replaces another, and does not keep one that alone is too heavy", () => {
    const kept = cache<string, string>({ capacity: 5, weigh: (text) => text.length });
    kept.set("a", "aaaa");
    kept.set("a", "aa");
    kept.set("b", "bbb");
    expect([kept.get("a"), kept.get("b")]).toEqual(["aa", "bbb"]);
    kept.set("c", "cccccc");
    expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([undefined, undefined, undefined]);
    kept.set("d", "ddddd");
    expect(kept.get("d")).toBe("ddddd");
  });
  it("finds what it does not keep, and looks again for what was not found", async () => {
    const kept = cache<string, number>({ capacity: 2 });
    const found = [undefined, 7, 8];
    const find = async (): Promise<number | undefined> => found.shift();
    expect(await kept.of("a", 0, 100, find)).toBeUndefined();
    expect(await kept.of("a", 0, 100, find)).toBe(7);
    expect(await kept.of("a", 99, 100, find)).toBe(7);
    expect(await kept.of("a", 100, 100, find)).toBe(8);
  });
  it("forgets what has an end when the clock is set back, and nothing where a caller is behind another", () => {
    const kept = cache<string, number>({ capacity: 10 });
    kept.set("for ever", 1);
    kept.set("for a while", 2, 3_630_000);
    expect(kept.get("for a while", 3_600_000)).toBe(2);
    expect(kept.get("for a while", 3_540_000)).toBe(2);
    expect([kept.get("for a while", 0), kept.get("for ever", 0)]).toEqual([undefined, 1]);
    kept.set("for a while", 3, 30_000);
    expect([kept.get("for a while", 29_999), kept.get("for a while", 30_000)]).toEqual([3, undefined]);
  });
  it("belongs to its owner", () => {
    const cacheOf = perOwner(() => cache<string, number>({ capacity: 1 }));
    const [one, other] = [{}, {}];
    cacheOf(one).set("a", 1);
    expect([cacheOf(one).get("a"), cacheOf(other).get("a")]).toEqual([1, undefined]);
  });
});
