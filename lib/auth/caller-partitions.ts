import type { PartitionName } from "../table/partitions.ts";

/**
 * What is read of the table to know who calls and what they may reach, and what is written then: of a key its time of use, and the
 * counts of its requests.
 */
export const CALLER_PARTITIONS = {
  read: ["keys", "users", "organization", "project"],
  write: ["keys", "throttle"],
} as const satisfies Readonly<Record<string, readonly PartitionName[]>>;
