import type { NamedObject } from "../../../lib/lake/names.ts";
import type { CopiedFile } from "./backup-files.ts";
import type { Copying } from "./copy-named.ts";
import type { ObjectList } from "./object-list.ts";
import type { Progress } from "./progress.ts";

/** Where a backup keeps copies of objects. */
export interface CopyPlace {
  /** The length of the copy that is there, whoever made it. */
  bytesOf(key: string): number | undefined;
  /** What a copy is that is there and in no list; undefined where the place cannot tell. */
  identify(key: string): Promise<CopiedFile | undefined>;
  /** Copies an object as it is in the store; undefined where the store has none. */
  bring(key: string): Promise<CopiedFile | undefined>;
}

/** Takes copies to a place for one backup. What is there from an earlier one, or from one that broke off, is not copied again. */
export const openCopying = (place: CopyPlace, list: ObjectList, id: string, progress: Progress): Copying => {
  let [there, copied, bytes] = [0, 0, 0];
  const has = async (key: string): Promise<boolean> => {
    const length = place.bytesOf(key);
    if (length === undefined) return false;
    const known = list.copied(key);
    if (known !== undefined) return known.bytes === length;
    const found = await place.identify(key);
    if (found !== undefined) list.addCopy({ key, ...found });
    return found !== undefined;
  };
  const bring = async (key: string, named: Pick<NamedObject, "bytes">): Promise<boolean> => {
    const copy = await place.bring(key);
    if (copy === undefined || (named.bytes !== undefined && named.bytes !== copy.bytes)) return false;
    list.addCopy({ key, ...copy });
    copied += 1;
    bytes += copy.bytes;
    return true;
  };
  return {
    async copy(key, named) {
      if (!(await has(key)) && !(await bring(key, named))) return false;
      list.addName(id, key);
      there += 1;
      progress.at(`${there} objects, ${copied} of them copied now (${(bytes / BYTES_A_MEGABYTE).toFixed(1)} MB)`);
      return true;
    },
    copied: () => copied,
  };
};

const BYTES_A_MEGABYTE = 1_000_000;
