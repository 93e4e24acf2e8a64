import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeRanges } from "../../../lib/engine/storage/layout.ts";

/** Ranges that do not overlap, with gaps between them. */
const someRanges = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 100_000 }), size: fc.integer({ min: 1, max: 200_000 }) }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((list) => {
    let at = 4;
    return list.map(({ gap, size }) => {
      const from = at + gap;
      at = from + size;
      return { from, to: at };
    });
  });

const sizeOf = (ranges: readonly { from: number; to: number }[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0);

describe("mergeRanges", () => {
  it("covers every range once, in order, and fetches hardly more than was asked for", () => {
    fc.assert(
      fc.property(someRanges, (ranges) => {
        const merged = mergeRanges(fc.sample(fc.shuffledSubarray(ranges, { minLength: ranges.length }), 1)[0] ?? ranges);
        for (const { from, to } of ranges) expect(merged.filter((one) => one.from <= from && to <= one.to)).toHaveLength(1);
        for (const [at, one] of merged.entries()) expect(one.from).toBeGreaterThanOrEqual(merged[at - 1]?.to ?? 0);
        expect(sizeOf(merged)).toBeLessThanOrEqual(sizeOf(ranges) * 1.2);
        expect(merged.length).toBeLessThanOrEqual(ranges.length);
      }),
    );
  });

  it("takes neighbours together", () => {
    expect(
      mergeRanges([
        { from: 4, to: 10 },
        { from: 10, to: 20 },
      ]),
    ).toEqual([{ from: 4, to: 20 }]);
  });
});
