import type { World } from "../../lib/app/world.ts";
import { dueSteps } from "../../lib/billing/closing.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { faultFields } from "../../lib/http/request-log.ts";
import { schedule } from "../../lib/lambda/schedule.ts";
import type { Budget } from "../../lib/ports/system.ts";
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

/** Left for the run to end in, milliseconds. */
const RESERVE_MS = 10_000;

/** Does what is due now, the longest due first. One that fails holds up nobody: its line is in the log, and the next run tries again; this one fails then. */
export const closeDue = async (
  world: Pick<World, "table" | "objects" | "clock" | "ids" | "log" | "config">,
  budget: Budget,
): Promise<void> => {
  const steps = await dueSteps(world);
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
