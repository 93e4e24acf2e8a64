import { type Manifest, STATE_ENTRY } from "../../lib/lake/catalogue.ts";
import { HEAD_SK, manifestKey } from "../../lib/lake/paths.ts";
import type { Write } from "../../lib/ports/table.ts";
import { filesNamed, unpackedOnce } from "./final.ts";
import type { Ledger } from "./ledger.ts";
import type { MemoryObjects } from "./ports/objects.ts";
import { type RowLists, storedRows } from "./ports/row-files.ts";

/**
 * Tells the ledger what a transaction made the head name. It is told by the table: a process that is killed in the middle of a swap
 * has made it all the same, and commits are absorbed from then on.
 */
export const tellAbsorbed = (
  writes: readonly Write[],
  { ledger, objects, lists }: { readonly ledger: Ledger; readonly objects: MemoryObjects; readonly lists: RowLists },
  { at, actor }: { readonly at: number; readonly actor: string },
): void => {
  for (const write of writes) {
    if (write.kind !== "update" || write.key.sk !== HEAD_SK) continue;
    const project = Number(write.key.pk.slice("lake#".length));
    for (const [name, id] of Object.entries(write.change.set ?? {})) {
      if (!name.startsWith(MANIFEST)) continue;
      const entry = name.slice(MANIFEST.length);
      const bytes = objects.everything().get(manifestKey(project, entry, String(id)));
      if (bytes === undefined) continue;
      ledger.absorbed(entry, unpackedOnce(bytes), at);
      if (entry === STATE_ENTRY) continue;
      const files = filesNamed(unpackedOnce(bytes) as Manifest, objects, project);
      for (const { key } of files) ledger.named(key, actor, () => storedRows(objects.everything().get(key), lists, key));
    }
  }
};

/** What stands before an entry's name in the item of a head. */
const MANIFEST = "m:";
