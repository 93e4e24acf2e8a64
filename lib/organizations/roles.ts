import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

/** Members of an organization who do the same work: issues are assigned to all of them at once. */
export const Roles = entity({
  name: "role",
  version: 1,
  schema: z.object({
    organization_id: z.guid(),
    id: z.guid(),
    name: z.string(),
    /** Numbers of users. One who left the organization may still stand here. */
    members: z.array(z.int()),
    created_at: z.string(),
  }),
  key: within("organization", "role#{id}", { organization: "organization_id" }),
  patterns: {},
});
export type Role = z.output<typeof Roles.schema>;
