import type { BillingGrant } from "../../lib/auth/billing-access.ts";
import type { Command } from "../../lib/billing/run-command.ts";
import type { HttpRequest } from "../../lib/http/request.ts";

/** The command that a request is: the same `Idempotency-Key` with the same body is the same command, sent again. */
export const commandOf = (
  { organization }: Pick<BillingGrant, "organization">,
  request: HttpRequest,
  operation: string,
  body: unknown,
): Command => ({
  organization: organization.id,
  operation,
  key: idempotencyKey(request),
  body,
});

/** The key that a client gave its call, to be able to repeat it. */
export const idempotencyKey = (request: HttpRequest): string | undefined => request.headers["idempotency-key"] || undefined;
