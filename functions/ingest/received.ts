import type { CaptureMessage } from "../../lib/lake/message.ts";

/** A message that can be read, as it was delivered. */
export interface Received {
  readonly id: string;
  readonly message: CaptureMessage;
}

/** What the log may say of a fault: its kind and its sentence. */
export const reasonOf = (fault: unknown): { readonly reason: string } => ({
  reason: fault instanceof Error ? `${fault.name}: ${fault.message}` : "unknown",
});
