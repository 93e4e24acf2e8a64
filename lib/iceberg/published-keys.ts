import { readPublications } from "../lake/published.ts";
import { readTableMetadata } from "./metadata.ts";
import { isLive, keyInStore, readEntries, readManifests } from "./snapshots/manifests.ts";
import type { PublishParts } from "./tables/tables.ts";

/** Every key that the newest snapshots of a project's published tables need, but for files of rows. What only older ones need is retired. */
export const publishedKeys = async (
  { table, objects }: Pick<PublishParts, "table" | "objects">,
  project: number,
): Promise<ReadonlySet<string>> => {
  const keys = new Set<string>();
  const add = (uri: string): unknown => keys.add(keyInStore(objects, uri));
  for (const publication of await readPublications(table, project)) {
    keys.add(publication.metadata);
    const newest = (await readTableMetadata(objects, publication)).snapshots.at(-1);
    if (newest === undefined) continue;
    add(newest["manifest-list"]);
    for (const manifest of await readManifests(objects, newest)) {
      add(manifest.manifest_path);
      if (manifest.content === 0) continue;
      for (const entry of await readEntries(objects, manifest)) if (isLive(entry)) add(entry.data_file.file_path);
    }
  }
  return keys;
};
