import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

/** What a write answered, kept for a day under the key that its caller gave it, so that a repeated call is answered and not carried out. */
export const Replay = z.object({
  organization_id: z.guid(),
  operation: z.string(),
  /** Digest of the caller's key, which may be of any length. */
  key_hash: z.string(),
  request_hash: z.string(),
  /** The answer as JSON, compressed. */
  answer: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  expires_at: z.int(),
});
export type Replay = z.output<typeof Replay>;

export const Replays = entity({
  name: "billing-replay",
  version: 1,
  schema: Replay,
  key: within("commandReplays", "{operation}#{key_hash}", { organization: "organization_id" }),
  patterns: {},
  ttl: ({ expires_at }) => Math.ceil(expires_at / 1_000),
});
