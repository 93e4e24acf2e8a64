import type { PartitionName } from "../table/partitions.ts";

/** What a run of a query reads of the table: saved queries, what is in the lake, and the issues that queries know as tables. */
export const RUN_PARTITIONS = [
  "project",
  "lake",
  "issues",
  "mergedIssues",
  "movedFingerprints",
] as const satisfies readonly PartitionName[];
