import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

/** Where a fingerprint leads that once led elsewhere: events stored before name the issue that they were linked to then. */
export const MovedFingerprints = entity({
  name: "error_tracking_moved_fingerprint",
  version: 1,
  schema: z.object({
    project: z.int(),
    fingerprint: z.string(),
    issue_id: z.guid(),
    /** The issue that it had before it was merged away: what was tied to that one goes with it when it is split off again. */
    home: z.guid().optional(),
  }),
  key: within("movedFingerprints", "fingerprint#{fingerprint}"),
  patterns: {},
});
