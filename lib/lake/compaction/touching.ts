import { overlap } from "../../event/time-partitions.ts";
import { type FileFacts, type Manifest, totalBytes, totalRows } from "../catalogue.ts";

/** Files of a partition that share days with one another, and with no file outside. */
export interface Touching {
  readonly files: readonly FileFacts[];
  readonly loose: readonly FileFacts[];
  /** Bytes of all their rows as they are sorted. */
  readonly weight: number;
}

/** All files of a manifest in such sets, by day. Leaves that were not read are sets without files between them. */
export const touchingSets = ({ files, loose, leaves = [] }: Pick<Manifest, "files" | "loose" | "leaves">): readonly Touching[] => {
  const unread = leaves.filter(({ held }) => held === undefined);
  const tagged = [
    ...files.map((file) => ({ days: file.days, own: [file], loose: [] })),
    ...loose.map((file) => ({ days: file.days, own: [], loose: [file] })),
    ...unread.map(({ days }) => ({ days, own: [], loose: [] })),
  ];
  tagged.sort((a, b) => a.days[0] - b.days[0]);
  const sets: { days: readonly [number, number]; files: FileFacts[]; loose: FileFacts[] }[] = [];
  for (const one of tagged) {
    let last = sets.at(-1);
    if (last === undefined || !overlap(last.days, one.days)) {
      last = { days: one.days, files: [], loose: [] };
      sets.push(last);
    }
    last.days = [last.days[0], Math.max(last.days[1], one.days[1])];
    last.files.push(...one.own);
    last.loose.push(...one.loose);
  }
  return sets.map((set) => ({ files: set.files, loose: set.loose, weight: totalBytes(set.files) + totalBytes(set.loose) }));
};

/** Whether loose rows are so large a share of the files they touch, in rows and in bytes, that rewriting these is worth it. */
export const isShare = ({ files, loose }: Touching, share: number, leastRows: number): boolean =>
  totalRows(loose) >= Math.max(leastRows, share * totalRows(files)) && totalBytes(loose) >= share * totalBytes(files);
