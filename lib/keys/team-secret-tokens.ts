import * as z from "zod";
import { entity } from "../table/entity.ts";
import { PARTITIONS, within } from "../table/partitions.ts";

/** The older secret of a project: no scopes, taken by the single external account only. */
export const TeamSecretToken = z.object({
  hash: z.string(),
  project_id: z.int().positive(),
  organization_id: z.guid(),
  created_at: z.string(),
});
export type TeamSecretToken = z.output<typeof TeamSecretToken>;

export const TeamSecretTokens = entity({
  name: "team-secret-token",
  version: 1,
  schema: TeamSecretToken,
  key: within("keys", PARTITIONS.keys.items.key),
  patterns: { ofProject: { index: "gsi1", pk: "project#{project_id}#secret-token", sk: "{created_at}" } },
});
