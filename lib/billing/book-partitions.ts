import type { PartitionName } from "../table/partitions.ts";

/** The partitions of a customer's books, of the numbers of invoices, and of what it is told of both. */
export const BOOK_PARTITIONS = [
  "billing",
  "invoices",
  "payments",
  "creditUses",
  "commandReplays",
  "sequences",
  "notices",
] as const satisfies readonly PartitionName[];
