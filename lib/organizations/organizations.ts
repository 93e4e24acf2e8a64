import * as z from "zod";
import type { Key } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { keyIn, within } from "../table/partitions.ts";

/** Levels of a membership as they go over the wire. */
export const LEVELS = { member: 1, admin: 8, owner: 15 } as const;
export type LevelName = keyof typeof LEVELS;

/** The same as words, in the order of what they allow. */
export const LEVEL_NAMES = { 1: "member", 8: "admin", 15: "owner" } as const satisfies Record<(typeof LEVELS)[LevelName], LevelName>;

export const DESKTOP_ACCESS = ["auto", "on", "off"] as const;

export const Organization = z.object({
  id: z.guid(),
  name: z.string().min(1).max(64),
  slug: z.string().max(48),
  logo_media_id: z.guid().nullable().default(null),
  created_at: z.string(),
  updated_at: z.string(),
  /** `removed` is the tombstone: keys stop, readers answer 404, and a job deletes the rest. */
  state: z.enum(["active", "removed"]).default("active"),
  is_active: z.boolean().default(true),
  is_not_active_reason: z.string().nullable().default(null),
  is_member_join_email_enabled: z.boolean().default(true),
  enforce_2fa: z.boolean().nullable().default(null),
  enforce_verified_domains: z.boolean().default(false),
  /** Set while the members outside the verified domains are being removed: they count as removed from this write on. */
  removal_id: z.guid().nullable().default(null),
  /** The domains that were verified when the removal was decided: their members stay. */
  removal_domains: z.array(z.string()).default([]),
  /** Members that the removal has deleted so far. */
  removal_count: z.int().default(0),
  members_can_invite: z.boolean().nullable().default(true),
  members_can_create_projects: z.boolean().nullable().default(true),
  members_can_use_personal_api_keys: z.boolean().default(true),
  allow_publicly_shared_resources: z.boolean().default(true),
  is_ai_data_processing_approved: z.boolean().nullable().default(null),
  is_ai_training_opted_in: z.boolean().nullable().default(null),
  default_experiment_stats_method: z.enum(["bayesian", "frequentist", ""]).nullable().default("bayesian"),
  default_anonymize_ips: z.boolean().default(false),
  default_role_id: z.string().nullable().default(null),
  owner_only_billing: z.boolean().default(false),
  member_billing_usage_spend_read_access: z.boolean().default(false),
  /** Whether its projects' secret keys open external accounts. */
  customer_analytics: z.boolean().default(true),
  desktop_access: z.enum(DESKTOP_ACCESS).default("auto"),
});
export type Organization = z.output<typeof Organization>;

export const Organizations = entity({
  name: "organization",
  version: 1,
  schema: Organization,
  key: within("organization", "organization", { organization: "id" }),
  patterns: { all: { index: "gsi1", pk: "organizations", sk: "{created_at}#{id}" } },
});

/** The unique marker of a slug. */
export const slugMarker = (slug: string): Key => keyIn("slugs", "marker", { slug });

const SLUG_CHARACTERS = 48;

/** A name as a slug: lower-case letters, without the marks over them, and digits with single hyphens. */
export const slugFor = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_CHARACTERS)
    .replace(/^-+|-+$/g, "") || "organization";
