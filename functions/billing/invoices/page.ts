import { hash } from "node:crypto";
import { html, type Markup } from "../../../lib/core/html.ts";
import { formatUsd } from "../../../lib/core/money.ts";
import { once } from "../../../lib/core/once.ts";
import type { InvoiceForm } from "./wire.ts";

const STYLE = `
@page { size: A4; margin: 18mm 16mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 32px 24px; max-width: 800px; color: #1a1a1a; background: #fff; font: 14px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 8px 24px; }
h1 { margin: 0; font-size: 24px; }
h2 { margin: 0 0 4px; font-size: 12px; font-weight: 400; color: #595959; }
.status { margin: 0; font-size: 16px; font-weight: 600; }
.parties { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; margin: 32px 0; }
.parties p { margin: 0; overflow-wrap: anywhere; }
.blank { min-height: 48px; border-bottom: 1px dotted #8c8c8c; }
dl { display: flex; flex-wrap: wrap; gap: 12px 32px; margin: 0 0 32px; }
dt { font-size: 12px; color: #595959; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 0 6px 16px; text-align: right; vertical-align: top; white-space: nowrap; }
th:first-child, td:first-child { padding-left: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; }
thead th { border-bottom: 1px solid #1a1a1a; font-size: 12px; font-weight: 400; color: #595959; }
tbody td { border-bottom: 1px solid #d9d9d9; }
tfoot th { font-weight: 400; }
tfoot .sum th, tfoot .sum td { border-top: 1px solid #1a1a1a; font-weight: 600; }
small { display: block; font-size: 12px; color: #595959; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
.payments, .note { margin: 32px 0 0; }
@media print { body { padding: 0; max-width: none; } }
`;

/** What the page may load is its own style sheet, known by its digest; there is no script that could run. */
export const INVOICE_PAGE_HEADERS = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
} as const;

/** An invoice as a page to be printed or kept; who issues it is left to be filled in, because a deployment has no name. */
export const invoicePage = (invoice: InvoiceForm, organization: string): string => {
  const { number, id, status, lines, payable_usd, amount_due_usd, payments, note } = invoice;
  const title = `Invoice ${number ?? id}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<header><h1>${title}</h1><p class="status">${status.replaceAll("_", " ")}</p></header>
<section class="parties">
<div><h2>From</h2><p class="blank"></p></div>
<div><h2>For</h2><p>${organization}</p></div>
</section>
<dl>
${facts(invoice).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>
<table>
<thead><tr><th scope="col">Description</th><th scope="col">Quantity</th><th scope="col">US dollars</th></tr></thead>
<tbody>
${lines.length === 0 ? html`<tr><td>Nothing was charged.</td><td></td><td>${money("0.00")}</td></tr>` : lines.map(lineRow)}
</tbody>
<tfoot>
${amounts(invoice).map(([name, amount]) => html`<tr><th scope="row" colspan="2">${name}</th><td>${money(amount)}</td></tr>`)}
<tr class="sum"><th scope="row" colspan="2">To pay</th><td>${money(payable_usd)}</td></tr>
${amount_due_usd === payable_usd ? [] : html`<tr><th scope="row" colspan="2">Still to pay</th><td>${money(amount_due_usd)}</td></tr>`}
</tfoot>
</table>
${payments.length === 0 ? [] : paymentTable(payments)}
${note === null ? [] : html`<p class="note">${note}</p>`}
</body>
</html>
`.markup;
};

const facts = ({ id, period_start, period_end, issued_at, paid_at }: InvoiceForm): readonly (readonly [string, string])[] => [
  ["Period (UTC)", `${day(period_start)} to ${lastDay(period_end)}`],
  ...(issued_at === null ? [] : [["Issued", day(issued_at)] as const]),
  ...(paid_at === null ? [] : [["Paid", day(paid_at)] as const]),
  ["Id", id],
];

const lineRow = ({ description, plan_key, quantity, unit, amount_usd, late_of }: InvoiceForm["lines"][number]): Markup =>
  html`<tr><td>${description}<small>${plan_key}${late_of === null ? "" : `, of the period from ${day(late_of)}`}</small></td><td>${
    unit === null ? "" : `${count(quantity)} ${quantity === 1 ? unit : `${unit}s`}`
  }</td><td>${money(amount_usd)}</td></tr>`;

const paymentTable = (payments: InvoiceForm["payments"]): Markup => html`<table class="payments">
<thead><tr><th scope="col">Payment</th><th scope="col">Status</th><th scope="col">US dollars</th></tr></thead>
<tbody>
${payments.map(
  ({ created_at, settled_at, status, amount_usd, refunded_usd }) =>
    html`<tr><td>${day(settled_at ?? created_at)}</td><td>${status}${
      isZero(refunded_usd) ? "" : `, ${money(refunded_usd)} refunded`
    }</td><td>${money(amount_usd)}</td></tr>`,
)}
</tbody>
</table>`;

/** From the sum of the lines to what is to be paid: each amount as it is added. */
const amounts = (invoice: InvoiceForm): readonly (readonly [string, string])[] => {
  const { subtotal_usd, coupon_uses, tax_usd, total_usd, credit_entries, returned_usd, carried_cents } = invoice;
  return [
    ["Subtotal", subtotal_usd],
    ...coupon_uses.map(({ campaign_name, amount_usd }) => [`Coupon ${campaign_name}`, `-${amount_usd}`] as const),
    ...(isZero(tax_usd) ? [] : [["Tax", tax_usd] as const]),
    ...(isZero(returned_usd) ? [] : [["Given back as credit", returned_usd] as const]),
    ["Total", total_usd],
    ...credit_entries.map(({ source, amount_usd }) => [`Credit${source === null ? "" : ` (${source})`}`, `-${amount_usd}`] as const),
    ...(carried_cents === 0 ? [] : [["Carried over to the next invoice", formatUsd(BigInt(-carried_cents))] as const]),
  ];
};

const isZero = (usd: string): boolean => usd === "0.00";

// Made for the first page: every start of the function would else wait for them.
const dollars = once(() => new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }));
const counts = once(() => new Intl.NumberFormat("en-US"));
const days = once(() => new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "long" }));

const money = (usd: string): string => dollars().format(usd as Intl.StringNumericLiteral);
const count = (units: number): string => counts().format(units);
const day = (at: string): string => days().format(new Date(at));

/** The day before the first moment after a period. */
const lastDay = (end: string): string => days().format(Date.parse(end) - 1);
