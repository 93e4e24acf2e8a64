import * as z from "zod";

/** A refusal of billing's own: which rule, and what to do. */
const BillingRefusal = z
  .looseObject({ statusText: z.string(), detail: z.union([z.string(), z.looseObject({})]), code: z.string().nullable() })
  .meta({ id: "BillingRefusal" });

/** What a command may be refused with besides what every operation may. */
export const REFUSALS = [
  {
    status: 400,
    description: "Billing refuses this; `code` says why. A field that does not fit has the standard body.",
    body: BillingRefusal,
  },
  409,
] as const;

export const Success = z.object({ success: z.literal(true) }).meta({ id: "BillingSuccess" });
