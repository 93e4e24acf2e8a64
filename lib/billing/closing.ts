import type { Ports } from "../ports/ports.ts";
import { page } from "../table/store.ts";
import type { BillingParts } from "./commands.ts";
import { expireGrant } from "./credit.ts";
import { CreditGrants } from "./customer/credit-grant.ts";
import { Trials } from "./customer/trial.ts";
import { closeInvoice } from "./invoices/close-invoice.ts";
import { type InvoiceKey, Invoices } from "./invoices.ts";
import { PaymentAuthorizations } from "./payments/authorization.ts";
import { collect, releaseHold } from "./payments.ts";
import { endTrial } from "./plans.ts";

type Parts = BillingParts & Pick<Ports, "config">;

/** Of each kind, how much is done in one run: what is left is found by the next. */
const BATCH = 100;

/**
 * Everything that is due now, each as a step that can be taken by itself, the longest due first: trials that end, invoices to be made and collected,
 * credit that has expired, and holds on cards to be given back. A step that was taken before does nothing; one that fails throws.
 */
export const dueSteps = async (parts: Parts): Promise<readonly (() => Promise<unknown>)[]> => {
  const { table } = parts;
  const to = parts.clock.now();
  const [trials, invoices, grants, holds] = await Promise.all([
    page(table, Trials, "due", {}, { to, limit: BATCH }),
    page(table, Invoices, "due", {}, { to, limit: BATCH }),
    page(table, CreditGrants, "due", {}, { to, limit: BATCH }),
    page(table, PaymentAuthorizations, "held", {}, { to, limit: BATCH }),
  ]);
  return [
    ...trials.items.map((trial) => () => endTrial(parts, trial)),
    ...invoices.items.map((invoice) => () => closeAndCollect(parts, invoice)),
    ...grants.items.map((grant) => () => expireGrant(parts, grant)),
    ...holds.items.map((hold) => () => releaseHold(parts, hold)),
  ];
};

/** Makes an invoice that is not made yet, and looks after its payment. */
const closeAndCollect = async (parts: Parts, key: InvoiceKey): Promise<void> => {
  await closeInvoice(parts, key);
  await collect(parts, key);
};
