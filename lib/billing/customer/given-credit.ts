import type { Ids } from "../../ports/system.ts";
import { type CreditGrant, GRANT_PRIORITY, writtenOffAt } from "./credit-grant.ts";

/** Credit that nobody bought: there at once, and used before what was bought. */
export const givenCredit = (
  organization_id: string,
  { source, cents, expires_at }: Pick<CreditGrant, "source" | "cents" | "expires_at">,
  ids: Ids,
  now: number,
): CreditGrant => ({
  organization_id,
  id: ids.ulid(),
  source,
  state: "active",
  cents,
  charge_cents: 0,
  remaining_cents: cents,
  refunded_use_cents: 0,
  priority: GRANT_PRIORITY.given,
  collection_method: "send_invoice",
  created_at: now,
  effective_at: now,
  expires_at,
  due_at: writtenOffAt({ expires_at }),
  version: 0,
});
