import * as z from "zod";
import { NewDashboard } from "../../../functions/dashboards/bodies.ts";
import { EndpointBody } from "../../../functions/endpoints/bodies.ts";
import { CatalogueDocument } from "../../../lib/billing/catalogue-document.ts";
import { CouponCampaign } from "../../../lib/billing/coupons.ts";
import { DecimalPrice } from "../../../lib/billing/sandbox-rate-cards.ts";
import { malformedText } from "../../../lib/core/malformed-text.ts";
import { CUSTOM_PROPERTY_TYPES } from "../../../lib/customers/account-definitions.ts";
import { EXTERNAL_ID_CHARACTERS } from "../../../lib/customers/accounts.ts";
import { EndpointQuery } from "../../../lib/endpoints/definition.ts";
import { SEVERITIES } from "../../../lib/error-tracking/severities.ts";
import { SCOPES, SECRET_KEY_SCOPES } from "../../../lib/keys/scopes.ts";
import { EXPORT_LEVELS } from "../../../lib/organizations/access-grants.ts";
import { DomainName } from "../../../lib/organizations/domains.ts";
import { DESKTOP_ACCESS, type LEVELS } from "../../../lib/organizations/organizations.ts";
import { redirectAddressProblem } from "../../../lib/organizations/redirect-address.ts";
import { INTEGRATION_KINDS } from "../../../lib/projects/integrations.ts";
import { ERASED_IDS, MOST_RETENTION_MONTHS } from "../../../lib/projects/projects.ts";
import { unstorable } from "../../../lib/table/storable.ts";
import { QUOTA_RESOURCES } from "../../../lib/usage/project-quotas.ts";
import { DocumentProblem } from "./problem.ts";

/**
 * The document of `admin apply`. Only handles are required: on what exists everything else may be left out, and what must be
 * there to make something new is checked against the table (`check.ts`). Unknown names are errors, because a misspelt one would
 * otherwise be ignored in silence.
 */

const Handle = z.string().min(1).max(100);
const Label = z.string().min(1).max(40);
const Instant = z.iso.datetime({ offset: true, error: "expected a time with zone such as 2027-01-01T00:00:00Z" });
const Email = z.email("expected an e-mail address").max(254);

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const SCOPE_NAMES: ReadonlySet<string> = new Set(["*", ...SCOPES]);

const PersonalKeyEntry = z.strictObject({
  label: Label,
  scopes: z
    .array(z.string().refine((scope) => SCOPE_NAMES.has(scope), { error: (issue) => `unknown scope ${JSON.stringify(issue.input)}` }))
    .min(1, "a personal key needs at least one scope")
    .optional(),
  scoped_teams: z.array(Handle).nullish(),
  scoped_organizations: z.array(Handle).nullish(),
});

export const MemberEntry = z.strictObject({
  email: Email,
  first_name: z.string().max(150).optional(),
  last_name: z.string().max(150).optional(),
  level: z.enum(["owner", "admin", "member"] satisfies readonly (keyof typeof LEVELS)[]).optional(),
  role_at_organization: z.string().max(64).optional(),
  is_email_verified: z.boolean().optional(),
  personal_api_keys: z.array(PersonalKeyEntry).optional(),
});

const SecretKeyEntry = z.strictObject({
  label: Label,
  scopes: z
    .array(z.enum(SECRET_KEY_SCOPES, { error: (issue) => `a secret key cannot hold the scope ${JSON.stringify(issue.input)}` }))
    .optional(),
});

/** What becomes one item of the table, which has to take it. */
const storable = <S extends z.ZodType>(schema: S): S =>
  schema.superRefine((value, context) => {
    const found = unstorable(value);
    if (found !== null) context.addIssue({ code: "custom", path: [...found.way], message: found.why });
  });

export const AccountEntry = storable(
  z.strictObject({
    external_id: z.string().min(1).max(EXTERNAL_ID_CHARACTERS),
    name: z.string().max(400).optional(),
    properties: z.record(z.string(), z.json()).optional(),
    tags: z.array(z.string()).optional(),
    relationships: z.record(z.string(), z.array(Email)).optional(),
    custom_properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()).optional(),
    ignored_at: Instant.nullish(),
    churned_at: Instant.nullish(),
  }),
);

