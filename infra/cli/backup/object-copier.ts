import type { NamedObject } from "../../../lib/lake/names.ts";
import type { CopiedFile } from "./backup-files.ts";
import type { ObjectCopier } from "./copy-named-objects.ts";
import type { ObjectList } from "./object-list.ts";
import type { Progress } from "./progress.ts";

/** Where a backup keeps its copies of objects. */
export interface CopyTarget {
  /** The length of the copy that is there, whoever made it. */
  bytesOf(key: string): number | undefined;
  /** What a copy is that is there and in no list; undefined where the place cannot tell. */
  identify(key: string): Promise<CopiedFile | undefined>;
  /** Copies an object as it is in the store; undefined where the store has none. */
  copy(key: string): Promise<CopiedFile | undefined>;
}

/** Copies objects for one backup. What is there from an earlier one, or from one that broke off, is not copied again. */
export const openObjectCopier = (place: CopyTarget, list: ObjectList, id: string, progress: Progress): ObjectCopier => {
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
  const copy = async (key: string, named: Pick<NamedObject, "bytes">): Promise<boolean> => {
    const file = await place.copy(key);
    if (file === undefined || (named.bytes !== undefined && named.bytes !== file.bytes)) return false;
    list.addCopy({ key, ...file });
    copied += 1;
    bytes += file.bytes;
    return true;
  };
  return {
    async copy(key, named) {
      if (!(await has(key)) && !(await copy(key, named))) return false;
      list.addName(id, key);
      there += 1;
      progress.at(`${there} objects, ${copied} of them copied now (${(bytes / BYTES_A_MEGABYTE).toFixed(1)} MB)`);
      return true;
    },
    copied: () => copied,
  };
};

const BYTES_A_MEGABYTE = 1_000_000;
