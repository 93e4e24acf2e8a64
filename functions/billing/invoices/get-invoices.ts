import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { isFields } from "../../../lib/event/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, billingPage, TAGS, TeamQuery } from "../operations.ts";
import { relay } from "../upstream/relay.ts";
import { readInvoicesIn, StatusQuery } from "./filter.ts";
import { InvoiceSummary, invoiceSummary } from "./wire.ts";

const ListedInvoice = InvoiceSummary.pick({
  id: true,
  number: true,
  status: true,
  period_start: true,
  period_end: true,
  total_usd: true,
  amount_due_usd: true,
  issued_at: true,
  paid_at: true,
}).meta({ id: "BillingInvoice" });

export const getInvoices = route({
  method: "GET",
  path: `${BASE}/get_invoices/`,
  summary: "How many invoices the organization has, and where they are",
  description: "With all of them, newest first, in brief.",
  tags: TAGS,
  access: billingKey("billing:read", "member"),
  query: TeamQuery.extend(StatusQuery.shape),
  reply: json(200, z.object({ link: z.string().nullable(), count: z.int(), results: z.array(ListedInvoice) })),
  async handle({ query, grant, world, request }) {
    await relay(
      world,
      grant,
      { method: "GET", path: "/api/billing/get_invoices", query: { status: query.status } },
      { shape: upstreamInvoices },
    );
    const found = await readInvoicesIn(world.table, grant.organization.id, query.status);
    const link = found.length === 0 ? null : billingPage(request, query.team_id);
    return { link, count: found.length, results: found.map(invoiceSummary) };
  },
});

/** The invoices of a billing service: where they are, and how many. */
const upstreamInvoices = (body: unknown) => {
  const { portal_url, count } = isFields(body) ? body : {};
  return { link: typeof portal_url === "string" ? portal_url : null, count: typeof count === "number" ? count : 0 };
};
