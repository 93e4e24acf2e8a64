import type { Objects } from "../ports/objects.ts";
import { getManifest, getStateManifest } from "./catalogue/manifests.ts";
import { type FileFacts, STATE_ENTRY, type StateFile } from "./catalogue.ts";
import { replacedRows } from "./persons/state-merge.ts";

/**
 * The files of a partition's manifest, compacted and loose, which hold no duplicates among them; undefined when the store no longer has
 * the manifest: the caller's head is too old.
 */
export const gatheredFiles = async (
  objects: Objects,
  project: number,
  partition: string,
  manifestId: string,
): Promise<readonly FileFacts[] | undefined> => {
  const manifest = await getManifest(objects, project, partition, manifestId);
  return manifest && [...manifest.files, ...manifest.loose];
};

/** The files of persons or of the identity map, and of those with rows that are not current, the places of these. */
export interface FoldedFiles {
  readonly files: readonly StateFile[];
  readonly replaced: ReadonlyMap<StateFile, readonly number[]>;
}

/** What a state manifest names of one kind; undefined as above. */
export const foldedFiles = async (
  objects: Objects,
  project: number,
  kind: "persons" | "distinctIds",
  manifestId: string,
): Promise<FoldedFiles | undefined> => {
  const state = await getStateManifest(objects, project, STATE_ENTRY, manifestId);
  return state && { files: state[kind], replaced: await replacedRows(objects, kind, state[kind]) };
};
