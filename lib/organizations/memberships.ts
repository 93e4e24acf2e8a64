import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const Membership = z.object({
  organization_id: z.guid(),
  user_id: z.int().positive(),
  /** 1 member, 8 admin, 15 owner. */
  level: z.union([z.literal(1), z.literal(8), z.literal(15)]),
  joined_at: z.string(),
});
export type Membership = z.output<typeof Membership>;

export const Memberships = entity({
  name: "membership",
  version: 1,
  schema: Membership,
  key: within("organization", "member#{user_id}", { organization: "organization_id" }),
  patterns: { ofUser: { index: "gsi1", pk: "user#{user_id}#memberships", sk: "{joined_at}#{organization_id}" } },
});
