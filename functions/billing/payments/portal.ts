import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { type BillingGrant, billingKey } from "../../../lib/auth/billing-access.ts";
import { readCustomerState } from "../../../lib/billing/customer-state.ts";
import { providerOf } from "../../../lib/billing/payments/provider-of.ts";
import { licenseOf } from "../../../lib/billing/upstream/license.ts";
import { isFields } from "../../../lib/event/fields.ts";
import { ApiError, bare } from "../../../lib/http/errors.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, TAGS, TeamQuery } from "../place.ts";
import { Success } from "../replies.ts";
import { callBillingService, isUpstream } from "../upstream/call-billing-service.ts";
import { passed } from "../upstream/relay.ts";

const PAGE = "text/html";
const FOUND = 302;

export const retrievePortal = route({
  method: "GET",
  path: `${BASE}/portal/`,
  summary: "Where invoices are seen and paid",
  description: "Leads browsers on; tells others the address.",
  tags: TAGS,
  access: billingKey("billing:read", "full"),
  query: TeamQuery,
  reply: { ...json(200, Success.extend({ url: z.string().nullable() })), accepts: PAGE },
  errors: [{ status: FOUND, description: "The address, for whoever accepts a page.", body: null }],
  async handle({ grant, world, request }) {
    const page = `${request.origin}/organization/billing`;
    const url = await (isUpstream(world) ? upstreamPortal(world, grant) : ownPortal(world, grant, page));
    if (!(request.headers.accept ?? "").includes(PAGE)) return { success: true as const, url };
    throw new ApiError(FOUND, null, { headers: { location: url ?? page } });
  },
});

const ownPortal = async (world: World, { organization }: BillingGrant, page: string): Promise<string | null> => {
  const { account } = await readCustomerState(world.table, organization.id);
  return providerOf(world.config, world.ids).portal(account, page);
};

/** The billing service's portal; without a license there is none. */
const upstreamPortal = async (world: World, grant: BillingGrant): Promise<string | null> => {
  const license = await licenseOf(world);
  if (license === undefined) throw bare(200, { success: true });
  const { status, body } = passed(await callBillingService(world, license, grant, { method: "GET", path: "/api/billing/portal" }));
  if (status !== 200) throw bare(status, body);
  return isFields(body) && typeof body.url === "string" ? body.url : null;
};
