import type { World } from "../../lib/app/world.ts";
import { BOOK_PARTITIONS } from "../../lib/billing/book-partitions.ts";
import { type DueStep, dueSteps } from "../../lib/billing/closing.ts";
import { forEachConcurrent } from "../../lib/core/concurrency.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { faultFields } from "../../lib/http/request-log.ts";
import { schedule } from "../../lib/lambda/schedule.ts";
import type { Budget } from "../../lib/ports/system.ts";
import { reportDays } from "./report-usage.ts";

/**
 * Makes the invoices of periods that are over, looks after those that nobody pays, ends trials, writes off credit that has expired, gives
 * back what cards still hold, and reports usage.
 */
export const closing = schedule({
  name: "closing",
  // Most of a year it finds nothing. On the night on which the periods end it comes eight times in two hours.
  every: "15 minutes",
  uses: {
    table: {
      read: [...BOOK_PARTITIONS, "organization", "project", "catalogues", "license", "usage"],
      lists: [
        "billing-trials",
        "billing-grants",
        "billing-invoices",
        "billing-attempts",
        "billing-holds",
        // Whose days are reported to an upstream service.
        "organizations",
      ],
      write: BOOK_PARTITIONS,
      removes: true,
    },
    objects: { read: ["usage"] },
    counts: true,
  },
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

/** So many things are done side by side: nearly all of a step is waiting for the table. */
const LANES = 8;

/** Does what is due now, the longest due first. One that fails holds up nobody: its line is in the log, and a later run tries again; this one fails then. */
export const closeDue = async (
  world: Pick<World, "table" | "objects" | "clock" | "ids" | "log" | "config" | "counts">,
  budget: Budget,
): Promise<void> => {
  const isTime = (): boolean => budget.remainingMs() >= RESERVE_MS;
  let begun = 0;
  let failed = 0;
  const take = (step: DueStep): Promise<void> => {
    begun += 1;
    return step().then(
      () => undefined,
      (fault: unknown) => {
        failed += 1;
        world.log.line("error", "closing", faultFields(fault));
      },
    );
  };
  for await (const steps of dueSteps(world)) {
    await forEachConcurrent(steps, LANES, take, isTime);
    if (!isTime()) break;
  }
  if (failed > 0) throw new Defect(`${failed} of ${begun} things that were due failed`);
};
