import type { Ports } from "../../ports/ports.ts";
import type { BillingParts } from "../commands.ts";
import type { PaymentAttempt } from "./payment-attempt.ts";

/** The parts of the world that payments work with. */
export type PaymentParts = BillingParts & Pick<Ports, "config" | "log" | "counts">;

/** What somebody has to look at, as the lines of the log are called. */
export type PaymentAlarm = "payment_surplus" | "payment_disputed" | "payment_refund_undone" | "payment_not_taken";

/** Tells the operator of something that money alone does not settle. */
export const raise = async ({ log, counts }: PaymentParts, alarm: PaymentAlarm, attempt: PaymentAttempt): Promise<void> => {
  const { organization_id: organization, kind, subject_id, number, intent_id, cents, error } = attempt;
  log.line("error", alarm, { organization, kind, subject: subject_id, attempt: number, intent: intent_id, cents, reason: error });
  await counts.add("PaymentsToReview");
};
