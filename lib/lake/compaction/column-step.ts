import { earnedColumn } from "../../event/earned-properties.ts";
import type { FileFacts, Manifest } from "../catalogue.ts";
import { type NamedProperty, SETTLED_MS } from "../earned-properties.ts";
import type { Step } from "./layout.ts";

/**
 * The newest compacted file that lacks the column of a property, to be written anew with the columns that there are by then; null where
 * none lacks one. Properties that were first named within a day are not waited for, nor worked for.
 */
export const columnStep = ({ files }: Pick<Manifest, "files">, earned: readonly NamedProperty[], now: number): Step | null => {
  const settled = earned.filter(({ since }) => now - since >= SETTLED_MS).map((property) => earnedColumn(property).column);
  const lacks = (file: FileFacts): boolean => settled.some((column) => file.earned?.includes(column) !== true);
  const [newest] = files.filter(lacks).sort((a, b) => b.days[1] - a.days[1]);
  return newest === undefined ? null : { merges: [[newest]], shape: "one", into: "files", seals: false };
};
