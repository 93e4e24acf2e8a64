import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { FINGERPRINT_LAYOUT, ISSUE_FINGERPRINT_LAYOUT } from "./stored/layouts.ts";

/** Exceptions of the same fingerprint belong to one issue. Merging and splitting move it to another. */
export const Fingerprints = entity({
  ...FINGERPRINT_LAYOUT,
  schema: z.object({
    project: z.int(),
    fingerprint: z.string(),
    id: z.guid(),
    issue_id: z.guid(),
    created_at: z.string(),
    first_seen: z.string().nullable(),
    /** 0 until it is moved for the first time. */
    version: z.int(),
    /** A hidden one is in no list and no look-up, and still leads its exceptions to their issue. */
    visibility: z.enum(["shown", "hidden"]),
    /** JSON text: what the first exception's fingerprint was made of; null where that was too long to keep. */
    record: z.string().nullable(),
    /** The oldest version of the algorithm that makes it, where that is not the first. */
    grouping_version: z.enum(["v1", "v2"]).optional(),
  }),
});
export type Fingerprint = z.output<typeof Fingerprints.schema>;

/** That an issue has a fingerprint which once had another issue, in the table itself: an index may not have it yet. */
export const IssueFingerprints = entity({
  ...ISSUE_FINGERPRINT_LAYOUT,
  schema: z.object({ project: z.int(), issue_id: z.guid(), fingerprint: z.string() }),
});

/** Where a fingerprint leads that once led elsewhere: events stored before name the issue that they were linked to then. */
export const MovedFingerprints = entity({
  name: "error_tracking_moved_fingerprint",
  version: 1,
  schema: z.object({
    project: z.int(),
    fingerprint: z.string(),
    issue_id: z.guid(),
    /** The original issue, which it would have if nothing had been merged; absent where that is the one it has. */
    home: z.guid().optional(),
  }),
  key: within("movedFingerprints", "fingerprint#{fingerprint}"),
  patterns: {},
});
