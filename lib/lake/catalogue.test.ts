import { describe, expect, it } from "vitest";
import { aFile } from "../../test/support/layouts.ts";
import { sortedBytes, totalBytes, totalRows } from "./catalogue.ts";

describe("what files take while they are sorted", () => {
  const stated = aFile("a", 10, 0, 0, { bytes: 500, plainBytes: 7_000 });
  const { plainBytes: _, ...unstated } = aFile("b", 20, 0, 0, { bytes: 500 });

  it("is what they state, else eight times what they take compressed and something for each row", () => {
    expect(sortedBytes(stated)).toBe(7_000);
    expect(sortedBytes(unstated)).toBe(8 * 500 + 300 * 20);
  });

  it("adds up", () => {
    expect([totalBytes([]), totalBytes([stated, unstated, stated])]).toEqual([0, 24_000]);
    expect([totalRows([]), totalRows([stated, unstated])]).toEqual([0, 30]);
  });
});
