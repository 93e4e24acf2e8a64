import type { World } from "../../../lib/app/world.ts";
import { isUpstream } from "../../../lib/billing/billing-service.ts";
import { notFound } from "../../../lib/http/errors.ts";

/** Throws 404 where another service does the billing: its invoices have no lines that could be shown here. */
export const refuseUpstream = (world: World): void => {
  if (isUpstream(world))
    throw notFound("Invoices of this deployment are kept by its billing service: `get_invoices` says how many, and where.");
};
