import type { FileFacts, Manifest } from "./catalogue.ts";
import { naming, type Proposal } from "./gather.ts";
import { rewriteOf, type Selection, sealDue, sealOf, tierOf } from "./layout.ts";
import type { CompactParts } from "./parts.ts";
import type { Policy } from "./policy.ts";

/**
 * The next step for a partition whose rows are gathered: seal it, or rewrite files with what is loose, or make one of many loose
 * files; null when it is as it should be. Commits are not touched, so what was absorbed stays listed.
 */
export const tidy = async (parts: CompactParts, policy: Policy, project: number, manifest: Manifest): Promise<Proposal | null> => {
  const now = parts.clock.now();
  if (sealDue(manifest, policy, now)) return { ...(await rewrite(parts, project, manifest, sealOf(manifest, policy))), sealed: true };
  const due = rewriteOf(manifest, policy, now);
  if (due) return rewrite(parts, project, manifest, due);
  const alike = tierOf(manifest.loose, policy);
  return alike ? tier(parts, project, manifest, alike) : null;
};

const rewrite = async (parts: CompactParts, project: number, manifest: Manifest, selection: Selection): Promise<Proposal> => {
  const old = [...selection.files, ...selection.loose];
  const written = old.length === 0 ? [] : await merge(parts, project, manifest, old, "days");
  return {
    ...manifest,
    files: [...without(manifest.files, old), ...written].sort((a, b) => a.days[0] - b.days[0]),
    loose: without(manifest.loose, old),
    retired: old.map(({ key }) => key),
  };
};

const tier = async (parts: CompactParts, project: number, manifest: Manifest, alike: readonly FileFacts[]): Promise<Proposal> => ({
  ...manifest,
  loose: [...without(manifest.loose, alike), ...(await merge(parts, project, manifest, alike, "one"))],
  retired: alike.map(({ key }) => key),
});

const merge = (
  parts: CompactParts,
  project: number,
  { partition }: Manifest,
  files: readonly FileFacts[],
  shape: "one" | "days",
): Promise<readonly FileFacts[]> =>
  parts.rowFiles.merge(
    project,
    files.map((file) => ({ file, skip: [] })),
    shape,
    naming(parts, { project, partition }),
  );

const without = (files: readonly FileFacts[], gone: readonly FileFacts[]): readonly FileFacts[] => {
  const keys = new Set(gone.map(({ key }) => key));
  return files.filter(({ key }) => !keys.has(key));
};
