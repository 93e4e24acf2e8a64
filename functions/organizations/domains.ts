import type { World } from "../../lib/app/world.ts";
import type { OrganizationGrant } from "../../lib/auth/access.ts";
import { invalid, notFound } from "../../lib/http/errors.ts";
import { base62 } from "../../lib/keys/credential.ts";
import { emailDomain } from "../../lib/organizations/blocked-members.ts";
import { asRead, challengeName, type Domain, Domains, domainsOfOrganization } from "../../lib/organizations/domains.ts";
import { Organizations } from "../../lib/organizations/organizations.ts";
import { type Condition, ConditionFailed, type Table } from "../../lib/ports/table.ts";
import { addToList, takeFromList } from "../../lib/table/bounded-list.ts";
import { itemKey } from "../../lib/table/entity.ts";
import { list, putting, removing, update } from "../../lib/table/store.ts";
import { ABSENT, failedAt } from "../../lib/table/transact.ts";
import { untilWritten } from "../../lib/table/until-written.ts";
import type { PatchedDomain } from "./domain-wire.ts";

const CHALLENGE_BYTES = 32;

const INSISTS_ON_NONE: Condition = {
  kind: "any",
  of: [
    { kind: "lacks", attribute: "enforce_verified_domains" },
    { kind: "equals", attribute: "enforce_verified_domains", value: false },
  ],
};

/** A domain of the organization, by its id. Throws 404. */
export const domainWith = async (table: Table, organization: string, id: string): Promise<Domain> => {
  const domains = await list(table, Domains, "key", { organization_id: organization }, { consistent: true });
  const domain = domains.find((each) => each.id === id.toLowerCase());
  if (domain === undefined) throw notFound();
  return domain;
};

/** Tries of a change while others change the same domain. */
const TRIES = 5;

/** Changes a domain of the organization as it is now: again where it was verified, or named anew, since it was read. Throws 404. */
export const changingDomain = <Result>(
  table: Table,
  { organization, id }: { readonly organization: string; readonly id: string },
  change: (domain: Domain) => Promise<Result>,
): Promise<Result> => untilWritten({ most: TRIES }, async () => change(await domainWith(table, organization, id)));

/** Names a domain, which is not verified yet. Throws `ListFull`. */
export const createDomain = async (
  parts: Pick<World, "table" | "ids" | "clock">,
  organization_id: string,
  { domain, ...settings }: PatchedDomain & { readonly domain: string },
): Promise<Domain> => {
  checkSettings(settings, { verified_at: null });
  const { ids } = parts;
  const made: Domain = {
    id: ids.uuid(),
    organization_id,
    domain,
    verified_at: null,
    verification_challenge: base62(ids.secret(CHALLENGE_BYTES)),
    jit_provisioning_enabled: false,
    sso_enforcement: "",
  };
  try {
    await addToList(parts, domainsOfOrganization(organization_id), [putting(Domains, made, ABSENT)]);
  } catch (error) {
    if (error instanceof ConditionFailed) throw invalid("domain", "This organization has named this domain already.", "unique");
    throw error;
  }
  return made;
};

export const changeDomain = async (table: Table, domain: Domain, settings: PatchedDomain): Promise<Domain> => {
  checkSettings(settings, domain);
  const { jit_provisioning_enabled, sso_enforcement } = settings;
  return changed(table, domain, {
    ...(jit_provisioning_enabled !== undefined && { jit_provisioning_enabled }),
    ...(sso_enforcement !== undefined && { sso_enforcement }),
  });
};

/** Looks for the challenge where only who rules the domain can put it; until it is there the domain stays as it is. */
export const verifyDomain = async ({ table, clock, dns }: Pick<World, "table" | "clock" | "dns">, domain: Domain): Promise<Domain> => {
  if (domain.verified_at !== null) throw invalid(null, "This domain is verified already.", "already_verified");
  const texts = await dns.texts(challengeName(domain.domain));
  if (!texts.includes(domain.verification_challenge)) return domain;
  return changed(table, domain, { verified_at: new Date(clock.now()).toISOString() });
};

/** The position of what holds a domain's organization to insist on none, where whoever forgets it is of it. */
const OPEN = 1;

/** Forgets a domain, unless whoever asks would be kept out without it. */
export const deleteDomain = async (
  parts: Pick<World, "table" | "clock">,
  domain: Domain,
  { organization, caller }: OrganizationGrant,
): Promise<void> => {
  const isTheirs = domain.verified_at !== null && domain.domain === emailDomain(caller.user.email);
  const open = { kind: "check", key: itemKey(Organizations, organization), when: INSISTS_ON_NONE } as const;
  try {
    await takeFromList(parts, domainsOfOrganization(organization.id), [
      removing(Domains, domain, asRead(domain)),
      ...(isTheirs ? [open] : []),
    ]);
  } catch (error) {
    if (!(isTheirs && failedAt(error, OPEN))) throw error;
    throw invalid(
      null,
      "Your own e-mail address is of this domain, so you would lose access. Turn enforce_verified_domains off first.",
      "would_block_self",
    );
  }
};

const changed = (table: Table, domain: Domain, set: Partial<Domain>): Promise<Domain> =>
  update(table, Domains, domain, { set }, asRead(domain));

/** Who signs in how is decided for a domain that is the organization's. */
const checkSettings = (settings: PatchedDomain, { verified_at }: Pick<Domain, "verified_at">): void => {
  if (verified_at !== null) return;
  const attr = settings.jit_provisioning_enabled ? "jit_provisioning_enabled" : settings.sso_enforcement ? "sso_enforcement" : undefined;
  if (attr !== undefined) throw invalid(attr, "Verify the domain first.", "verification_required");
};
