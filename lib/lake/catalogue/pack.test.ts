import { describe, expect, it } from "vitest";
import { pack, unpack } from "./pack.ts";

describe("a packed entry of the catalogue", () => {
  it("gives back what was packed, short or long", () => {
    for (const value of [{ a: [1, "ü", null] }, { long: "x".repeat(100_000) }]) expect(unpack(pack(value))).toEqual(value);
  });

  it("is refused where it is packed in a way that is not known", () => {
    expect(() => unpack(new Uint8Array([9, ...pack({}).subarray(1)]))).toThrow("packed in an unknown way: 9");
  });
});
