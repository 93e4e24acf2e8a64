import type { CompactParts } from "../catalogue/parts.ts";
import type { FileFacts, Manifest } from "../catalogue.ts";
import type { Policy } from "../policy.ts";
import { sourceOf } from "../removals.ts";
import type { Proposal } from "./gather.ts";
import { nextStep, type Step } from "./layout.ts";
import { mergeRows } from "./merge-rows.ts";
import type { PartitionState } from "./partition-state.ts";
import type { Share } from "./share.ts";

/** Carries out the next step of a share of the layout that a partition calls for at a time; null when it is as it should be. Takes nothing of commits. */
export const runLayoutStep = async (
  parts: CompactParts,
  policy: Policy,
  { project, manifest }: Pick<PartitionState, "project" | "manifest">,
  now: number,
  share: Share,
): Promise<Proposal | null> => {
  if (manifest === null) return null;
  const step = nextStep(manifest, policy, now, share);
  return step && carryOut(parts, { project, manifest }, step);
};

/** Carries out a step of the layout of a partition. */
export const carryOut = async (
  parts: CompactParts,
  { project, manifest }: { readonly project: number; readonly manifest: Manifest },
  step: Step,
): Promise<Proposal> => {
  const written: FileFacts[] = [];
  for (const files of step.merges) {
    written.push(...(await mergeRows(parts, { project, partition: manifest.partition }, files.map(sourceOf), step.shape, step.into)));
  }
  const old = step.merges.flat();
  const [files, loose] = [without(manifest.files, old), without(manifest.loose, old)];
  return {
    files: step.into === "files" ? [...files, ...written].sort((a, b) => a.days[0] - b.days[0]) : files,
    loose: step.into === "loose" ? [...loose, ...written] : loose,
    merged: [],
    corrections: manifest.corrections ?? [],
    sealed: manifest.sealed || step.seals,
    retired: old.map(({ key }) => key),
  };
};

const without = (files: readonly FileFacts[], gone: readonly FileFacts[]): readonly FileFacts[] => {
  const keys = new Set(gone.map(({ key }) => key));
  return files.filter(({ key }) => !keys.has(key));
};
