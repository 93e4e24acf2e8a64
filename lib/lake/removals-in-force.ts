import type { ReadParts } from "./catalogue/parts.ts";
import type { Removals } from "./catalogue.ts";
import { readHead } from "./head.ts";
import { erasedDigest, getHeadRemovals } from "./removals.ts";

/** Readings of a head whose removals were replaced a moment ago. */
const TRIES = 5;

/** The removals that the head of a project names now; null where there are none. */
export const readRemovals = async (parts: Pick<ReadParts, "table" | "objects">, project: number): Promise<Removals | null> => {
  for (let attempt = 1; ; attempt += 1) {
    const head = await readHead(parts.table, project);
    const removals = await getHeadRemovals(parts.objects, head);
    if (removals !== undefined || attempt === TRIES) return removals ?? null;
  }
};

/** Which rows are not to be stored any more: those of erased ids, and those of undone imports. */
export interface RefusedRows {
  isErased(distinctId: string): boolean;
  isUndone(importId: string): boolean;
}

/** Digests of ids that are remembered: most events of a drain are of few people. */
const MOST_REMEMBERED = 10_000;

export const refusedRows = ({ salt, erased, imports }: Removals): RefusedRows => {
  const digests = new Set(erased);
  const undone = new Set(imports.map(({ id }) => id));
  const known = new Map<string, boolean>();
  return {
    isUndone: (importId) => undone.has(importId),
    isErased(distinctId) {
      if (digests.size === 0) return false;
      const before = known.get(distinctId);
      if (before !== undefined) return before;
      const found = digests.has(erasedDigest(salt, distinctId));
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(distinctId, found);
      return found;
    },
  };
};
