import * as z from "zod";
import type { Condition } from "../ports/table.ts";
import type { BoundedList } from "../table/bounded-list.ts";
import { entity } from "../table/entity.ts";
import { countThrough } from "../table/paging.ts";
import { keyIn, within } from "../table/partitions.ts";
import { unchanged } from "../table/transact.ts";

/** Where the challenge of a domain stands as a text, so that only who rules the domain can put it there. */
export const challengeName = (domain: string): string => `_analytics-challenge.${domain}`;

/** Lower case, at least two labels of letters and digits with single inner hyphens, the last one of letters only. */
const DOMAIN = /^([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}$/;

export const DomainName = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(DOMAIN, "A domain has at least two labels of lower-case letters, digits and hyphens.");

export const Domain = z.object({
  id: z.guid(),
  organization_id: z.guid(),
  domain: DomainName,
  verified_at: z.string().nullable(),
  verification_challenge: z.string(),
  jit_provisioning_enabled: z.boolean().default(false),
  sso_enforcement: z.string().default(""),
});
export type Domain = z.output<typeof Domain>;

export const Domains = entity({
  name: "domain",
  version: 1,
  schema: Domain,
  key: within("organization", "domain#{domain}", { organization: "organization_id" }),
  patterns: {},
});

/** Whether a domain is still the one that was read, and verified or not as it was: a name that was forgotten may be named again. */
export const asRead = (domain: Domain): Condition => unchanged(domain, "id", "verified_at");

/** Domains that one organization may name. */
const MOST_DOMAINS = 100;

/** The domains of an organization. */
export const domainsOfOrganization = (organization: string): BoundedList => ({
  counter: keyIn("domainCount", "count", { organization }),
  most: MOST_DOMAINS,
  full: `An organization names at most ${MOST_DOMAINS} domains. Delete one first.`,
  recount: (table) => countThrough(table, Domains, "key", { organization_id: organization }),
});
