import type { InvoiceLine } from "../invoices.ts";
import type { Charge } from "../rating/charges.ts";

/** The line that a charge is on an invoice. */
export const chargeLine = ({ kind, item, plan, quantity, cents }: Charge): InvoiceLine => ({
  product: item.type,
  plan_key: plan.plan_key,
  description: `${item.name}, ${plan.name}`,
  usage_type: kind === "use" ? item.usage_type : null,
  quantity: Number(quantity),
  cents: Number(cents),
  last_day: null,
  late_of: null,
  carried_from: null,
});
