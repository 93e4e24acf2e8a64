import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const OauthApplication = z.object({
  /** Time bits first, so that the list is in the order of creation. */
  id: z.guid(),
  organization_id: z.guid(),
  name: z.string().min(1).max(255),
  client_id: z.string(),
  redirect_uris_list: z.array(z.string()),
  is_verified: z.boolean().default(false),
  created: z.string(),
  updated: z.string(),
});
export type OauthApplication = z.output<typeof OauthApplication>;

export const OauthApplications = entity({
  name: "oauth-application",
  version: 1,
  schema: OauthApplication,
  key: within("organization", "oauth#{id}", { organization: "organization_id" }),
  patterns: {},
});
