import type { CompactParts } from "./catalogue/parts.ts";
import { pin, planEvents } from "./pin.ts";
import { seenSources } from "./removals.ts";

/** How many rows that readers see each of some imports has: of a row that several brought, the one whose copy stays. */
export const countImports = async (
  parts: Pick<CompactParts, "table" | "objects" | "clock" | "rowFiles">,
  project: number,
  imports: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  if (imports.length === 0) return counts;
  const pinned = await pin(parts, project, null, { events: true, state: false });
  const plan = planEvents(pinned, { from: null, to: null, events: null, distinctIds: null });
  const sources = await seenSources(parts.rowFiles, project, plan, pinned.removals);
  const skipped = new Map(sources.map(({ file, skip }) => [file.key, new Set(skip)]));
  for (const id of imports) {
    const found = await parts.rowFiles.matching(
      project,
      sources.map(({ file }) => file),
      { imports: [id] },
    );
    let rows = 0;
    for (const [key, places] of found) for (const place of places) if (!skipped.get(key)?.has(place)) rows += 1;
    counts.set(id, rows);
  }
  return counts;
};
