import { HOUR_MS } from "../../core/time.ts";
import type { PaymentProvider } from "./payment-provider.ts";

/** Stripe's terms, apart from its package, which is large. It forgets idempotency keys after 24 hours; what follows comes well before. */
export const STRIPE_TERMS = {
  collects: true,
  minimumCents: 50,
  repeatableMs: 20 * HOUR_MS,
} as const satisfies Partial<PaymentProvider>;
