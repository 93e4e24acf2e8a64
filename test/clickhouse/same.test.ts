import { describe, expect, it } from "vitest";
import { sameRows } from "./same.ts";

describe("sameRows", () => {
  it("holds floats apart in their last digits, and 0 and false, to be equal", () => {
    expect(sameRows([[0.1 + 0.2, false]], [[0.3, 0]], true)).toBe(true);
    expect(sameRows([[0.3001]], [[0.3]], true)).toBe(false);
  });
  it("looks at the order only when there is one", () => {
    const rows = [[1], [2], [2]];
    expect(sameRows(rows, [[2], [1], [2]], false)).toBe(true);
    expect(sameRows(rows, [[2], [1], [2]], true)).toBe(false);
    expect(sameRows(rows, [[2], [1], [1]], false)).toBe(false);
  });
  it("tells NULL from what is empty, and a number from its text", () => {
    for (const [a, b] of [
      [null, ""],
      [null, 0],
      [1, "1"],
      [[], null],
      [{ a: 1 }, { b: 1 }],
    ])
      expect(sameRows([[a]], [[b]], false)).toBe(false);
  });
});
