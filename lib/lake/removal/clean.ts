import { getManifestRoot } from "../catalogue/manifests.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import { type Manifest, STATE_ENTRY } from "../catalogue.ts";
import { stepByStep } from "../compact.ts";
import type { Proposal } from "../compaction/gather.ts";
import { cleanStep } from "../compaction/layout.ts";
import { carryOut } from "../compaction/layout-step.ts";
import type { PartitionState } from "../compaction/partition-state.ts";
import { readHead } from "../head.ts";
import type { Policy } from "../policy.ts";

/**
 * Writes all files anew whose bytes still hold removed rows, a bounded number at a time, and lets go of what corrected commits that are gone.
 * `more` where there was no time for all of it, or others were quicker.
 */
export const cleanFiles = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  inTime: () => boolean,
): Promise<"done" | "more" | "removed"> => {
  const { manifests, removedAt } = await readHead(parts.table, project);
  if (removedAt !== null) return "removed";
  let left = false;
  for (const [partition, id] of Object.entries(manifests)) {
    if (partition === STATE_ENTRY) continue;
    if (!inTime()) return "more";
    const root = await getManifestRoot(parts.objects, project, partition, id);
    if (root !== undefined && root.removed === undefined && (root.corrections ?? []).length === 0) continue;
    const extent = { kind: "due", now: parts.clock.now() } as const;
    const { outcome } = await stepByStep(parts, policy, { project, partition }, extent, (found) => cleanProposal(parts, policy, found));
    if (outcome === "removed") return outcome;
    left ||= outcome !== "done";
  }
  return left ? "more" : "done";
};

const cleanProposal = async (
  parts: CompactParts,
  policy: Policy,
  { project, manifest, commits }: PartitionState,
): Promise<Proposal | null> => {
  if (manifest === null) return null;
  const step = cleanStep(manifest, policy);
  if (step) return carryOut(parts, { project, manifest }, step);
  const exists = new Set(commits.map(({ id }) => id));
  const stale = (manifest.corrections ?? []).filter((correction) => !correction.commits.some((id) => exists.has(id)));
  return stale.length === 0 ? null : withoutCorrections(manifest, stale);
};

const withoutCorrections = (manifest: Manifest, stale: NonNullable<Manifest["corrections"]>): Proposal => ({
  ...{ files: manifest.files, loose: manifest.loose, merged: [], sealed: manifest.sealed },
  corrections: (manifest.corrections ?? []).filter((correction) => !stale.includes(correction)),
  retired: stale.map(({ key }) => key),
});
