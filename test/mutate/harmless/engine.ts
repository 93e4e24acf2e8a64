import type { Harmless } from "./harmless.ts";
import { EQUAL, NO_BITS, SPARES } from "./reasons.ts";

export const ENGINE: readonly Harmless[] = [
  {
    file: "lib/engine/storage/compare-rows.ts",
    line: "const MAX_NAMED = 2_000;",
    mutator: "literal",
    why: "Naming the hashes spares decoding rows; compared are the rows themselves.",
  },
  {
    file: "lib/engine/storage/compare-rows.ts",
    line: "files.filter((_, at) => places.has(at));",
    mutator: "step left out",
    why: "Files whose hashes meet none are read, too, and share no row.",
  },
  {
    file: "lib/engine/storage/compared-pairs.ts",
    line: "if (a.file.days[0] > b.days[1] || b.days[0] > a.file.days[1]) return false;",
    mutator: "literal",
    why: SPARES,
  },
  {
    file: "lib/engine/storage/compared-pairs.ts",
    line: "if (number !== undefined) segments.get(segment)?.rows.set(number, rows);",
    mutator: "condition",
    becomes: "if (true) segments.get(segment)?.rows.set(number, rows);",
    why: "What is found is of files that were asked for, and these have numbers; the types do not say so.",
  },
  {
    file: "lib/engine/storage/merge-pieces.ts",
    line: "pieces.push(...(part.plainBytes > sizes.fileBytes ? await split(database, rows, part, sizes, others) : [part]));",
    mutator: "boundary",
    why: EQUAL,
  },
  {
    file: "lib/engine/storage/merge-pieces.ts",
    line: "const sum = (days: readonly Piece[]): number => days.reduce((total, { plainBytes }) => total + plainBytes, 0);",
    mutator: "literal",
    why: EQUAL,
  },
  {
    file: "lib/engine/storage/merge-pieces.ts",
    line: "if (last && last.rows + day.rows <= mostRows && last.plainBytes + day.plainBytes <= mostBytes)",
    mutator: "boundary",
    why: EQUAL,
  },
  {
    file: "lib/engine/storage/merge.ts",
    line: "await database.copy(",
    mutator: "not awaited",
    why: "Statements of a connection run one after another: what reads the file waits for it, and fails where it was not written.",
  },
  {
    file: "lib/engine/storage/number-set.ts",
    line: "for (const number of numbers) set[number >>> 5] = (set[number >>> 5] ?? 0) | (1 << (number & 31));",
    mutator: "fallback dropped",
    why: NO_BITS,
  },
  {
    file: "lib/engine/storage/number-set.ts",
    line: "export const contains = (set: NumberSet, number: number): boolean => ((set[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;",
    mutator: "fallback dropped",
    why: NO_BITS,
  },
  {
    file: "lib/engine/storage/number-set.ts",
    line: "for (let word = 0; word < others.length; word++) if (((others[word] ?? 0) & ~(set[word] ?? 0)) !== 0) return false;",
    mutator: "literal",
    becomes: "for (let word = 0; word < others.length; word++) if (((others[word] ?? 1) & ~(set[word] ?? 0)) !== 0) return false;",
    why: "No word up to the length is missing; the types want a number.",
  },
  {
    file: "lib/engine/storage/number-set.ts",
    line: "for (let word = 0; word < others.length; word++) if (((others[word] ?? 0) & ~(set[word] ?? 0)) !== 0) return false;",
    mutator: "fallback dropped",
    why: "Where there is no number, the operators on bits take 0.",
  },
];
