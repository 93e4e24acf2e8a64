import type { ListKey, PartitionName } from "../table/partitions.ts";

/**
 * What is read of the table to know who calls and what they may reach: of a person's key the first membership, and of `@current` the first
 * project. And what is written then: of a key its time of use, and the counts of its requests.
 */
export const CALLER_PARTITIONS = {
  read: ["keys", "users", "organization", "project"],
  lists: ["user#{user}#memberships", "organization#{organization}#projects"],
  write: ["keys", "throttle"],
} as const satisfies {
  readonly read: readonly PartitionName[];
  readonly lists: readonly ListKey[];
  readonly write: readonly PartitionName[];
};

/** What a person who has no level in the whole organization was let into. */
export const ACCESS_LIST = "organization#{organization}#access#{user}";
