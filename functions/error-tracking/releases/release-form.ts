import * as z from "zod";
import type { Release } from "../../../lib/error-tracking/releases.ts";
import { shortMicros } from "../timestamps.ts";

/** A release as sent. */
export const ReleaseForm = z
  .object({
    id: z.guid(),
    hash_id: z.string(),
    team_id: z.int(),
    created_at: z.string(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    version: z.string(),
    project: z.string(),
  })
  .meta({ id: "ErrorTrackingRelease" });

export const releaseForm = ({ id, hash_id, team_id, created_at, metadata, version, project }: Release): z.input<typeof ReleaseForm> => ({
  id,
  hash_id,
  team_id,
  created_at: shortMicros(created_at),
  metadata: metadata === null ? null : JSON.parse(metadata),
  version,
  project,
});
