import { describe, expect, it } from "vitest";
import { decodeFilter, EMPTY_FILTER, encodeFilter, mayHold, withNames } from "./name-filter.ts";

const some = (prefix: string, count: number): readonly string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const held = (filter: Parameters<typeof mayHold>[0], names: readonly string[]): number =>
  names.filter((name) => mayHold(filter, name)).length;

/** The bytes of a filter of two names that are not zero, and their places. */
const PLACES = [
  [3_542, 1],
  [15_159, 64],
  [24_239, 128],
  [29_412, 1],
  [38_596, 8],
  [51_215, 1],
  [54_610, 128],
  [64_100, 16],
];

describe("a filter of names", () => {
  it("holds each name that it was given, one by one or together, also when it is read again", () => {
    let filter = EMPTY_FILTER;
    for (const name of some("one", 20)) filter = withNames(filter, [name]);
    filter = withNames(withNames(filter, some("many", 5_000)), []);
    for (const each of [filter, decodeFilter(encodeFilter(filter))]) {
      expect(held(each, some("one", 20))).toBe(20);
      expect(held(each, some("many", 5_000))).toBe(5_000);
    }
  });

  it("takes one of a hundred others for its own at most, with fifty thousand names", () => {
    expect(held(withNames(EMPTY_FILTER, some("many", 50_000)), some("other", 10_000))).toBeLessThan(150);
  });

  it("leaves the one alone that it was made from", () => {
    const filter = withNames(EMPTY_FILTER, ["a"]);
    withNames(filter, ["b"]);
    expect([mayHold(filter, "a"), mayHold(filter, "b")]).toEqual([true, false]);
  });

  it("is read by every version of the program: a name has the same places for ever", () => {
    const { bits } = withNames(EMPTY_FILTER, ["price", "plan"]);
    expect(bits).toHaveLength(65_536);
    expect([...(bits ?? [])].flatMap((byte, at) => (byte === 0 ? [] : [[at, byte]]))).toEqual(PLACES);
  });

  it("takes no room while it is empty", () => {
    expect(withNames(EMPTY_FILTER, [])).toEqual(EMPTY_FILTER);
    expect(encodeFilter(EMPTY_FILTER)).toBeUndefined();
    expect(decodeFilter(undefined)).toEqual(EMPTY_FILTER);
    expect(mayHold(EMPTY_FILTER, "a")).toBe(false);
  });
});
