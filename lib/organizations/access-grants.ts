import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const EXPORT_LEVELS = ["none", "viewer", "editor"] as const;

/** The rights of one member in one project, where it differs from the default (visible). */
export const AccessGrant = z.object({
  project_id: z.int().positive(),
  user_id: z.int().positive(),
  organization_id: z.guid(),
  visible: z.boolean().default(true),
  export: z.enum(EXPORT_LEVELS).nullable().default(null),
});
export type AccessGrant = z.output<typeof AccessGrant>;

export const AccessGrants = entity({
  name: "access-grant",
  version: 1,
  schema: AccessGrant,
  key: within("project", "access#{user_id}", { project: "project_id" }),
  patterns: { ofMember: { index: "gsi1", pk: "organization#{organization_id}#access#{user_id}", sk: "{project_id}" } },
});
