import { refused } from "../commands.ts";
import type { BillingAccount } from "../customer/account.ts";

/** How a payment, or the permission for payments, stands. */
export interface PaymentStatus {
  readonly state: "pending" | "success" | "failed";
  readonly error: string | null;
}

/** How the permission for payments stands; `method` is what may be collected from once it is given, null where that needs no name. */
export interface AuthorizationStatus extends PaymentStatus {
  readonly method: string | null;
}

/** The invoice or grant that a payment is for. It travels with the payment, so that whoever hears of the payment can settle it. */
export interface PaymentSubject {
  readonly organization_id: string;
  readonly kind: "invoice" | "grant";
  /** An invoice's period, or a grant's id. */
  readonly id: string;
}

/** A payment method on its way to be authorized: its id, what the provider's page needs, and what the provider calls the customer. */
export interface BegunAuthorization {
  readonly id: string;
  readonly clientSecret: string;
  readonly customerId: string | null;
}

/** Something that the provider tells by itself: of which kind, and of what. */
export interface PaymentNotice {
  readonly type: string;
  readonly data: { readonly object: object };
}

/** Stripe's, for charges in dollars. */
export const STRIPE_MINIMUM_CENTS = 50;

/** Who collects money. */
export interface PaymentProvider {
  /** Whether something to collect from has to be authorized before anything is bought. */
  readonly collects: boolean;
  /** The least amount that it collects, cents. */
  readonly minimumCents: number;
  /** `id` is ours; the provider may have its own. */
  authorize(account: BillingAccount, id: string): Promise<BegunAuthorization>;
  status(id: string): Promise<AuthorizationStatus>;
  /** Gives back what an authorization holds of somebody's money. */
  release(id: string): Promise<void>;
  /** Collects an amount, once for each attempt at one subject. */
  charge(account: BillingAccount, cents: number, subject: PaymentSubject, attempt: number): Promise<PaymentStatus>;
  /** Where a customer sees and pays invoices; null where there is no such place. */
  portal(account: BillingAccount, returnUrl: string): Promise<string | null>;
  /** The notice in a call from outside, if the provider signed it not long before `now`. */
  hear(body: Uint8Array, signature: string | undefined, now: number): Promise<PaymentNotice | undefined>;
}

/** Where a provider collects money, there has to be something that it may collect from. */
export const checkPaymentMethod = ({ collects }: Pick<PaymentProvider, "collects">, account: BillingAccount): void => {
  if (!collects || account.has_payment_method) return;
  throw refused("payment_method_required", "Authorize a payment method first: POST activate/authorize.");
};
