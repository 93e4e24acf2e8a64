import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import type { World } from "../../lib/app/world.ts";
import { personalKey } from "../../lib/auth/access.ts";
import { ownOrganization, placeInOrganization } from "../../lib/auth/membership.ts";
import { isUpstream } from "../../lib/billing/billing-service.ts";
import { currentGrants } from "../../lib/billing/credit.ts";
import { type CustomerState, readCustomerState } from "../../lib/billing/customer.ts";
import { findLicense } from "../../lib/billing/license.ts";
import { paysServiceByUse } from "../../lib/billing/upstream-customers.ts";
import { bare } from "../../lib/http/errors.ts";
import { json } from "../../lib/http/reply.ts";
import type { Organization } from "../../lib/organizations/organizations.ts";
import type { User } from "../../lib/organizations/users.ts";

const DesktopAccess = z.object({ has_access: z.boolean(), has_loops_access: z.boolean() }).meta({ id: "LegacyDesktopAccessResponse" });

const Unavailable = z
  .object({ error: z.string(), detail: z.string(), type: z.literal("server_error"), code: z.literal("desktop_access_unavailable") })
  .meta({ id: "TaskRunErrorResponse" });

/** Any key that is valid. */
const anyKey = personalKey();

export const checkAccess = route({
  method: "GET",
  path: "/api/code/invites/check-access/",
  summary: "Whether the caller may use the desktop application",
  description: "Decided by the setting of the caller's organization, and where that says nothing by what it pays with.",
  tags: ["Code"],
  access: anyKey,
  throttle: "check",
  reply: json(200, DesktopAccess),
  errors: [{ status: 503, description: "It cannot be decided now. Try again.", body: Unavailable }],
  async handle({ grant, world }) {
    try {
      const id = await ownOrganization(world, grant.caller);
      // A restricted key outlives its owner's place in its organization.
      const place = id === undefined ? undefined : await placeInOrganization(world.table, grant.caller, id);
      const has_access = place !== undefined && (await mayUse(world, place.organization, grant.caller.user));
      return { has_access, has_loops_access: false };
    } catch (cause) {
      world.log.line("error", "desktop_access_undecided", { reason: cause instanceof Error ? cause.message : "unknown" });
      throw unavailable();
    }
  },
});

type Parts = Pick<World, "table" | "clock" | "config">;

const mayUse = async (parts: Parts, organization: Organization, user: Pick<User, "distinct_id">): Promise<boolean> => {
  switch (organization.desktop_access) {
    case "on":
      return true;
    case "off":
      return false;
    case "auto":
      return isUpstream(parts)
        ? paysUpstream(parts, organization, user)
        : paysByUse(await readCustomerState(parts.table, organization.id), parts.clock.now());
  }
};

/** Where another service does the billing it says so; whom no license makes its customer has nothing there. */
const paysUpstream = async (parts: Parts, { id, name }: Organization, { distinct_id }: Pick<User, "distinct_id">): Promise<boolean> => {
  const license = await findLicense(parts);
  return license === undefined || paysServiceByUse(parts, license, { organization_id: id, organization_name: name, distinct_id });
};

/** Whoever uses up what was given or bought before has no use of it that could be billed. */
const paysByUse = ({ account, grants }: CustomerState, now: number): boolean =>
  account.startup_label === null &&
  !currentGrants(grants, now).some(({ source, state }) => source === "purchase" && (state === "pending" || state === "active"));

const unavailable = () =>
  bare(503, {
    error: "Access to the desktop application cannot be decided now.",
    detail: "What the organization pays with could not be read. Try again in a moment.",
    type: "server_error",
    code: "desktop_access_unavailable",
  } satisfies z.input<typeof Unavailable>);
