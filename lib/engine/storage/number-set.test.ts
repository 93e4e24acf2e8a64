import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contains, containsAll, difference, NO_NUMBERS, type NumberSet, numberSet, sameNumbers, size, union } from "./number-set.ts";

const MOST = 200;
const someNumbers = fc.uniqueArray(fc.integer({ min: 0, max: MOST }), { maxLength: 40 });

const membersOf = (set: NumberSet): readonly number[] => Array.from({ length: 2 * MOST }, (_, at) => at).filter((at) => contains(set, at));

const inOrder = (numbers: Iterable<number>): readonly number[] => [...numbers].sort((a, b) => a - b);

describe("a set of numbers", () => {
  it("has the numbers of its list and no others, and takes a bit for each up to the greatest", () => {
    void fc.assert(
      fc.property(someNumbers, (list) => {
        const set = numberSet(list);
        expect(membersOf(set)).toEqual(inOrder(list));
        expect(size(set)).toBe(list.length);
        expect(set.byteLength).toBe(4 * Math.ceil((Math.max(-1, ...list) + 1) / 32));
      }),
    );
    expect(numberSet([])).toEqual(NO_NUMBERS);
  });

  it("is joined with another, and taken from it, as sets are", () => {
    void fc.assert(
      fc.property(someNumbers, someNumbers, (a, b) => {
        expect(membersOf(union(numberSet(a), numberSet(b)))).toEqual(inOrder(new Set([...a, ...b])));
        expect(membersOf(difference(numberSet(a), numberSet(b)))).toEqual(inOrder(a.filter((number) => !b.includes(number))));
      }),
    );
  });

  it("says whether it has all of another, whichever reaches further", () => {
    void fc.assert(
      fc.property(someNumbers, someNumbers, (a, b) => {
        const [setA, setB] = [numberSet(a), numberSet(b)];
        const both = union(setA, setB);
        expect(containsAll(setA, setB)).toBe(b.every((number) => a.includes(number)));
        expect([containsAll(both, setA), containsAll(both, setB)]).toEqual([true, true]);
        for (const [one, list] of [
          [setA, a],
          [setB, b],
        ] as const)
          expect([sameNumbers(one, both), sameNumbers(both, one)]).toEqual(new Array(2).fill(list.length === size(both)));
      }),
    );
    // The last bit of one word, and the first of others.
    for (const number of [31, 32, 64, 96]) expect(containsAll(numberSet([1]), numberSet([number]))).toBe(false);
  });
});