const CustomPropertyEntry = z.strictObject({ name: z.string().min(1).max(200), type: z.enum(CUSTOM_PROPERTY_TYPES).optional() });

export const IntegrationEntry = storable(
  z.strictObject({
    key: Handle,
    kind: z.enum(INTEGRATION_KINDS).optional(),
    config: z
      .object({ access_token: z.string("a token is a text").optional() })
      .catchall(z.json())
      .optional(),
  }),
);

/** A saved query, known by its name. */
export const EndpointEntry = EndpointBody.pick({
  data_freshness_seconds: true,
  engine: true,
  is_active: true,
  is_materialized: true,
  bucket_overrides: true,
  optional_breakdown_properties: true,
}).extend({
  name: z.string().min(1),
  query: EndpointQuery.optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
});

/** A page of tiles, known by its key, which is its name where none is stated. */
export const DashboardEntry = NewDashboard.extend({ key: Handle, name: NewDashboard.shape.name.optional() });

/** Who looks after an issue: a member by address, or a role by its key. */
const AssigneeEntry = z.union([z.strictObject({ member: Email }), z.strictObject({ role: Handle })]);

/** A rule of error tracking, known by its filters. */
const ruleEntry = <const O extends z.ZodRawShape>(own: O) =>
  z.strictObject({ filters: z.record(z.string(), z.json()), ...own, enabled: z.boolean().optional() });

export const RuleEntries = z.strictObject({
  grouping: z.array(ruleEntry({ assignee: AssigneeEntry.nullish(), description: z.string().nullish() })).optional(),
  severity: z.array(ruleEntry({ severity: z.enum(SEVERITIES), order_key: z.int().optional() })).optional(),
  assignment: z.array(ruleEntry({ assignee: AssigneeEntry, order_key: z.int().optional() })).optional(),
});

const QuotaMarker = z.strictObject({ limited_until: Instant.nullable() }).nullable();

export const ProjectEntry = z.strictObject({
  key: Handle,
  name: z.string().min(1).max(200).optional(),
  timezone: z.string().refine(isTimeZone, "expected a time zone such as Europe/Berlin").optional(),
  account_group_type: z.string().min(1).max(400).nullish(),
  /** Whether browsers' SDKs capture exceptions by themselves; they do unless told not to. */
  autocapture_exceptions: z.boolean().optional(),
  /** Whether late events of an erased person are dropped, or kept as those of somebody new. */
  erased_ids: z.enum(ERASED_IDS).optional(),
  /** Whole months for which events are kept besides the one that runs; null for ever. */
  retention_months: z.int().min(1).max(MOST_RETENTION_MONTHS).nullish(),
  secret_api_keys: z.array(SecretKeyEntry).optional(),
  account_relationships: z.array(z.string().min(1).max(200)).optional(),
  account_custom_properties: z.array(CustomPropertyEntry).optional(),
  accounts: z.array(AccountEntry).optional(),
  integrations: z.array(IntegrationEntry).optional(),
  endpoints: z.array(EndpointEntry).max(2_000).optional(),
  dashboards: z.array(DashboardEntry).optional(),
  error_tracking_rules: RuleEntries.optional(),
  quota: z.partialRecord(z.enum(QUOTA_RESOURCES), QuotaMarker).optional(),
});

