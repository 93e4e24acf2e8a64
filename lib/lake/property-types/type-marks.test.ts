import { describe, expect, it } from "vitest";
import { nameBytes } from "../property-types.ts";
import { needsMark, withMarks } from "./type-marks.ts";

const TODAY = 20_000;

/** So many marks of some days ago, and one that is older. */
const marked = (count: number, daysAgo: number, oldest = daysAgo): ReadonlyMap<string, number> =>
  new Map(Array.from({ length: count }, (_, at) => [`event:${at}`, TODAY - (at === count - 1 ? oldest : daysAgo)]));

describe("a mark of a property that queries use", () => {
  it.each([
    [0, false],
    [29, false],
    [30, true],
    [89, true],
  ])("that is %s days old is made anew: %s", (daysAgo, isAnew) => {
    const stored = new Map([["event:price", TODAY - daysAgo]]);
    expect(needsMark(stored, "event:price", TODAY)).toBe(isAnew);
    const next = withMarks(stored, ["event:price"], TODAY);
    expect(next === stored).toBe(!isAnew);
    expect(next).toEqual(isAnew ? new Map([["event:price", TODAY]]) : stored);
  });

  it.each([
    [0, 0, 0, true],
    [999, 0, 0, true],
    [1_000, 0, 0, false],
    [1_000, 0, 89, false],
    [1_000, 0, 90, true],
    [1_000, 90, 90, true],
  ])("finds room beside %i others of %i days ago, the last of %i: %s", (count, daysAgo, oldest, hasRoom) => {
    const stored = marked(count, daysAgo, oldest);
    expect(needsMark(stored, "event:price", TODAY)).toBe(hasRoom);
    const next = withMarks(stored, ["event:price"], TODAY);
    expect(next === stored).toBe(!hasRoom);
    expect(next.has("event:price")).toBe(hasRoom);
    expect(next.has("event:0")).toBe(count > 0 && daysAgo < 90);
  });

  it("is made of several at once", () => {
    expect(withMarks(new Map([["event:c", TODAY]]), ["event:a", "event:b"], TODAY)).toEqual(
      new Map([
        ["event:c", TODAY],
        ["event:a", TODAY],
        ["event:b", TODAY],
      ]),
    );
  });

  const LONG = Array.from({ length: 200 }, (_, at) => `event:${String(at).padStart(192, "0")}`);

  it("finds room up to 40,000 bytes of names, however often others are made anew", () => {
    expect(new Set(LONG.map(nameBytes))).toEqual(new Set([200]));
    const stored = new Map(LONG.slice(0, 199).map((name) => [name, TODAY - 30]));
    const fitting = `event:${"x".repeat(192)}`;
    const next = withMarks(stored, [...LONG.slice(0, 50), fitting, "event:y", ...LONG.slice(50, 60)], TODAY);
    expect(next.size).toBe(200);
    expect([next.has(fitting), next.has("event:y")]).toEqual([true, false]);
    expect([...next.values()].filter((day) => day === TODAY)).toHaveLength(61);
    expect(withMarks(stored, [`${fitting}x`], TODAY)).toBe(stored);
    expect(withMarks(new Map(), [...LONG, "event:y"], TODAY)).toEqual(new Map(LONG.map((name) => [name, TODAY])));
  });

  it("that is ninety days old gives back its bytes", () => {
    const stored = new Map(LONG.map((name, at) => [name, TODAY - (at === 0 ? 90 : 0)]));
    expect(withMarks(stored, ["event:y"], TODAY).has("event:y")).toBe(true);
  });
});
