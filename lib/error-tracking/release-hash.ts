import type { Key } from "../ports/table.ts";
import { keyIn } from "../table/partitions.ts";

/**
 * The marker that keeps a `hash_id` to one release of a project and leads to it: put it by `claiming` with the release's id. Apart
 * from the release's schema, which ingest does not carry.
 */
export const releaseHashOf = (project: number, hash_id: string): Key => keyIn("releaseHashes", "hash", { project, hash_id });
