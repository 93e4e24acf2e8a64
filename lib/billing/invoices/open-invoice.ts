import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import type { Table, Write } from "../../ports/table.ts";
import { get, putting } from "../../table/store.ts";
import { ABSENT } from "../../table/transact.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { catalogueById, currentCatalogue } from "../catalogue/current-catalogue.ts";
import type { BillingAccount } from "../customer/account.ts";
import { type Invoice, Invoices } from "../invoices.ts";
import { type Period, periodAt } from "../rating/period.ts";

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
  id: `in_${organization_id.replaceAll("-", "")}_${start}`,
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
  issued_at: null,
  paid_at: null,
  attempts: 0,
  due_at: closesAt({ start, end }),
  version: 1,
});

/** The price list of an account's current period, and what has to be written so that the period has its invoice. */
export const currentPrices = async (
  table: Table,
  account: BillingAccount,
  now: number,
): Promise<{ readonly catalogue: Catalogue; readonly opening: readonly Write[] }> => {
  const period = periodAt(account.anchor_day, now);
  const { organization_id } = account;
  const invoice = await get(table, Invoices, { organization_id, period_start: period.start }, { consistent: true });
  if (invoice !== undefined) return { catalogue: await catalogueById(table, invoice.catalogue_id), opening: [] };
  const catalogue = await currentCatalogue(table, now);
  return { catalogue, opening: [putting(Invoices, openInvoice(account, period, catalogue), ABSENT)] };
};
