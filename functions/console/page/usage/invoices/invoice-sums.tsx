import { usdText } from "../../../parts/number/money.ts";
import type { InvoiceDetails } from "../calls.ts";

interface Sum {
  readonly name: string;
  readonly usd: string;
  /** Whether it is what those above it come to. */
  readonly isTotal?: boolean;
}

/** From the sum of an invoice's lines to what is to be paid, each amount as it is added. */
export const InvoiceSums = ({ invoice }: { readonly invoice: InvoiceDetails }) => (
  <dl class="sums">
    {sums(invoice).map(({ name, usd, isTotal }, place) => (
      <div key={place} class={isTotal ? "total" : undefined}>
        <dt>{name}</dt>
        <dd>{usdText(usd)}</dd>
      </div>
    ))}
  </dl>
);

const sums = (invoice: InvoiceDetails): readonly Sum[] => {
  const { subtotal_usd, tax_usd, total_usd, returned_usd, carried_cents, payable_usd, amount_due_usd } = invoice;
  const coupons = invoice.coupon_uses.map(({ campaign_name, amount_usd }) => ({
    name: `Coupon ${campaign_name}`,
    usd: negative(amount_usd),
  }));
  const credit = invoice.credit_entries.map(({ source, amount_usd }) => ({ name: creditName(source), usd: negative(amount_usd) }));
  const reduced = [...coupons, ...some("Tax", tax_usd), ...some("Given back as credit", returned_usd)];
  return [
    ...(reduced.length === 0 ? [] : [{ name: "Sum of the lines", usd: subtotal_usd }, ...reduced]),
    { name: "Total", usd: total_usd, isTotal: true },
    ...credit,
    ...some("Carried over to the next invoice", negative((carried_cents / 100).toFixed(2))),
    { name: "To pay", usd: payable_usd, isTotal: true },
    ...(amount_due_usd === payable_usd ? [] : [{ name: "Still to pay", usd: amount_due_usd }]),
  ];
};

const creditName = (source: string | null): string => (source === null ? "Credit" : `Credit, by ${source}`);

const isZero = (usd: string): boolean => Number(usd) === 0;
const negative = (usd: string): string => (isZero(usd) ? usd : `-${usd}`);
const some = (name: string, usd: string): readonly Sum[] => (isZero(usd) ? [] : [{ name, usd }]);
