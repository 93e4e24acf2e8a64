import { MINUTE_MS } from "../../core/time.ts";
import { hashOf } from "../../keys/credential.ts";
import type { PaymentAuthorization } from "../payments.ts";
import type { BegunAuthorization, PaymentStatus } from "./payment-provider.ts";

/** How long a page may take to authorize a payment method. */
const LIFETIME_MS = 15 * MINUTE_MS;

/** Begins each id of ours. */
const PREFIX = "auth_";
/** Between the id and what only its owner knows. */
const SECRET_MARK = "_secret_";

export const newAuthorizationId = (ids: { ulid(): string }): string => `${PREFIX}${ids.ulid()}`;

/** The id in what a client sends: the id itself, or the whole secret, which begins with it. */
export const authorizationId = (sent: string): string => sent.split(SECRET_MARK, 1)[0] ?? "";

/** Whether a client that sent more than the id sent the right secret. */
export const knowsSecret = ({ secret_hash }: PaymentAuthorization, sent: string): boolean =>
  !sent.includes(SECRET_MARK) || hashOf(sent) === secret_hash;

export const pendingAuthorization = (
  organization_id: string,
  { id, clientSecret }: BegunAuthorization,
  now: number,
): PaymentAuthorization => ({
  organization_id,
  id,
  secret_hash: hashOf(clientSecret),
  state: "pending",
  error: null,
  created_at: now,
  expires_at: now + LIFETIME_MS,
  held_since: null,
  version: 0,
});

/** An authorization after its provider was asked. What has ended never changes; one that takes too long is over. */
export const resolved = (authorization: PaymentAuthorization, status: PaymentStatus, now: number): PaymentAuthorization => {
  if (authorization.state !== "pending") return authorization;
  if (status.state !== "pending") return { ...authorization, state: status.state, error: status.error };
  return authorization.expires_at > now ? authorization : { ...authorization, state: "expired" };
};
