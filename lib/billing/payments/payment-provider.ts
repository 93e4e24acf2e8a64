import { refused } from "../commands.ts";
import type { BillingAccount } from "../customer/account.ts";

/** How the permission for payments stands; `method` is what may be collected from once it is given, null where that needs no name. */
export interface AuthorizationStatus {
  readonly state: "pending" | "success" | "failed";
  readonly error: string | null;
  readonly method: string | null;
}

/** A payment method on its way to be authorized: its id, what the provider's page needs, and what the provider calls the customer. */
export interface BegunAuthorization {
  readonly id: string;
  readonly clientSecret: string;
  readonly customerId: string | null;
}

export const SUBJECT_KINDS = ["invoice", "receivable"] as const;

/**
 * Why something was not collected. `declined`: the payer's bank said no. `retryable`: the provider did not answer, and may have acted.
 * `ours`: the provider does not take the call, or not from us, until somebody repairs something here.
 */
export const FAILURES = ["declined", "retryable", "ours"] as const;
export type Failure = (typeof FAILURES)[number];

/** A call for money: who pays what and from where, and the attempt that it belongs to. */
export interface PaymentOrder {
  readonly organization_id: string;
  readonly kind: (typeof SUBJECT_KINDS)[number];
  readonly subject_id: string;
  readonly number: number;
  readonly cents: number;
  readonly customer_id: string;
  readonly method_id: string;
  /** Milliseconds since 1970: before the first call for it. */
  readonly created_at: number;
}

/** What the provider says of a payment. With `unknown` it said nothing that can be relied on, and may have collected or not. */
export interface PaymentReport {
  readonly state: "processing" | "succeeded" | "failed" | "unknown";
  /** The provider's name for the payment, where it has one. */
  readonly intent_id: string | null;
  readonly failure: Failure | null;
  readonly error: string | null;
}

/** A payment with what travels in it: the attempt that it was made for, by names of ours, and what was collected. */
export interface ReportedPayment extends PaymentReport {
  readonly intent_id: string;
  readonly metadata: unknown;
  readonly cents: number;
}

/** What was taken back of a payment, or is asked back by the payer's bank. */
export interface TakenBack {
  readonly metadata: unknown;
  readonly refunded_cents: number;
  readonly disputed_cents: number;
}

/** Something that the provider tells by itself: how a payment stands, that something was taken back of one, or what is not for us. */
export type PaymentNotice =
  | { readonly kind: "payment"; readonly payment: ReportedPayment }
  | { readonly kind: "taken back"; readonly intent_id: string }
  | { readonly kind: "other" };

/** Who collects money. */
export interface PaymentProvider {
  /** Whether something to collect from has to be authorized before anything is bought. */
  readonly collects: boolean;
  /** The smallest amount that it collects. */
  readonly minimumCents: number;
  /** `id` is ours; the provider may have its own. */
  authorize(account: BillingAccount, id: string): Promise<BegunAuthorization>;
  status(id: string): Promise<AuthorizationStatus>;
  /** Gives back what an authorization holds of somebody's money. */
  release(id: string): Promise<void>;
  /** Collects an amount, once however often it is called for one attempt within `repeatableMs` of its making. */
  charge(order: PaymentOrder): Promise<PaymentReport>;
  /** How long the provider knows a repeated call again. */
  readonly repeatableMs: number;
  /** The payment of an attempt whose answer was lost; `undefined` where there is none. */
  find(order: PaymentOrder): Promise<PaymentReport | undefined>;
  retrieve(intent: string): Promise<PaymentReport>;
  /** Throws where the provider does not answer. */
  takenBack(intent: string): Promise<TakenBack>;
  /** Where a customer sees and pays invoices; null where there is no such place. */
  portal(account: BillingAccount, returnUrl: string): Promise<string | null>;
  /**
   * The notice in a call from outside, if the provider signed these very bytes not long before `now`. Throws 400 for bytes that are
   * signed and no notice.
   */
  hear(body: Uint8Array, signature: string | undefined, now: number): Promise<PaymentNotice | undefined>;
}

/** Where a provider collects money, there has to be something that it may collect from. */
export const checkPaymentMethod = ({ collects }: Pick<PaymentProvider, "collects">, account: BillingAccount): void => {
  if (!collects || account.has_payment_method) return;
  throw refused("payment_method_required", "Authorize a payment method first: POST activate/authorize.");
};
