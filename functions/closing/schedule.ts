import { Defect } from "../../lib/core/unreachable.ts";
import { CreditGrants } from "../../lib/entities/billing/credits.ts";
import { Invoices } from "../../lib/entities/billing/invoices.ts";
import { PaymentAuthorizations } from "../../lib/entities/billing/payments.ts";
import { Trials } from "../../lib/entities/billing/trials.ts";
import { faultFields } from "../../lib/http/serve/request-log.ts";
import { schedule } from "../../lib/lambda/schedule.ts";
import { expireGrant } from "../../lib/ledger/credit/expire-grant.ts";
import { type ClosingParts, closeInvoice, type InvoiceKey } from "../../lib/ledger/invoices/close-invoice.ts";
import { collect } from "../../lib/ledger/payments/collect.ts";
import { providerOf } from "../../lib/ledger/payments/provider-of.ts";
import { releaseHold } from "../../lib/ledger/payments/release-hold.ts";
import { endTrial } from "../../lib/ledger/subscriptions/end-trial.ts";
import type { Budget } from "../../lib/ports/budget.ts";
import { page } from "../../lib/table/store.ts";
import type { World } from "../../lib/world/world.ts";
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
