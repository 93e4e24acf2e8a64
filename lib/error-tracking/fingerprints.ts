import * as z from "zod";
import { entity } from "../table/entity.ts";
import { FINGERPRINT_LAYOUT } from "./stored/layouts.ts";

/** What an exception is recognised by, and the issue that it leads to. Merging and splitting move it to another issue. */
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
  }),
});
export type Fingerprint = z.output<typeof Fingerprints.schema>;
