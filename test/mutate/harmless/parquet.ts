import type { Harmless } from "./harmless.ts";

export const PARQUET: readonly Harmless[] = [
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "for (let i = start; i < end; i++) bytes += 4 + (values[i]?.length ?? 0);",
    mutator: "loop ended after its first turn",
    why: "A first guess at a buffer that grows.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "const most = at + 4 + text.length * 3;",
    mutator: "literal",
    becomes: "const most = at + 4 + text.length * 4;",
    why: "A buffer that grows a little earlier.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "if (present > DICTIONARY_TRIAL_ROWS && entries.length * 2 > present) return undefined;",
    mutator: "literal",
    why: "Where a dictionary ceases to be worth its while is a matter of taste.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));",
    mutator: "arithmetic",
    why: "The buffer grows more often, and is as large as it has to be.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "for (let digit = 0; digit < 16; digit++) {",
    mutator: "literal",
    becomes: "for (let digit = 1; digit < 16; digit++) {",
    why: "The place of the digit 0 holds 0 from the start.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "bytes[at++] = ((HEX[text.charCodeAt(from)] ?? 0) << 4) | (HEX[text.charCodeAt(from + 1)] ?? 0);",
    mutator: "literal",
    why: "Every character of a UUID is in the table; the types do not say so.",
  },
  {
    file: "lib/lake/parquet/parquet.ts",
    line: "const options = { params, chunkSize: Math.max(1_024, (bytes.length >> 1) + 512), pledgedSrcSize: bytes.length };",
    mutator: "first or last",
    why: "The compressor then hands out more and smaller pieces.",
  },
  {
    file: "lib/lake/parquet/segment.ts",
    line: "if (same.length > 1) same.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));",
    mutator: "condition",
    becomes: "if (true) same.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));",
    why: "One row is sorted as it stands.",
  },
];
