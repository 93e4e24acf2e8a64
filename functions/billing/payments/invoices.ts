import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { INVOICE_STATES, type Invoice, isMade, isUnpaid, readInvoices } from "../../../lib/billing/invoices.ts";
import { formatUsd } from "../../../lib/core/money.ts";
import { isoSeconds } from "../../../lib/core/time.ts";
import { isFields } from "../../../lib/event/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, portalLink, TAGS, TeamQuery } from "../operations.ts";
import { relay } from "../upstream/relay.ts";

const InvoiceForm = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    status: z.enum(INVOICE_STATES),
    period_start: z.string(),
    period_end: z.string(),
    total_usd: z.string(),
    amount_due_usd: z.string(),
    issued_at: z.string().nullable(),
    paid_at: z.string().nullable(),
  })
  .meta({ id: "BillingInvoice" });

/** How callers ask for everything that they have to pay. */
const OPEN = "open";

export const listInvoices = route({
  method: "GET",
  path: `${BASE}/get_invoices/`,
  summary: "The organization's invoices",
  description: "Newest first.",
  tags: TAGS,
  access: billingKey("billing:read", "member"),
  query: TeamQuery.extend({
    status: z.string().optional().meta({ description: "A state; `open` stands for all that are to be paid. All when left out." }),
  }),
  reply: json(200, z.object({ link: z.string().nullable(), count: z.int(), results: z.array(InvoiceForm) })),
  async handle({ query, grant, world, request }) {
    await relay(
      world,
      grant,
      { method: "GET", path: "/api/billing/get_invoices", query: { status: query.status } },
      { shape: upstreamInvoices },
    );
    const made = (await readInvoices(world.table, grant.organization.id)).filter(isMade);
    const found = made.filter((invoice) => !query.status || (query.status === OPEN ? isUnpaid(invoice) : invoice.state === query.status));
    return { link: found.length === 0 ? null : portalLink(request), count: found.length, results: found.map(invoiceForm) };
  },
});

/** The invoices of a billing service: where they are, and how many. */
const upstreamInvoices = (body: unknown) => {
  const { portal_url, count } = isFields(body) ? body : {};
  return { link: typeof portal_url === "string" ? portal_url : null, count: typeof count === "number" ? count : 0 };
};

const invoiceForm = (invoice: Invoice): z.input<typeof InvoiceForm> => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.state,
  period_start: isoSeconds(invoice.period_start),
  period_end: isoSeconds(invoice.period_end),
  total_usd: formatUsd(BigInt(invoice.subtotal_cents + invoice.returned_cents - invoice.coupon_cents + invoice.tax_cents)),
  amount_due_usd: formatUsd(BigInt(isUnpaid(invoice) ? invoice.due_cents : 0)),
  issued_at: invoice.issued_at === null ? null : isoSeconds(invoice.issued_at),
  paid_at: invoice.paid_at === null ? null : isoSeconds(invoice.paid_at),
});
