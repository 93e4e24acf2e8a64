import * as z from "zod";
import type { Key } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { keyIn } from "../table/partitions.ts";
import { RELEASE_LAYOUT } from "./stored/layouts.ts";

/** A version of a program, as its build named it. */
export const Releases = entity({
  ...RELEASE_LAYOUT,
  schema: z.object({
    /** The project that it belongs to; `project` is the client's own name of the program. */
    team_id: z.int(),
    id: z.guid(),
    hash_id: z.string().max(128),
    created_at: z.string(),
    /** JSON text of what the client said besides. */
    metadata: z.string().nullable(),
    version: z.string(),
    project: z.string(),
  }),
});
export type Release = z.output<typeof Releases.schema>;

/** The marker that keeps a `hash_id` to one release of a project and leads to it: put it by `claiming` with the release's id. */
export const releaseHashMarker = (project: number, hash_id: string): Key => keyIn("releaseHashes", "hash", { project, hash_id });
