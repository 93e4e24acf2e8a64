import * as z from "zod";

/** A person, as every area shows one. */
export const UserSummary = z
  .object({
    id: z.int(),
    uuid: z.guid(),
    distinct_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    is_email_verified: z.boolean(),
    hedgehog_config: z.record(z.string(), z.unknown()).nullable(),
    role_at_organization: z.string(),
  })
  .meta({ id: "UserSummary" });
