import * as z from "zod";
import type { BillingGrant } from "../../lib/auth/billing-access.ts";
import type { Command } from "../../lib/billing/commands.ts";
import type { HttpRequest } from "../../lib/http/request.ts";

/** Where all of billing lies. */
export const BASE = "/api/billing";

export const TAGS = ["Billing"];

/** Read by the access of every operation but the application for a startup program, which names its organization itself. */
export const TeamQuery = z.object({
  team_id: z
    .string()
    .optional()
    .meta({ type: "integer", description: "The project whose organization is meant; the key's own organization when left out." }),
});

/** A refusal of billing's own: which rule, and what to do. */
const BillingRefusal = z
  .looseObject({ statusText: z.string(), detail: z.union([z.string(), z.looseObject({})]), code: z.string().nullable() })
  .meta({ id: "BillingRefusal" });

/** The refusals of a command, besides those of every operation. */
export const REFUSALS = [
  {
    status: 400,
    description: "Billing refuses this; `code` says why. A field that does not fit has the standard body.",
    body: BillingRefusal,
  },
  409,
] as const;

export const Success = z.object({ success: z.literal(true) }).meta({ id: "BillingSuccess" });

/** The command that a request is: the same `Idempotency-Key` with the same body is the same command, sent again. */
export const requestCommand = (
  { organization }: Pick<BillingGrant, "organization">,
  request: HttpRequest,
  operation: string,
  body: unknown,
): Command => ({ organization: organization.id, operation, key: idempotencyKey(request), body });

/** The key that a client gave its call, to be able to repeat it. */
export const idempotencyKey = (request: HttpRequest): string | undefined => request.headers["idempotency-key"] || undefined;

/** The address that leads on to where invoices are paid. */
export const portalLink = ({ origin }: Pick<HttpRequest, "origin">): string => `${origin}${BASE}/portal`;

/** The console's page where people see invoices: those of the organization of a project, or of their first one. */
export const billingPage = ({ origin }: Pick<HttpRequest, "origin">, project?: string): string =>
  `${origin}/organization/billing${project ? `?team_id=${encodeURIComponent(project)}` : ""}`;
