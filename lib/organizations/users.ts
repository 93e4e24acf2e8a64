import * as z from "zod";
import { entity } from "../table/entity.ts";
import { keyIn, within } from "../table/partitions.ts";

export const User = z.object({
  id: z.int().positive(),
  uuid: z.guid(),
  distinct_id: z.string(),
  email: z.string(),
  first_name: z.string().default(""),
  last_name: z.string().default(""),
  is_email_verified: z.boolean().default(false),
  role_at_organization: z.string().default(""),
  hedgehog_config: z.record(z.string(), z.json()).default({}),
  /** A deactivated user's keys are invalid. */
  is_active: z.boolean().default(true),
  created_at: z.string(),
});
export type User = z.output<typeof User>;

/** One user per e-mail address, with a membership in each of their organizations. */
export const Users = entity({
  name: "user",
  version: 1,
  schema: User,
  key: within("users", "user", { user: "id" }),
  patterns: {},
});

/** The unique marker of an address, which names the user's id. Addresses are compared without regard to case. */
export const emailMarker = (email: string) => keyIn("emails", "marker", { email: Buffer.from(email.toLowerCase()).toString("base64url") });
