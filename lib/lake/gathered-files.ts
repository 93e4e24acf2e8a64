import type { Objects } from "../ports/objects.ts";
import { getManifest } from "./catalogue/manifests.ts";
import type { FileFacts } from "./catalogue.ts";

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
