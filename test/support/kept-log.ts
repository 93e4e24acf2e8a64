import type { Log } from "../../lib/ports/system.ts";

/** A log for tests that keeps its lines instead of printing them. */
export const keptLog = (): Log & { readonly lines: readonly { level: string; event: string; fields: object }[] } => {
  const lines: { level: string; event: string; fields: object }[] = [];
  return { lines, line: (level, event, fields) => void lines.push({ level, event, fields }) };
};
