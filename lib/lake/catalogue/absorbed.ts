import type { Commit } from "../catalogue.ts";

/** The two parallel lists of a manifest. */
export interface AbsorbedCommits {
  readonly absorbed: readonly string[];
  readonly absorbedAt: readonly number[];
}

/**
 * What a new manifest has absorbed: what the old one lists and the query still found (a deleted commit never comes back), and
 * what was merged now.
 */
export const absorbing = (
  old: AbsorbedCommits | null,
  found: readonly Commit[],
  merged: readonly Commit[],
  now: number,
): AbsorbedCommits => {
  const exists = new Set(found.map(({ id }) => id));
  const at = new Map<string, number>();
  old?.absorbed.forEach((id, position) => {
    if (exists.has(id)) at.set(id, old.absorbedAt[position] ?? now);
  });
  for (const { id } of merged) at.set(id, now);
  return { absorbed: [...at.keys()], absorbedAt: [...at.values()] };
};

/** When each commit was absorbed. */
export const absorbedTimes = (manifest: AbsorbedCommits | null | undefined): ReadonlyMap<string, number> =>
  new Map(manifest?.absorbed.map((id, position) => [id, manifest.absorbedAt[position] ?? Number.POSITIVE_INFINITY]));
