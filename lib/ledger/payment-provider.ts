import type { BillingAccount } from "../entities/billing/accounts.ts";
import { base62 } from "../entities/credential.ts";
import type { Config } from "../ports/config.ts";
import type { Ids } from "../ports/ids.ts";
import { refused } from "./refusal.ts";

/** How a payment method stands with whoever authorizes it. */
export interface AuthorizationStatus {
  readonly state: "pending" | "success" | "failed";
  readonly error: string | null;
}

/** Who collects money. */
export interface PaymentProvider {
  /** Whether something to collect from has to be authorized before anything is bought. */
  readonly needsMethod: boolean;
  /** Begins to authorize a payment method: what its page needs to go on. `id` is ours, and the same for a call that is repeated. */
  authorize(account: BillingAccount, id: string): Promise<{ readonly providerId: string | null; readonly clientSecret: string }>;
  status(providerId: string | null): Promise<AuthorizationStatus>;
  /** Where a customer sees and pays invoices; null where there is no such place. */
  portal(account: BillingAccount): Promise<string | null>;
}

const SECRET_BYTES = 32;

/** Nobody collects: every payment method is authorized at once, and invoices are paid elsewhere. */
export const noProvider = ({ billingPortalUrl }: Pick<Config, "billingPortalUrl">, ids: Pick<Ids, "secret">): PaymentProvider => ({
  needsMethod: false,
  authorize: async (_, id) => ({ providerId: null, clientSecret: `${id}_secret_${base62(ids.secret(SECRET_BYTES))}` }),
  status: async () => ({ state: "success", error: null }),
  portal: async () => billingPortalUrl || null,
});

/** Where a provider collects money, there has to be something that it may collect from. */
export const checkPaymentMethod = ({ needsMethod }: Pick<PaymentProvider, "needsMethod">, account: BillingAccount): void => {
  if (!needsMethod || account.has_payment_method) return;
  throw refused("payment_method_required", "Authorize a payment method first: POST activate/authorize.");
};
