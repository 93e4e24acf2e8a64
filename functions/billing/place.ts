import * as z from "zod";
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

/** The address that leads on to where invoices are paid. */
export const portalLink = ({ origin }: Pick<HttpRequest, "origin">): string => `${origin}${BASE}/portal`;
