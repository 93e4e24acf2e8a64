import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import type { Table, Write } from "../../ports/table.ts";
import { get, putting } from "../../table/store.ts";
import { ABSENT } from "../../table/transact.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { type PeriodPrices, periodPrices } from "../catalogue/period-prices.ts";
import { readPriceHistory } from "../catalogue/price-history.ts";
import type { BillingAccount } from "../customer/account.ts";
import { type Invoice, Invoices } from "../invoices.ts";
import { type Period, periodAt } from "../rating/period.ts";
import { invoiceId } from "./invoice-id.ts";

/** So long after a period's end what arrives still counts for it. */
const GRACE_MS = 48 * HOUR_MS;
/** The lake seals a month so long after its end; an invoice waits for the last month of its period. */
const SEALED_AFTER_MS = 7 * DAY_MS;

/** When the invoice of a period is made. */
export const closesAt = ({ end }: Period): number => {
  const last = new Date(end - 1);
  const monthEnd = Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1);
  return Math.max(end + GRACE_MS, monthEnd + SEALED_AFTER_MS);
};

/** The invoice on which a period's charges gather. It fixes the price list. */
export const openInvoice = (
  { organization_id }: Pick<BillingAccount, "organization_id">,
  { start, end }: Period,
  catalogue: Catalogue,
): Invoice => ({
  organization_id,
  period_start: start,
  period_end: end,
  id: invoiceId(organization_id, start),
  number: null,
  state: "open",
  catalogue_id: catalogue.id,
  days: [],
  lines: [],
  coupons: [],
  credits: [],
  subtotal_cents: 0,
  coupon_cents: 0,
  tax_cents: 0,
  credit_cents: 0,
  due_cents: 0,
  carried_cents: 0,
  returned_cents: 0,
  note: null,
  is_last: false,
  issued_at: null,
  paid_at: null,
  attempts: 0,
  due_at: closesAt({ start, end }),
  version: 1,
});

/** The prices of all periods of an account, and of the current one with what has to be written so that it has its invoice. */
export interface AccountPrices {
  readonly current: PeriodPrices;
  /** The prices of the period that a moment lies in, milliseconds since 1970. */
  at(moment: number): PeriodPrices;
  /** The writes that give each period from a moment on, and the current one, its invoice. */
  opening(from?: number): Promise<readonly Write[]>;
}

/** Reads the prices that an account's periods have had and have. */
export const readAccountPrices = async (table: Table, account: BillingAccount, now: number): Promise<AccountPrices> => {
  const { organization_id, anchor_day } = account;
  const period = periodAt(anchor_day, now);
  const invoiceOf = ({ start }: Period): Promise<Invoice | undefined> =>
    get(table, Invoices, { organization_id, period_start: start }, { consistent: true });
  const [history, invoice] = await Promise.all([readPriceHistory(table), invoiceOf(period)]);
  const current = periodPrices(history, anchor_day, period, invoice?.catalogue_id);
  const at = (moment: number): PeriodPrices =>
    moment >= period.start && moment < period.end ? current : periodPrices(history, anchor_day, periodAt(anchor_day, moment));
  return {
    current,
    at,
    async opening(from = now) {
      const writes: Write[] = [];
      for (let start = periodAt(anchor_day, from).start; start <= period.start; start = at(start).period.end) {
        const prices = at(start);
        const known = start === period.start ? invoice : await invoiceOf(prices.period);
        if (known === undefined) writes.push(putting(Invoices, openInvoice(account, prices.period, prices.catalogue), ABSENT));
      }
      return writes;
    },
  };
};
