import { earnedColumn } from "../../event/earned-properties.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import type { FileFacts } from "../catalogue.ts";
import { earnedBy, readEarned } from "../earned-properties.ts";
import { eventFileKey } from "../paths.ts";
import type { RowSource, Shape } from "../row-files.ts";
import type { PartitionState } from "./partition-state.ts";

/**
 * Writes the rows of sources as new files of a partition. Compacted ones have columns for the properties that have earned one by now:
 * loose rows are soon written again, and taking values out of their JSON each time would cost more than all else.
 */
export const mergeRows = async (
  parts: CompactParts,
  { project, partition }: Pick<PartitionState, "project" | "partition">,
  sources: readonly RowSource[],
  shape: Shape,
  into: "files" | "loose",
): Promise<readonly FileFacts[]> => {
  const earned = into === "loose" ? [] : earnedBy(await readEarned(parts.table, project, parts.clock.now()), "event");
  const name = (): string => eventFileKey(project, partition, parts.ids.ulid());
  return parts.rowFiles.merge(project, sources, shape, name, earned.map(earnedColumn));
};
