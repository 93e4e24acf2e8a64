import fc from "fast-check";
import { expect, it } from "vitest";
import type { Native, NativeRow } from "../native.ts";
import { rowWriter } from "./cells.ts";
import { leastBytes } from "./least-bytes.ts";

const { value: natives } = fc.letrec<{ value: Native }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Native>(null, true, false, 0, -0, 9, 10, 99.5, 999_999_999_999_999, 1e15, 1e21, 5e-324, Number.NaN, -Infinity),
    fc.double(),
    fc.integer(),
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
    fc.string({ unit: "binary" }),
    fc.record({ days: fc.integer({ min: -700_000, max: 2_900_000 }) }),
    fc.record({ micros: fc.bigInt({ min: -(2n ** 55n), max: 2n ** 57n }) }),
    fc.record({ items: fc.array(tie("value"), { maxLength: 4 }) }),
    fc.record({ fields: fc.uniqueArray(fc.tuple(fc.constantFrom("1", "2", "a"), tie("value")), { selector: ([name]) => name }) }),
    fc.record({ entries: fc.array(fc.tuple(fc.oneof(fc.integer(), fc.string()), tie("value")), { maxLength: 4 }) }),
  ),
}));

it("never says more bytes than rows take as JSON", () => {
  void fc.assert(
    fc.property(fc.array(fc.array(natives, { maxLength: 5 }), { maxLength: 5 }), (rows: NativeRow[]) => {
      const cells = rows.map(rowWriter([], "UTC"));
      const least = rows.reduce((sum, row) => sum + leastBytes(row), 0);
      expect(least).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(cells)) + rows.filter((row) => row.length === 0).length + 1);
    }),
    { numRuns: 2_000 },
  );
});

it("says what whole numbers and plain texts take, but for a bracket", () => {
  const rows: NativeRow[] = Array.from({ length: 2_000 }, (_, at) => [at, BigInt(at) * 1_000n, "x".repeat(at % 7), null, true]);
  const least = rows.reduce((sum, row) => sum + leastBytes(row), 0);
  expect(Buffer.byteLength(JSON.stringify(rows.map(rowWriter([], "UTC"))))).toBe(least + 1);
});
