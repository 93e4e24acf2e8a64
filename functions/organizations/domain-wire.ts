import * as z from "zod";
import { isoBrief } from "../../lib/core/time.ts";
import { boolean, text } from "../../lib/http/fields.ts";
import { type Domain, DomainName } from "../../lib/organizations/domains.ts";

const SSO_CHARACTERS = 28;

/** The settings of a verified domain. */
const settings = {
  jit_provisioning_enabled: boolean().optional(),
  sso_enforcement: text({ max: SSO_CHARACTERS, blank: true }).optional(),
};

/** A domain as it is named first. What only the platform decides is ignored. */
export const NewDomain = z.object({ domain: DomainName, ...settings }).meta({ id: "OrganizationDomainWrite" });

/** A domain's settings to change; its name stays. */
export const PatchedDomain = z.object(settings).meta({ id: "PatchedOrganizationDomain" });
export type PatchedDomain = z.output<typeof PatchedDomain>;

export const DomainForm = z
  .object({
    id: z.guid(),
    domain: z.string(),
    is_verified: z.boolean(),
    verified_at: z.string().nullable(),
    verification_challenge: z.string(),
    jit_provisioning_enabled: z.boolean(),
    sso_enforcement: z.string(),
    scim_base_url: z.string().nullable(),
  })
  .meta({ id: "OrganizationDomain" });

export const domainForm = (domain: Domain): z.input<typeof DomainForm> => ({
  ...domain,
  is_verified: domain.verified_at !== null,
  verified_at: domain.verified_at && isoBrief(domain.verified_at),
  // People are not brought in from a directory of the organization's.
  scim_base_url: null,
});
