import { overlap } from "../../event/time-partitions.ts";
import { type FileFacts, type Manifest, totalBytes, totalRows } from "../catalogue.ts";

/** Files of a partition that share days with one another, and with no file outside. */
export interface Touching {
  readonly files: readonly FileFacts[];
  readonly loose: readonly FileFacts[];
  /** Bytes of all their rows as they are sorted. */
  readonly weight: number;
}

/** All files of a manifest in such sets, by day. */
export const touchingSets = ({ files, loose }: Pick<Manifest, "files" | "loose">): readonly Touching[] => {
  const tagged = [...files.map((file) => ({ file, isLoose: false })), ...loose.map((file) => ({ file, isLoose: true }))];
  tagged.sort((a, b) => a.file.days[0] - b.file.days[0]);
  const sets: { days: readonly [number, number]; files: FileFacts[]; loose: FileFacts[] }[] = [];
  for (const { file, isLoose } of tagged) {
    let last = sets.at(-1);
    if (last === undefined || !overlap(last.days, file.days)) {
      last = { days: file.days, files: [], loose: [] };
      sets.push(last);
    }
    last.days = [last.days[0], Math.max(last.days[1], file.days[1])];
    (isLoose ? last.loose : last.files).push(file);
  }
  return sets.map((set) => ({ files: set.files, loose: set.loose, weight: totalBytes(set.files) + totalBytes(set.loose) }));
};

/** Whether loose rows are so large a share of the files they touch, in rows and in bytes, that rewriting these is worth it. */
export const isShare = ({ files, loose }: Touching, share: number, leastRows: number): boolean =>
  totalRows(loose) >= Math.max(leastRows, share * totalRows(files)) && totalBytes(loose) >= share * totalBytes(files);
