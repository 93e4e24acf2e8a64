import type { Harmless } from "./harmless.ts";
import { ABOUT } from "./reasons.ts";

export const FUNCTIONS: readonly Harmless[] = [
  { file: "functions/ingest/known-types.ts", line: "const LEAST_NAMES = 10;", mutator: "literal", why: ABOUT },
  { file: "functions/ingest/project-memory.ts", line: "presentUntil: 0,", mutator: "literal", why: "No clock shows either." },
];
