import type { Harmless } from "./harmless.ts";
import { EQUAL, SPARES } from "./reasons.ts";

export const EVENT: readonly Harmless[] = [
  {
    file: "lib/event/columns.ts",
    line: '{ name: "properties", kind: "text", unique: true, of: (row) => row.properties },',
    mutator: "literal",
    why: SPARES,
  },
  {
    file: "lib/event/distinct-id.ts",
    line: "if (clean.length <= MAX_CHARACTERS) return clean;",
    mutator: "condition",
    becomes: "if (false) return clean;",
    why: "A short text is given back by what cuts long ones, too, only later.",
  },
  {
    file: "lib/event/identity.ts",
    line: "const MOST_TIME_MS = 2 ** 48 - 1;",
    mutator: "literal",
    why: "No time that is read is later than the year 9999, which is less.",
  },
  {
    file: "lib/event/identity.ts",
    line: "return WHOLE[0] ?? 0n;",
    mutator: "fallback dropped",
    why: "The one place of the list is there.",
  },
  {
    file: "lib/event/payload.ts",
    line: "const saidLength = (bytes: Uint8Array): number => {",
    mutator: "function emptied",
    why: "The decoder then takes pieces of its own size, of which more are needed.",
  },
  {
    file: "lib/event/payload.ts",
    line: "const LIKELY_RATIO = 12;",
    mutator: "literal",
    why: "A guess of how large the text will be: another one takes more or fewer pieces to decompress it.",
  },
  {
    file: "lib/event/payload.ts",
    line: "Math.max(Math.min(wanted, byteLength * LIKELY_RATIO, MAX_CHUNK_BYTES), MIN_CHUNK_BYTES);",
    mutator: "first or last",
    why: "A guess of how large the text will be: another one takes more or fewer pieces to decompress it.",
  },
  {
    file: "lib/event/usage/marks.ts",
    line: "const hundredThousandths = (usd: number): number => (usd > 0 && usd <= MAX_COST ? Math.floor(Number((usd * 10 ** DIGITS).toFixed(3))) : 0);",
    mutator: "boundary",
    becomes:
      "const hundredThousandths = (usd: number): number => (usd > 0 && usd < MAX_COST ? Math.floor(Number((usd * 10 ** DIGITS).toFixed(3))) : 0);",
    why: EQUAL,
  },
  {
    file: "lib/event/usage/marks.ts",
    line: `return properties.includes('"ai_product"') ? generationMark(fieldsOf(properties)) : undefined;`,
    mutator: "condition",
    becomes: "return true ? generationMark(fieldsOf(properties)) : undefined;",
    why: SPARES,
  },
];
