import type { World } from "../../lib/app/world.ts";
import { expireGrant } from "../../lib/billing/credit/expire-grant.ts";
import { CreditGrants } from "../../lib/billing/credits.ts";
import { type ClosingParts, closeInvoice, type InvoiceKey } from "../../lib/billing/invoices/close-invoice.ts";
import { Invoices } from "../../lib/billing/invoices.ts";
import { collect } from "../../lib/billing/payments/collect.ts";
import { providerOf } from "../../lib/billing/payments/provider-of.ts";
import { releaseHold } from "../../lib/billing/payments/release-hold.ts";
import { PaymentAuthorizations } from "../../lib/billing/payments.ts";
import { endTrial } from "../../lib/billing/subscriptions/end-trial.ts";
import { Trials } from "../../lib/billing/trials.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { faultFields } from "../../lib/http/request-log.ts";
import { schedule } from "../../lib/lambda/schedule.ts";
import type { Budget } from "../../lib/ports/budget.ts";
import { page } from "../../lib/table/store.ts";
import { reportDays } from "./report-usage.ts";

/** Makes the invoices of periods that are over, looks after those that nobody pays, ends trials, writes off credit that has expired, gives back what cards still hold, and reports usage. */
export const closing = schedule({
  name: "closing",
  every: "1 hour",
  // The books of a customer.
  uses: { table: ["billing", "invoices", "payments", "creditUses", "commandReplays"], objects: { read: ["usage"] } },
  settings: ["payments"],
  timeoutSeconds: 300,
  async run(world: World, budget: Budget): Promise<void> {
    try {
      await closeDue(world, budget);
    } finally {
      await reportDays(world, budget);
    }
  },
});

/** Due at once and done in one run: what is left is found by the next. */
const BATCH = 100;

/** Left for the run to end in, milliseconds. */
const RESERVE_MS = 10_000;

/** Does what is due now, the longest due first. One that fails holds up nobody: its line is in the log, and the next run tries again; this one is told to have failed. */
export const closeDue = async (world: ClosingParts & Pick<World, "log" | "config">, budget: Budget): Promise<void> => {
  const to = world.clock.now();
  const [invoices, trials, grants, holds] = await Promise.all([
    page(world.table, Invoices, "due", {}, { to, limit: BATCH }),
    page(world.table, Trials, "due", {}, { to, limit: BATCH }),
    page(world.table, CreditGrants, "due", {}, { to, limit: BATCH }),
    page(world.table, PaymentAuthorizations, "held", {}, { to, limit: BATCH }),
  ]);
  const steps = [
    ...trials.items.map((trial) => () => endTrial(world, trial)),
    ...invoices.items.map((invoice) => () => closeAndCollect(world, invoice)),
    ...grants.items.map((grant) => () => expireGrant(world, grant)),
    ...holds.items.map((hold) => () => releaseHold(world, providerOf(world.config, world.ids), hold)),
  ];
  let failed = 0;
  for (const step of steps) {
    if (budget.remainingMs() < RESERVE_MS) break;
    await step().catch((fault: unknown) => {
      failed += 1;
      world.log.line("error", "closing", faultFields(fault));
    });
  }
  if (failed > 0) throw new Defect(`${failed} of ${steps.length} things that were due failed`);
};

/** Makes an invoice that is not made yet, and looks after its payment. */
const closeAndCollect = async (world: ClosingParts & Pick<World, "config">, key: InvoiceKey): Promise<void> => {
  await closeInvoice(world, key);
  await collect(world, providerOf(world.config, world.ids), key);
};
