import { dollars, total } from "../model/billing/amounts.ts";
import { balance } from "../model/billing/credit.ts";
import type { Line } from "../model/billing/late.ts";
import type { Invoice, Ledger } from "../model/billing/ledger.ts";
import type { Customer } from "./compare.ts";
import { Difference, same } from "./difference.ts";

interface SummarySent {
  readonly id: string;
  readonly status: string;
  readonly period_start: string;
  readonly subtotal_usd: string;
  readonly coupons_usd: string;
  readonly returned_usd: string;
  readonly credit_usd: string;
  readonly amount_due_usd: string;
}

interface InvoiceSent extends SummarySent {
  readonly lines: readonly {
    readonly product: string;
    readonly plan_key: string;
    readonly usage_type: string | null;
    readonly quantity: number;
    readonly amount_usd: string;
    readonly late_of: string | null;
  }[];
  readonly coupon_uses: readonly { readonly slug: string; readonly amount_usd: string }[];
  readonly credit_entries: readonly { readonly grant_id: string; readonly amount_usd: string }[];
}

const isoMonth = (moment: number): string => new Date(moment).toISOString().slice(0, 7);

/**
 * Invoices that were made say what the ledger's do, those from `fresh` on line by line; credit left is what it says. `grantIds` are in
 * the order in which the grants were made.
 */
export const compareInvoices = async (
  customer: Customer,
  ledger: Ledger,
  grantIds: readonly string[],
  { now, fresh }: { readonly now: number; readonly fresh: number },
): Promise<void> => {
  const { results } = (await customer.get("invoices/")) as { readonly results: readonly SummarySent[] };
  const sent = new Map(results.map((summary) => [isoMonth(Date.parse(summary.period_start)), summary]));
  const own = new Map(ledger.invoices.map((invoice) => [isoMonth(invoice.month.start), invoice]));
  for (const summary of results) {
    const month = isoMonth(Date.parse(summary.period_start));
    if (!own.has(month)) throw new Difference(`invoice of ${month}`, "none", summary);
  }
  for (const [place, [month, invoice]] of [...own].entries()) {
    const summary = sent.get(month);
    if (summary === undefined) {
      if (invoice.lines.some(({ cents }) => cents !== 0n)) throw new Difference(`invoice of ${month}`, invoice.lines.map(said), "none");
      continue;
    }
    if (place >= fresh) compareForm(month, invoice, (await customer.get(`invoices/${summary.id}/`)) as InvoiceSent, grantIds);
    compareSummary(month, invoice, summary);
  }
  const credit = (await customer.get("credits/overview/")) as { readonly balance_usd: string };
  same(`credit at ${new Date(now).toISOString()}`, dollars(balance(ledger.grants, now)), credit.balance_usd);
};

const UNPAID = ["issued", "overdue", "payment_failed"];

const compareSummary = (month: string, invoice: Invoice, sent: SummarySent): void => {
  const name = `invoice of ${month}`;
  const isAsked = (state: string): string => (UNPAID.includes(state) ? "unpaid" : state);
  const sums = (uses: readonly { readonly cents: bigint }[]): string => dollars(total(uses.map(({ cents }) => cents)));
  same(`${name}, subtotal`, dollars(invoice.subtotal), sent.subtotal_usd);
  same(`${name}, coupons in all`, sums(invoice.coupons), sent.coupons_usd);
  same(`${name}, credit in all`, sums(invoice.credits), sent.credit_usd);
  same(`${name}, returned`, dollars(invoice.returned), sent.returned_usd);
  same(`${name}, state`, isAsked(invoice.state), isAsked(sent.status));
  same(`${name}, due`, dollars(isAsked(invoice.state) === "unpaid" ? invoice.due : 0n), sent.amount_due_usd);
};

/** A line as both say it; one that comes to nothing need not be there. */
const said = ({ product, planKey, kind, quantity, cents, lateOf }: Line): string =>
  `${product} ${planKey} ${kind}${lateOf === null ? "" : ` of ${isoMonth(lateOf)}`}: ${quantity} for ${dollars(cents)}`;

const compareForm = (month: string, invoice: Invoice, sent: InvoiceSent, grantIds: readonly string[]): void => {
  const name = `invoice of ${month}`;
  const expected = invoice.lines.filter(({ cents }) => cents !== 0n).map(said);
  const got = sent.lines
    .filter(({ amount_usd }) => Number(amount_usd) !== 0)
    .map(({ product, plan_key, usage_type, quantity, amount_usd, late_of }) => {
      const late = late_of === null ? "" : ` of ${isoMonth(Date.parse(late_of))}`;
      return `${product} ${plan_key} ${usage_type === null ? "fee" : "use"}${late}: ${quantity} for ${amount_usd}`;
    });
  same(
    `${name}, lines`,
    expected.filter((line) => !got.includes(line)),
    got.filter((line) => !expected.includes(line)),
  );
  same(
    `${name}, coupons`,
    invoice.coupons.map(({ slug, cents }) => [slug, dollars(cents)]),
    sent.coupon_uses.map(({ slug, amount_usd }) => [slug, amount_usd]),
  );
  same(
    `${name}, credit`,
    invoice.credits.map(({ number, cents }) => [grantIds[number], dollars(cents)]),
    sent.credit_entries.map(({ grant_id, amount_usd }) => [grant_id, amount_usd]),
  );
};
