import * as z from "zod";
import { boolean, text, uuid } from "../../lib/http/fields.ts";

const NAME_CHARACTERS = 64;

const name = text({ max: NAME_CHARACTERS });

const settings = {
  logo_media_id: uuid().nullable().optional(),
  is_member_join_email_enabled: boolean().optional(),
  enforce_2fa: boolean().nullable().optional(),
  members_can_invite: boolean().nullable().optional(),
  members_can_create_projects: boolean().nullable().optional(),
  members_can_use_personal_api_keys: boolean().optional(),
  allow_publicly_shared_resources: boolean().optional(),
  is_ai_data_processing_approved: boolean().nullable().optional(),
  is_ai_training_opted_in: boolean().nullable().optional(),
  default_experiment_stats_method: z.enum(["bayesian", "frequentist", ""]).nullable().optional(),
  default_anonymize_ips: boolean().optional(),
  default_role_id: text({ max: 200 }).nullable().optional(),
  enforce_verified_domains: boolean().optional(),
};

/** An organization as it is made or replaced. What only the platform decides is ignored. */
export const OrganizationBody = z.object({ name, ...settings }).meta({ id: "OrganizationWrite" });

/** An organization's fields to change. */
export const PatchedOrganization = z.object({ name: name.optional(), ...settings }).meta({ id: "PatchedOrganization" });
export type PatchedOrganization = z.output<typeof PatchedOrganization>;
