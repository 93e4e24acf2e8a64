import type { World } from "../../lib/app/world.ts";
import { notFound } from "../../lib/http/errors.ts";
import { type Organization, Organizations } from "../../lib/organizations/organizations.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";
import { update } from "../../lib/table/store.ts";
import type { PatchedOrganization } from "./bodies.ts";
import { checkEnforcement } from "./enforcement.ts";

/** Changes an organization's settings. Who is a member stays as it is, also when verified domains are insisted on. */
export const updateOrganization = async (
  { table, clock }: Pick<World, "table" | "clock">,
  organization: Organization,
  user: { readonly email: string },
  body: PatchedOrganization,
): Promise<Organization> => {
  if (body.enforce_verified_domains && !organization.enforce_verified_domains) await checkEnforcement(table, organization.id, user.email);
  const set: Partial<Organization> = { ...given(body), updated_at: new Date(clock.now()).toISOString() };
  try {
    return await update(table, Organizations, { id: organization.id }, { set }, { kind: "equals", attribute: "state", value: "active" });
  } catch (error) {
    if (error instanceof ConditionFailed) throw notFound();
    throw error;
  }
};

/** The fields that were sent: what the schema gives is an organization's own field, or undefined. */
const given = (body: PatchedOrganization): Partial<Organization> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