const RedirectAddress = z.string().superRefine((address, context) => {
  const problem = redirectAddressProblem(address);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

/** Members who do the same work; the list of its members is as it is stated. */
export const RoleEntry = z.strictObject({
  key: Handle,
  name: z.string().min(1).max(200).optional(),
  /** For a role that has an id elsewhere already. */
  id: z.guid().toLowerCase().optional(),
  members: z.array(Email).max(1_000).optional(),
});

export const OauthApplicationEntry = storable(
  z.strictObject({
    key: Handle,
    name: z.string().min(1).max(255).optional(),
    redirect_uris: z.array(RedirectAddress).optional(),
    is_verified: z.boolean().optional(),
  }),
);

export const AccessEntry = z.strictObject({
  project: Handle,
  member: Email,
  visible: z.boolean().optional(),
  export: z.enum(EXPORT_LEVELS).nullish(),
});

export const OrganizationEntry = z.strictObject({
  key: Handle,
  name: z.string().min(1).max(64).optional(),
  settings: z
    .strictObject({
      owner_only_billing: z.boolean().optional(),
      member_billing_usage_spend_read_access: z.boolean().optional(),
      is_ai_data_processing_approved: z.boolean().nullish(),
      desktop_access: z.enum(DESKTOP_ACCESS).optional(),
      never_drop_data: z.boolean().optional(),
      retain_data: z.boolean().optional(),
      customer_analytics: z.boolean().optional(),
    })
    .optional(),
  domains: z.array(z.strictObject({ domain: DomainName, verified: z.boolean().optional() })).optional(),
  members: z.array(MemberEntry).optional(),
  roles: z.array(RoleEntry).optional(),
  projects: z.array(ProjectEntry).optional(),
  oauth_applications: z.array(OauthApplicationEntry).optional(),
  access: z.array(AccessEntry).optional(),
});

/** A claim's code is read without the spaces around it: with some, nobody could claim it. */
const CouponCodeEntry = z
  .string()
  .min(1)
  .max(100)
  .refine((code) => code === code.trim(), "a code neither begins nor ends with a space");

/** In days: whatever is claimed now ends in a year of four digits. */
const MAX_VALIDITY = 1_000_000;

export const CampaignEntry = z.strictObject({
  slug: z.string().min(1).max(100),
  name: z.string().min(1).max(200).optional(),
  kind: CouponCampaign.shape.kind.optional(),
  percent: z.number().positive().max(100).multipleOf(0.01).optional(),
  amount_cents: z.int().positive().optional(),
  duration: CouponCampaign.shape.duration.optional(),
  periods: z.int().positive().nullish(),
  codes: z.array(CouponCodeEntry).optional(),
  max_claims: z.int().positive().nullish(),
  redeem_by: Instant.nullish(),
  valid_days: z.int().positive().max(MAX_VALIDITY).nullish(),
  requires_subscription: z.boolean().optional(),
  products: z.array(z.string()).nullish(),
});

export const RateCardEntry = z.strictObject({
  version: z.string().min(1).max(100),
  effective_at: Instant.optional(),
  expires_at: Instant.nullish(),
  cpu_core_second_usd: DecimalPrice.optional(),
  memory_gib_second_usd: DecimalPrice.optional(),
});

export const Document = z.strictObject({
  organizations: z.array(OrganizationEntry).optional(),
  coupon_campaigns: z.array(CampaignEntry).optional(),
  sandbox_rate_cards: z.array(RateCardEntry).optional(),
  billing_catalogue: CatalogueDocument.nullish(),
});

export type Document = z.output<typeof Document>;
export type OrganizationEntry = z.output<typeof OrganizationEntry>;
export type MemberEntry = z.output<typeof MemberEntry>;
export type PersonalKeyEntry = z.output<typeof PersonalKeyEntry>;
export type ProjectEntry = z.output<typeof ProjectEntry>;
export type AccountEntry = z.output<typeof AccountEntry>;
export type IntegrationEntry = z.output<typeof IntegrationEntry>;
export type EndpointEntry = z.output<typeof EndpointEntry>;
export type DashboardEntry = z.output<typeof DashboardEntry>;
export type RuleEntries = z.output<typeof RuleEntries>;
export type AssigneeEntry = z.output<typeof AssigneeEntry>;
export type RoleEntry = z.output<typeof RoleEntry>;
export type OauthApplicationEntry = z.output<typeof OauthApplicationEntry>;
export type AccessEntry = z.output<typeof AccessEntry>;
export type CampaignEntry = z.output<typeof CampaignEntry>;
export type RateCardEntry = z.output<typeof RateCardEntry>;

/** The document, or the first thing that is wrong with its shape. */
export const parseDocument = (json: unknown): Document => {
  const malformed = malformedText(json);
  if (malformed !== null) throw new DocumentProblem(malformed, "this text holds half of a surrogate pair, which is no character");
  const parsed = Document.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new DocumentProblem([], "it cannot be read");
  if (issue.code === "unrecognized_keys") throw new DocumentProblem([...issue.path, issue.keys[0] ?? ""], "there is no such field");
  if (issue.code === "invalid_type" && isMissing(json, issue.path)) throw new DocumentProblem(issue.path, "this is required");
  throw new DocumentProblem(issue.path, issue.message);
};

const isMissing = (json: unknown, path: readonly PropertyKey[]): boolean =>
  path.reduce<unknown>((value, part) => (typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined), json) ===
  undefined;
