import { route } from "../../../lib/app/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { type BillingGrant, billingKey } from "../../../lib/auth/billing-access.ts";
import { readInvoiceDetails } from "../../../lib/billing/invoice-details.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { file, htmlPage, json } from "../../../lib/http/reply.ts";
import { BASE, TAGS, TeamQuery } from "../operations.ts";
import { invoiceCsv } from "./csv.ts";
import { readInvoicesIn, StatusQuery } from "./filter.ts";
import { getInvoices } from "./get-invoices.ts";
import { INVOICE_PAGE_HEADERS, invoicePage } from "./page.ts";
import { listReceivables } from "./receivables.ts";
import { refuseUpstream } from "./upstream.ts";
import { InvoiceForm, InvoiceSummary, invoiceForm, invoiceSummary } from "./wire.ts";

const shared = { method: "GET", tags: TAGS, access: billingKey("billing:read", "member") } as const;

const list = route({
  ...shared,
  path: `${BASE}/invoices/`,
  summary: "List the organization's invoices",
  description:
    "Newest first. An invoice is made a week after its period. Where another service does the billing, 404: `get_invoices` leads there.",
  query: TeamQuery.extend(StatusQuery.shape).extend(PageQuery.shape),
  reply: json(200, paginated(InvoiceSummary)),
  async handle({ query, grant, world, request }) {
    refuseUpstream(world);
    const found = await readInvoicesIn(world.table, grant.organization.id, query.status);
    const rows = found.slice(query.offset, query.offset + query.limit);
    return page(request, query, found.length, rows.map(invoiceSummary));
  },
});

const retrieve = route({
  ...shared,
  path: `${BASE}/invoices/{id}/`,
  summary: "One invoice, with its lines",
  description:
    "Subtotal less coupons, with tax and what was given back, is the total; less credit and what is carried, it is what is to be paid.",
  query: TeamQuery,
  reply: json(200, InvoiceForm),
  handle: ({ params, grant, world }) => readForm(world, grant, params.id),
});

const print = route({
  ...shared,
  path: `${BASE}/invoices/{id}/print/`,
  summary: "One invoice as a page to be printed",
  query: TeamQuery,
  reply: htmlPage(200, INVOICE_PAGE_HEADERS),
  handle: async ({ params, grant, world }) => invoicePage(await readForm(world, grant, params.id), grant.organization.name),
});

const csv = route({
  ...shared,
  path: `${BASE}/invoices/{id}/csv/`,
  summary: "One invoice as a CSV file",
  description: "A row for each line, coupon and credit: the amounts of all rows add up to what was to be paid.",
  query: TeamQuery,
  reply: file("text/csv"),
  async handle({ params, grant, world }) {
    const invoice = await readForm(world, grant, params.id);
    return { kind: "here" as const, name: `${invoice.number ?? invoice.id}.csv`, headers: {}, body: invoiceCsv(invoice) };
  },
});

/** The invoice of a caller's organization that a path names. Throws 404. */
const readForm = async (world: World, { organization }: BillingGrant, name: string): Promise<InvoiceForm> => {
  refuseUpstream(world);
  const found = await readInvoiceDetails(world.table, organization.id, name);
  if (found === undefined) throw notFound();
  return invoiceForm(found);
};

export const invoiceRoutes = [getInvoices, list, retrieve, print, csv, listReceivables];
