import type { Harmless } from "./harmless.ts";

export const INTAKE: readonly Harmless[] = [
  {
    file: "lib/event/identity.ts",
    line: "const known = place === undefined ? undefined : sameIdentity(kept, [place, ...collided], row);",
    mutator: "condition",
    becomes: "const known = false ? undefined : sameIdentity(kept, [place, ...collided], row);",
    why: "No row that was kept has the hash of one without a place: looking for it finds nothing, only later.",
  },
  {
    file: "lib/lake/rows.ts",
    line: 'const distinctId = readDistinctId(raw) ?? "";',
    mutator: "fallback dropped",
    why: "Capture refuses an event without a distinct_id.",
  },
];
