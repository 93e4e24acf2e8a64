import { earnedColumn } from "../../event/earned-properties.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import type { FileFacts } from "../catalogue.ts";
import { readEarned } from "../earned-properties.ts";
import { eventFileKey } from "../paths.ts";
import type { RowSource, Shape } from "../row-files.ts";
import type { PartitionState } from "./partition-state.ts";

/** Writes the rows of sources as new files of a partition, with columns for the properties that have earned one by now. */
export const mergeRows = async (
  parts: CompactParts,
  { project, partition }: Pick<PartitionState, "project" | "partition">,
  sources: readonly RowSource[],
  shape: Shape,
): Promise<readonly FileFacts[]> => {
  const earned = await readEarned(parts.table, project, parts.clock.now());
  const name = (): string => eventFileKey(project, partition, parts.ids.ulid());
  return parts.rowFiles.merge(project, sources, shape, name, earned.map(earnedColumn));
};
