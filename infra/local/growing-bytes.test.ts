import { describe, expect, it } from "vitest";
import { growingBytes } from "./growing-bytes.ts";

const [MOST, ORDINARY] = [100, 10];

/** So many pieces of four bytes, each with room made for it first. */
const filled = (pieces: number) => {
  const bytes = growingBytes(MOST, ORDINARY);
  for (let piece = 0; piece < pieces; piece += 1) {
    bytes.grow(bytes.length + 5);
    bytes.add(Buffer.alloc(4, piece));
  }
  return bytes;
};
const expected = (pieces: number): readonly number[] => Array.from({ length: 4 * pieces }, (_, at) => Math.floor(at / 4));

describe("bytes that come piece by piece", () => {
  it.each([0, 1, 2, 3, 20])("are there in their order: %i pieces", (pieces) => {
    const bytes = filled(pieces);
    expect([bytes.length, bytes.capacity]).toEqual([4 * pieces, pieces === 0 ? 0 : 4 * pieces + 1]);
    expect([...bytes.copy()]).toEqual(expected(pieces));
    expect([...bytes.take()]).toEqual(expected(pieces));
    expect(bytes.capacity).toBe(0);
  });

  it.each([1, 20])("are gone when they are dropped, and a copy stays: %i pieces", (pieces) => {
    const bytes = filled(pieces);
    const copy = bytes.copy();
    bytes.drop();
    expect(bytes.capacity).toBe(0);
    expect([...copy]).toEqual(expected(pieces));
  });
});
