import * as z from "zod";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";

/** How far a resource that is over its limit has come; all milliseconds since 1970. */
const QuotaState = z.object({
  /** Its data are dropped until then; null while they are not. */
  limited_until: z.int().nullable(),
  /** Nothing is dropped until then although it is over; null where there was no such grace. */
  suspended_until: z.int().nullable(),
  suspended_since: z.int().nullable(),
});
export type QuotaState = z.output<typeof QuotaState>;

/** The resources of an organization that are over their limit. A later version may have stored some that this one does not know. */
export const OrganizationQuota = z.object({
  organization_id: z.guid(),
  states: z.record(z.string(), QuotaState),
});
export type OrganizationQuota = z.output<typeof OrganizationQuota>;

export const OrganizationQuotas = entity({
  name: "organization-quota",
  version: 1,
  schema: OrganizationQuota,
  key: within("organization", "quota", { organization: "organization_id" }),
  patterns: {},
});
