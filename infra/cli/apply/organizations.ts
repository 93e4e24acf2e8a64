import { setDroppingRules } from "../../../lib/billing/customer.ts";
import { Defect } from "../../../lib/core/unreachable.ts";
import { base62 } from "../../../lib/keys/credential.ts";
import { AccessGrants } from "../../../lib/organizations/access-grants.ts";
import { Domains, domainsOfOrganization } from "../../../lib/organizations/domains.ts";
import { OauthApplications } from "../../../lib/organizations/oauth-applications.ts";
import { Organization, Organizations, slugFor, slugMarker } from "../../../lib/organizations/organizations.ts";
import { countingIn } from "../../../lib/table/bounded-list.ts";
import * as store from "../../../lib/table/store.ts";
import { ABSENT, claiming, failedAt, transact } from "../../../lib/table/transact.ts";
import type { AccessEntry, OauthApplicationEntry, OrganizationEntry } from "./document.ts";
import { handleKey } from "./handles.ts";
import { once, readHolder } from "./once.ts";
import { isoNow, type Parts } from "./parts.ts";
import { differing } from "./same.ts";

/** Characters of the id that tell apart two organizations of one name. */
const SLUG_ENDING = 6;

/** The organization behind an entry's key, made or brought up to date. */
export const ensureOrganization = async (parts: Parts, entry: OrganizationEntry): Promise<Organization> => {
  const { table } = parts;
  const marker = handleKey("organization", entry.key);
  const id = (await readHolder(table, marker)) ?? (await makeOrganization(parts, entry));
  const organization = await store.require(table, Organizations, { id }, { consistent: true });
  const { name, settings: { never_drop_data, retain_data, ...settings } = {} } = entry;
  await setDroppingRules(table, id, {
    ...(never_drop_data !== undefined && { never_drop_data }),
    ...(retain_data !== undefined && { retain_data }),
  });
  const changes = differing<Organization>(organization, { ...stated(settings), ...(name !== undefined && { name }) });
  return changes ? store.update(table, Organizations, { id }, { set: { ...changes, updated_at: isoNow(parts) } }) : organization;
};

const makeOrganization = async (parts: Parts, entry: OrganizationEntry): Promise<string> => {
  const { table, ids } = parts;
  const id = ids.uuid();
  const now = isoNow(parts);
  const plain = slugFor(entry.name ?? entry.key);
  const taken = await readHolder(table, slugMarker(plain));
  const slug = taken === undefined ? plain : `${plain.slice(0, 48 - SLUG_ENDING - 1)}-${id.slice(-SLUG_ENDING)}`;
  const organization = Organization.parse({ id, slug, name: entry.name, created_at: now, updated_at: now });
  const { owner } = await once(table, handleKey("organization", entry.key), id, [
    store.putting(Organizations, organization, ABSENT),
    claiming(slugMarker(slug), id),
  ]);
  return owner;
};

/** The position of a domain in the transaction that makes it. */
const MADE = 0;

/** The domain, made or verified or not as stated. */
export const ensureDomain = async (
  parts: Parts,
  organization: string,
  entry: { readonly domain: string; readonly verified?: boolean | undefined },
): Promise<void> => {
  const { table, ids } = parts;
  const key = { organization_id: organization, domain: entry.domain };
  const domain = await store.get(table, Domains, key, { consistent: true });
  const verified_at = entry.verified ? (domain?.verified_at ?? isoNow(parts)) : null;
  if (domain === undefined) {
    const verification_challenge = base62(ids.secret(32));
    const made = { ...key, id: ids.uuid(), verified_at, verification_challenge, jit_provisioning_enabled: false, sso_enforcement: "" };
    const counted = await countingIn(parts, domainsOfOrganization(organization), 1);
    try {
      await transact(table, [store.putting(Domains, made, ABSENT), counted]);
    } catch (error) {
      if (!failedAt(error, MADE)) throw error;
      // Another document, or an admin, has just named it.
      await ensureDomain(parts, organization, entry);
    }
  } else if (entry.verified !== undefined && domain.verified_at !== verified_at) {
    await store.update(table, Domains, key, { set: { verified_at } });
  }
};

/** The application, made or brought up to date. */
export const ensureOauthApplication = async (parts: Parts, organizationKey: string, organization: string, entry: OauthApplicationEntry) => {
  const { table, ids } = parts;
  const marker = handleKey("oauth-application", organizationKey, entry.key);
  const now = isoNow(parts);
  const given = {
    ...(entry.name !== undefined && { name: entry.name }),
    ...(entry.redirect_uris && { redirect_uris_list: entry.redirect_uris }),
    ...(entry.is_verified !== undefined && { is_verified: entry.is_verified }),
  };
  const holder = await readHolder(table, marker);
  const fresh = {
    id: ids.uuid(),
    organization_id: organization,
    name: entry.key,
    client_id: base62(ids.secret(32)),
    redirect_uris_list: [],
    is_verified: false,
  };
  const id =
    holder ??
    (await once(table, marker, fresh.id, [store.putting(OauthApplications, { ...fresh, ...given, created: now, updated: now }, ABSENT)]))
      .owner;
  const key = { organization_id: organization, id };
  const application = await store.require(table, OauthApplications, key, { consistent: true });
  const changes = differing(application, given);
  return changes ? store.update(table, OauthApplications, key, { set: { ...changes, updated: now } }) : application;
};

/** The member's rights in the project, as stated; those that are not stated stay. */
export const ensureAccess = async (
  { table }: Parts,
  place: { readonly organization: string; readonly project: number; readonly user: number },
  entry: AccessEntry,
): Promise<void> => {
  const key = { project_id: place.project, user_id: place.user };
  const grant = await store.get(table, AccessGrants, key, { consistent: true });
  const next = {
    ...key,
    organization_id: place.organization,
    visible: entry.visible ?? grant?.visible ?? true,
    export: entry.export === undefined ? (grant?.export ?? null) : entry.export,
  };
  if (grant === undefined || differing(grant, next)) await store.put(table, AccessGrants, next);
};

/** The settings that were stated, without those that are undefined. */
const stated = (settings: Omit<NonNullable<OrganizationEntry["settings"]>, "never_drop_data" | "retain_data">): Partial<Organization> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** A name of the document that `check.ts` has made sure of. */
export const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Defect("a reference that was checked is gone");
  return value;
};
