import * as z from "zod";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { ApiError } from "../../../lib/http/errors.ts";
import { json } from "../../../lib/http/reply.ts";
import { route } from "../../../lib/http/route.ts";
import { providerOf } from "../../../lib/ledger/payments/provider-of.ts";
import { readStanding } from "../../../lib/ledger/standing.ts";
import { BASE, TAGS, TeamQuery } from "../place.ts";
import { Success } from "../replies.ts";

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
    const { account } = await readStanding(world.table, grant.organization.id);
    const page = `${request.origin}/organization/billing`;
    const url = await providerOf(world.config, world.ids).portal(account, page);
    if (!(request.headers.accept ?? "").includes(PAGE)) return { success: true as const, url };
    throw new ApiError(FOUND, null, { headers: { location: url ?? page } });
  },
});
