import * as z from "zod";
import { isoBrief } from "../../lib/core/time.ts";
import type { Membership } from "../../lib/organizations/memberships.ts";
import type { Organization } from "../../lib/organizations/organizations.ts";
import type { Project } from "../../lib/projects/projects.ts";

const Team = z
  .object({
    id: z.int(),
    uuid: z.guid(),
    organization: z.guid(),
    project_id: z.int(),
    api_token: z.string(),
    name: z.string(),
    completed_snippet_onboarding: z.boolean(),
    has_completed_onboarding_for: z.record(z.string(), z.boolean()).nullable(),
    ingested_event: z.boolean(),
    is_demo: z.boolean(),
    timezone: z.string(),
    access_control: z.boolean(),
  })
  .meta({ id: "ProjectSummary" });

/** An organization as one of its members sees it. */
export const OrganizationForm = z
  .object({
    id: z.guid(),
    name: z.string(),
    slug: z.string(),
    logo_media_id: z.guid().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    membership_level: z.int().nullable(),
    plugins_access_level: z.int(),
    teams: z.array(Team),
    projects: z.array(z.object({ id: z.int(), organization_id: z.guid(), name: z.string() })),
    available_product_features: z.array(z.object({ key: z.string(), name: z.string() })).nullable(),
    is_member_join_email_enabled: z.boolean(),
    metadata: z.object({ instance_tag: z.string() }),
    customer_id: z.string().nullable(),
    enforce_2fa: z.boolean().nullable(),
    members_can_invite: z.boolean().nullable(),
    members_can_create_projects: z.boolean().nullable(),
    members_can_use_personal_api_keys: z.boolean(),
    allow_publicly_shared_resources: z.boolean(),
    member_count: z.int(),
    is_ai_data_processing_approved: z.boolean().nullable(),
    is_ai_training_opted_in: z.boolean().nullable(),
    is_ai_training_locked: z.boolean().nullable(),
    is_ai_training_cta_shown: z.boolean().nullable(),
    is_hipaa: z.boolean().nullable(),
    default_experiment_stats_method: z.string().nullable(),
    default_anonymize_ips: z.boolean(),
    default_role_id: z.string().nullable(),
    is_active: z.boolean().nullable(),
    is_not_active_reason: z.string().nullable(),
    is_pending_deletion: z.boolean().nullable(),
    enforce_verified_domains: z.boolean(),
  })
  .meta({ id: "Organization" });

/** What an organization is shown with besides its own attributes. */
export interface Surroundings {
  readonly membership: Membership;
  /** Those that the member sees, by id. */
  readonly projects: readonly Project[];
  /** The projects that hold events. */
  readonly ingested: ReadonlySet<number>;
  readonly members: number;
}

/** Whoever deploys the platform owns every feature of it, so nothing is listed as bought. */
const EVERYBODY = {
  plugins_access_level: 3,
  available_product_features: null,
  metadata: { instance_tag: "none" },
  customer_id: null,
  is_ai_training_locked: null,
  is_ai_training_cta_shown: null,
  is_hipaa: false,
  is_pending_deletion: false,
};

export const organizationForm = (
  organization: Organization,
  { membership, projects, ingested, members }: Surroundings,
): z.input<typeof OrganizationForm> => ({
  ...EVERYBODY,
  ...organization,
  created_at: isoBrief(organization.created_at),
  updated_at: isoBrief(organization.updated_at),
  membership_level: membership.level,
  teams: projects.map((project) => ({
    id: project.id,
    uuid: project.uuid,
    organization: organization.id,
    project_id: project.id,
    api_token: project.api_token,
    name: project.name,
    completed_snippet_onboarding: ingested.has(project.id),
    has_completed_onboarding_for: null,
    ingested_event: ingested.has(project.id),
    is_demo: project.is_demo,
    timezone: project.timezone,
    access_control: false,
  })),
  projects: projects.map(({ id, name }) => ({ id, organization_id: organization.id, name })),
  member_count: members,
});
