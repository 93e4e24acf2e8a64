import { DAY_MS, HOUR_MS, isoSeconds } from "../core/time.ts";
import { faultFields } from "../http/request-log.ts";
import { itemKey } from "../table/entity.ts";
import { keyPages, updating } from "../table/store.ts";
import { transact } from "../table/transact.ts";
import { expireGrant } from "./credit.ts";
import { CreditGrants } from "./customer/credit-grant.ts";
import { Trials } from "./customer/trial.ts";
import { type Closed, closeInvoice } from "./invoices/close-invoice.ts";
import { type InvoiceKey, Invoices, returnUses } from "./invoices.ts";
import { PaymentAuthorizations } from "./payments/authorization.ts";
import { attemptKey, collect, PaymentAttempts, type PaymentParts, pursueAttempt, releaseHold } from "./payments.ts";
import { endTrial } from "./plans.ts";

/** One thing that is due, which can be done by itself. Done before it does nothing; one that fails throws. */
export type DueStep = () => Promise<unknown>;

/** Of what is due, how much is looked up at a time. */
const PAGE = 200;

/**
 * Everything that is due now, page by page, the longest due first: trials that end, invoices to be made and collected, payments that are
 * under way, credit that has expired, and holds on cards to be given back. The steps of a page may be taken side by side; those of one
 * organization's invoices are one.
 */
export async function* dueSteps(parts: PaymentParts): AsyncGenerator<readonly DueStep[]> {
  const { table } = parts;
  const options = { to: parts.clock.now(), limit: PAGE };
  for await (const keys of keyPages(table, Trials, "due", {}, options)) yield keys.map((trial) => () => endTrial(parts, trial));
  for await (const keys of keyPages(table, Invoices, "due", {}, options)) yield invoiceSteps(parts, keys);
  for await (const keys of keyPages(table, PaymentAttempts, "due", {}, options)) {
    yield keys.map((key) => async () => pursueAttempt(parts, attemptKey(key)));
  }
  for await (const keys of keyPages(table, CreditGrants, "due", {}, options)) yield keys.map((grant) => () => expireGrant(parts, grant));
  for await (const keys of keyPages(table, PaymentAuthorizations, "held", {}, options)) {
    yield keys.map((hold) => () => releaseHold(parts, hold));
  }
}

const invoiceSteps = (
  parts: PaymentParts,
  keys: readonly { readonly organization_id: string; readonly period_start: string }[],
): readonly DueStep[] => {
  const due = keys.map(({ organization_id, period_start }): InvoiceKey => ({ organization_id, period_start: Number(period_start) }));
  const byOrganization = Map.groupBy(due, ({ organization_id }) => organization_id);
  return [...byOrganization.values()].map((invoices) => async () => {
    for (const invoice of invoices.toSorted((a, b) => a.period_start - b.period_start)) await lookAfterInvoice(parts, invoice);
  });
};

/** Makes an invoice that is not made yet, and looks after its payment. */
const lookAfterInvoice = async (parts: PaymentParts, key: InvoiceKey): Promise<void> => {
  const closed = await closeOrGoBack(parts, key);
  if (closed === "dropped") parts.log.line("info", "invoice_dropped", named(key));
  if (closed === "none" || closed === "made") await collect(parts, key);
};

/** Goes on with the making of an invoice, or its voiding. One that this fails for goes back, so that it holds up nobody. */
const closeOrGoBack = async (parts: PaymentParts, key: InvoiceKey): Promise<Closed> => {
  try {
    const closed = await closeInvoice(parts, key);
    if (closed === "none") await returnUses(parts, key);
    return closed;
  } catch (fault) {
    // Where even this fails it stays due.
    await goBack(parts, key, fault).catch(() => undefined);
    throw fault;
  }
};

const named = ({ organization_id, period_start }: InvoiceKey) => ({
  organization: organization_id,
  period_start: isoSeconds(period_start),
});

/** A failure is followed by a wait, each twice as long as the one before, at most a day. */
const FIRST_WAIT_MS = HOUR_MS;
const waitAfter = (failures: number): number => Math.min(DAY_MS, FIRST_WAIT_MS * 2 ** (failures - 1));

/** The longest reason that is kept. */
const REASON_CHARACTERS = 500;

/** Has an invoice wait, and notes why, unless somebody changed it meanwhile. It may be one that cannot even be read. */
const goBack = async ({ table, clock, log }: PaymentParts, key: InvoiceKey, fault: unknown): Promise<void> => {
  const stored = await table.get(itemKey(Invoices, key), { consistent: true });
  if (typeof stored?.due_at !== "number") return;
  const { due_at } = stored;
  const failures = (typeof stored.failures === "number" ? stored.failures : 0) + 1;
  const next = clock.now() + waitAfter(failures);
  const failure = faultFields(fault).fault.slice(0, REASON_CHARACTERS);
  await transact(table, [
    updating(
      Invoices,
      key,
      { set: { due_at: next, failures, failure }, add: { version: 1 } },
      { kind: "equals", attribute: "due_at", value: due_at },
    ),
  ]);
  log.line("error", "invoice_waits", { ...named(key), failures, until: isoSeconds(next) });
};
