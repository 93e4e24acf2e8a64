import type { Harmless } from "./harmless.ts";

export const PROPERTY_TYPES: readonly Harmless[] = [
  {
    file: "lib/lake/property-types/remembered-types.ts",
    line: "const asked = [...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, answer]) => answer);",
    mutator: "boundary",
    why: "No two answers have one name.",
  },
];
