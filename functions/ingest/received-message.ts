import type { CaptureMessage } from "../../lib/event/message.ts";
import type { Delivery } from "../../lib/ports/queues.ts";

/** A message that can be read, as it was delivered. */
export interface ReceivedMessage extends Delivery {
  readonly message: CaptureMessage;
}

/** The part of a fault that the log may say: its kind and its sentence. */
export const faultReason = (fault: unknown): { readonly reason: string } => ({
  reason: fault instanceof Error ? `${fault.name}: ${fault.message}` : "unknown",
});
