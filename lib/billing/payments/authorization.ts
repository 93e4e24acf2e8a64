import * as z from "zod";
import { DAY_MS, MINUTE_MS } from "../../core/time.ts";
import { keyHash } from "../../keys/credential.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import type { AuthorizationStatus, BegunAuthorization } from "./payment-provider.ts";

const PAYMENT_STATES = ["pending", "success", "failed", "expired"] as const;

/** A payment method on its way to be authorized. Its secret is kept hashed; what has ended never changes. */
export const PaymentAuthorization = z.object({
  organization_id: z.guid(),
  /** The provider's own, where it has one. */
  id: z.string(),
  secret_hash: z.string(),
  state: z.enum(PAYMENT_STATES),
  error: z.string().nullable(),
  /** Milliseconds since 1970. */
  created_at: z.int(),
  expires_at: z.int(),
  /** Since when it holds some money that is to be given back; null once it is, and where nothing is held. */
  held_since: z.int().nullable().default(null),
  version: z.int().min(0),
});
export type PaymentAuthorization = z.output<typeof PaymentAuthorization>;

/** How long an authorization that has ended may still be asked for. */
const KEPT_MS = 90 * DAY_MS;

export const PaymentAuthorizations = entity({
  name: "billing-payment-authorization",
  version: 1,
  schema: PaymentAuthorization,
  key: within("payments", "{id}", { organization: "organization_id" }),
  patterns: { held: { index: "due", pk: "billing-holds", sk: "{held_since}#{organization_id}#{id}" } },
  ttl: ({ created_at }) => Math.ceil((created_at + KEPT_MS) / 1_000),
});

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
  !sent.includes(SECRET_MARK) || keyHash(sent) === secret_hash;

export const newAuthorization = (organization_id: string, { id, clientSecret }: BegunAuthorization, now: number): PaymentAuthorization => ({
  organization_id,
  id,
  secret_hash: keyHash(clientSecret),
  state: "pending",
  error: null,
  created_at: now,
  expires_at: now + LIFETIME_MS,
  held_since: null,
  version: 0,
});

/** An authorization after its provider was asked. What has ended never changes; one that takes too long is over. */
export const resolveAuthorization = (
  authorization: PaymentAuthorization,
  status: AuthorizationStatus,
  now: number,
): PaymentAuthorization => {
  if (authorization.state !== "pending") return authorization;
  if (status.state !== "pending") return { ...authorization, state: status.state, error: status.error };
  return authorization.expires_at > now ? authorization : { ...authorization, state: "expired" };
};
