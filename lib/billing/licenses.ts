import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

/** The license of the deployment. Its secret is kept hashed, and as it is only where a billing service has to be asked with it. */
export const License = z.object({
  key_id: z.string(),
  secret_hash: z.string(),
  secret: z.string().nullable().default(null),
  plan: z.string(),
  installed_at: z.string(),
});
export type License = z.output<typeof License>;

export const Licenses = entity({
  name: "billing-license",
  version: 1,
  schema: License,
  key: within("license", "license"),
  patterns: {},
});
