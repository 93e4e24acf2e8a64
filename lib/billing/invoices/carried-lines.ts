import type { Invoice, InvoiceLine } from "../invoices.ts";

/** Lines for what earlier invoices left to a later one, each once: a later one that was voided forgave what it took over. */
export const carriedLines = (invoices: readonly Invoice[]): readonly InvoiceLine[] => {
  const taken = new Set(invoices.flatMap(({ lines }) => lines.map(({ carried_from }) => carried_from)));
  return invoices
    .filter(({ carried_cents, period_start }) => carried_cents > 0 && !taken.has(period_start))
    .map(({ carried_cents, period_start, number }) => ({
      product: "carried",
      plan_key: "",
      description: `Carried from invoice ${number}`,
      usage_type: null,
      quantity: 1,
      cents: carried_cents,
      last_day: null,
      late_of: null,
      carried_from: period_start,
    }));
};
