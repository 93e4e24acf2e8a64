import { expect, it } from "vitest";
import { type Chunk, rowSlices } from "./row-slices.ts";

const COLUMNS = 400;
const ROWS = 2_048;

/** Rows of one-digit numbers, and how many of their values were read. */
const aChunk = (): { readonly chunk: Chunk; read(): number } => {
  let read = 0;
  const valueAt = (column: number, row: number): number => {
    read += 1;
    return (column + row) % 10;
  };
  return { chunk: { rowCount: ROWS, columnCount: COLUMNS, valueAt }, read: () => read };
};

it("all rows come, in order, of wide rows a few at a time", () => {
  const { chunk } = aChunk();
  const slices = [...rowSlices(chunk, { bytes: Number.POSITIVE_INFINITY })];
  expect(slices.flat().map(([first]) => first)).toEqual(Array.from({ length: ROWS }, (_, row) => row % 10));
  for (const slice of slices) expect(slice.length * COLUMNS).toBeLessThanOrEqual(20_000);
});

it("a reply that grows too large costs the values that fit, and a row more", () => {
  const { chunk, read } = aChunk();
  const room = { bytes: 100_000 };
  const taken: unknown[] = [];
  expect(() => {
    for (const slice of rowSlices(chunk, room)) taken.push(...slice);
  }).toThrow(expect.objectContaining({ code: "query_too_large" }));
  expect(JSON.stringify(taken).length).toBeLessThanOrEqual(100_000);
  expect(read()).toBeLessThanOrEqual(100_000 / 2 + COLUMNS);
});
