import { describe, expect, it } from "vitest";
import { OBJECT_WORTH_PACKING, pack, packSized, unpack, unpackSized } from "./pack.ts";

describe("a packed entry of the catalogue", () => {
  it("gives back what was packed, short or long", () => {
    for (const value of [{ a: [1, "ü", null] }, { long: "x".repeat(100_000) }]) expect(unpack(pack(value))).toEqual(value);
  });

  it("is compressed where that saves units or bytes that are paid for, and tells how long it was", () => {
    for (const [worth, given] of [
      [800, undefined],
      [OBJECT_WORTH_PACKING, OBJECT_WORTH_PACKING],
    ] as const) {
      const ofLength = (length: number): string => "x".repeat(length - 2);
      expect(pack(ofLength(worth - 1), given)).toHaveLength(worth);
      expect(pack(ofLength(worth), given).length).toBeLessThan(100);
      for (const length of [10, worth]) {
        const sized = packSized(ofLength(length), worth);
        expect([sized.length, unpackSized(sized.bytes)]).toEqual([length, { value: ofLength(length), length }]);
      }
    }
  });

  it("is refused where it is packed in a way that is not known", () => {
    expect(() => unpack(new Uint8Array([9, ...pack({}).subarray(1)]))).toThrow("packed in an unknown way: 9");
  });
});
