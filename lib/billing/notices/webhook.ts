import * as z from "zod";
import type { Table } from "../../ports/table.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import { get } from "../../table/store.ts";
import { EVENT_TYPES } from "./notice.ts";

/** Endpoints of one organization. */
export const MOST_WEBHOOKS = 10;

/** Where an organization has events of its billing sent. */
export const Webhook = z.object({
  id: z.guid(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  is_active: z.boolean(),
  /** What it is signed with. Kept as it is, because a digest signs nothing. */
  secret: z.string(),
  created_at: z.int(),
});
export type Webhook = z.output<typeof Webhook>;

/** All endpoints of an organization, in one item: so their number has a bound, however many are added at once. */
export const OrganizationWebhooks = z.object({
  organization_id: z.guid(),
  webhooks: z.array(Webhook).max(MOST_WEBHOOKS),
  version: z.int().min(0),
});
export type OrganizationWebhooks = z.output<typeof OrganizationWebhooks>;

export const Webhooks = entity({
  name: "billing-webhooks",
  version: 1,
  schema: OrganizationWebhooks,
  key: within("webhooks", "endpoints", { organization: "organization_id" }),
  patterns: {},
});

/** An organization's endpoints; those of one that never had any are of version 0. */
export const readOrganizationWebhooks = async (table: Table, organization_id: string): Promise<OrganizationWebhooks> =>
  (await get(table, Webhooks, { organization_id }, { consistent: true })) ?? { organization_id, webhooks: [], version: 0 };
