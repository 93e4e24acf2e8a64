import type { Harmless } from "./harmless.ts";
import { EQUAL } from "./reasons.ts";

export const USAGE: readonly Harmless[] = [
  {
    file: "lib/lake/usage/recount.ts",
    line: "const isRead = overlap(file.days, [day, day]) && rows + file.rows <= mostRows;",
    mutator: "boundary",
    why: EQUAL,
  },
];
