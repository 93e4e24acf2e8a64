import type { FieldBook } from "../../../lib/http/openapi.ts";
import { challengeName } from "../../../lib/organizations/domains.ts";

/** Of a setting that clients read: there are no invitations, sign-ins, experiments or models here that would go by it. */
const KEPT = "Kept and shown: nothing here goes by it.";

/** Fields that may be set, and are shown as they were set. */
const SETTINGS = {
  name: "Name of the organization, 1 to 64 characters.",
  logo_media_id: "Id of the uploaded logo; null when there is none.",
  is_member_join_email_enabled: `Whether members are told by e-mail when somebody joins. ${KEPT}`,
  enforce_2fa: `Whether members need a second factor; null when it was never decided. ${KEPT}`,
  members_can_invite: `Whether members who are no admins may invite others; null stands for the default. ${KEPT}`,
  members_can_create_projects: `Whether members who are no admins may make projects; null stands for the default. ${KEPT}`,
  members_can_use_personal_api_keys: "Whether members who are no admins may use personal API keys here.",
  allow_publicly_shared_resources: "Whether things of the organization may be shared with people who are not signed in.",
  is_ai_data_processing_approved: "Whether the organization lets language models see its data; null when it was never decided.",
  is_ai_training_opted_in: `Whether its data may be used to train models; null when it was never decided. ${KEPT}`,
  default_experiment_stats_method: `How experiments are evaluated unless they say otherwise; empty or null for no choice. ${KEPT}`,
  default_anonymize_ips: `Whether new projects discard the addresses of those who send events. ${KEPT} No address is stored but what a client sends as \`$ip\`.`,
  default_role_id: `Id of the role that new members get; null for none. ${KEPT}`,
  enforce_verified_domains:
    "Whether only members whose address belongs to a verified domain have access; an owner outside of them still sees the organization, and may change it.",
};

const DOMAIN_SETTINGS = {
  jit_provisioning_enabled: `Whether people with an address of the domain shall become members when they first sign in. ${KEPT}`,
  sso_enforcement: `The sign-in provider that people of the domain shall use; empty for any. ${KEPT}`,
};

/** Fields of organizations, their projects, domains and applications. */
export const ORGANIZATION_FIELDS: FieldBook["schemas"] = {
  Organization: {
    membership_level: "What the caller is in it: 1 member, 8 admin, 15 owner.",
    ...SETTINGS,
    id: "Id of the organization, a UUID that never changes.",
    slug: "Short name for addresses, made of the name and unique in the deployment.",
    created_at: "When the organization was made, ISO 8601 in UTC.",
    updated_at: "When it was changed last, ISO 8601 in UTC.",
    plugins_access_level: "What members may do with plugins: 0 nothing, 3 configure, 6 install, 9 everything.",
    teams: "The projects that the caller sees, with their settings.",
    projects: "The same projects in short.",
    "projects.id": "Number of the project, as it stands in paths.",
    "projects.organization_id": "Id of the organization that the project belongs to.",
    "projects.name": "Name of the project for people.",
    available_product_features: "Features that were bought for the organization; null where everything is open.",
    "available_product_features.key": "Name of the feature for programs.",
    "available_product_features.name": "Name of the feature for people.",
    metadata: "Facts of the deployment that clients read with the organization.",
    "metadata.instance_tag": "Name of the deployment's kind; `none` where it has none.",
    customer_id: "Id of the organization at the payment provider; null when there is none.",
    member_count: "How many people are members at present.",
    is_ai_training_locked: "Whether the choice about training can no longer be changed; null when that is not known.",
    is_ai_training_cta_shown: "Whether members are asked about training; null when that is not known.",
    is_hipaa: "Whether a HIPAA agreement holds for the organization.",
    is_active: "Whether the organization may be used; a deactivated one refuses every key.",
    is_not_active_reason: "Why it is deactivated, in a sentence; null while it is active.",
    is_pending_deletion: "Whether the organization is being deleted.",
  },
  OrganizationRole: {
    id: "Id of the role, a UUID: issues and rules name it as their assignee.",
    name: "Name of the role for people.",
    members: "Numbers of the users who have the role.",
  },
  OrganizationWrite: SETTINGS,
  PatchedOrganization: SETTINGS,
  ProjectSummary: {
    id: "Number of the project, as it stands in paths.",
    uuid: "Id of the project that never changes.",
    organization: "Id of the organization that the project belongs to.",
    project_id: "The same number as `id`.",
    api_token: "The project's public token (phc_…), with which events are sent.",
    name: "Name of the project for people.",
    completed_snippet_onboarding: "Whether events have arrived, so that nobody needs to be shown how.",
    has_completed_onboarding_for: "Which products were set up, by product; null when that is not kept.",
    ingested_event: "Whether the project has stored any event.",
    is_demo: "Whether the project holds demo data, which is never billed.",
    timezone: "Time zone in which days begin, such as `Europe/Berlin`.",
    access_control: "Whether access to the project is restricted beyond membership.",
  },
  AiAccessRequested: { success: "Always true: admins have been told, now or earlier today." },
  OrganizationRemoveBlockedMembersResponse: {
    success: "Always true: either all is done or nothing.",
    removed_count: "How many members were removed; 0 when the call is repeated.",
    enforce_verified_domains: "Always true: from now on the domains are insisted on.",
  },
  OrganizationDomain: {
    verification_challenge: `The text that \`${challengeName("<domain>")}\` must have as a TXT record.`,
    id: "Id of the domain's entry, a UUID.",
    domain: "The domain in lower case, such as `example.org`; subdomains are domains of their own.",
    is_verified: "Whether the organization has shown that the domain is its own.",
    verified_at: "When that was shown, ISO 8601 in UTC; null before.",
    ...DOMAIN_SETTINGS,
    scim_base_url: "Where a directory can bring people in; null when it cannot.",
  },
  OrganizationDomainWrite: {
    domain: "The domain to name, in lower case, such as `example.org`; it stays as it is from then on.",
    ...DOMAIN_SETTINGS,
  },
  PatchedOrganizationDomain: DOMAIN_SETTINGS,
  OrganizationMember: {
    user: "Who the member is.",
    level: "What they are in the organization: 1 member, 8 admin, 15 owner.",
    joined_at: "When they became a member, ISO 8601 in UTC.",
  },
  OrganizationOAuthApplication: {
    id: "Id of the application's entry, a UUID.",
    name: "Name that people are shown when they are asked for access.",
    client_id: "The id with which the application names itself; public.",
    redirect_uris_list: "Addresses to which people may be sent back after they decide.",
    is_verified: "Whether the operator has checked who is behind the application.",
    created: "When the application was made, ISO 8601 in UTC.",
    updated: "When it was changed last, ISO 8601 in UTC.",
  },
};
