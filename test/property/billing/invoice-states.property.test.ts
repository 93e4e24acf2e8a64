import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN } from "../../../lib/billing/catalogue/built-in-catalogue.ts";
import { computeBill, fixBill, issueInvoice } from "../../../lib/billing/invoices/bill.ts";
import { openInvoice } from "../../../lib/billing/invoices/open-invoice.ts";
import { INVOICE_STEPS, isUnpaid, nextInvoice } from "../../../lib/billing/invoices.ts";
import { aGrant, aLine } from "../../support/samples/billing-items.ts";

const NOW = Date.UTC(2026, 7, 3);
const PERIOD = { start: Date.UTC(2026, 6, 1), end: Date.UTC(2026, 7, 1) };

/** The steps that there are, said again: from, step, to. */
const STEPS = [
  "issued pay paid",
  "issued fail payment_failed",
  "issued retry issued",
  "issued expire overdue",
  "issued void voided",
  "payment_failed retry issued",
  "payment_failed pay paid",
  "payment_failed expire overdue",
  "overdue pay paid",
  "overdue write_off uncollectible",
  "overdue void voided",
  "uncollectible pay paid",
  "uncollectible void voided",
];

describe("an invoice", () => {
  it("takes the steps of its state and no others, whatever comes in whatever order, and never changes what it says", () => {
    const opened = openInvoice({ organization_id: aGrant().organization_id }, PERIOD, { ...BUILT_IN, id: "built-in" });
    const first = issueInvoice(fixBill(opened, computeBill([aLine({ cents: 100 })], [], NOW), []), "INV-2026-000001", NOW);
    void fc.assert(
      fc.property(fc.array(fc.constantFrom(...INVOICE_STEPS), { maxLength: 12 }), (steps) => {
        let invoice = first;
        let state = "issued";
        let failures = 0;
        for (const step of steps) {
          const [known] = STEPS.filter((each) => each.startsWith(`${state} ${step} `));
          const next = nextInvoice(invoice, step, NOW + 5);
          expect(next?.state).toBe(known?.split(" ")[2]);
          invoice = next ?? invoice;
          state = invoice.state;
          failures += next?.state === "payment_failed" ? 1 : 0;
          const { state: _, paid_at, due_at, attempts, ...said } = invoice;
          expect(first).toMatchObject(said);
          expect(paid_at).toBe(state === "paid" ? NOW + 5 : null);
          expect(attempts).toBe(failures);
          expect(due_at === null).toBe(!["issued", "payment_failed"].includes(state));
          expect(isUnpaid(invoice)).toBe(["issued", "payment_failed", "overdue"].includes(state));
        }
      }),
    );
  });
  it("that still gathers charges takes no step", () => {
    const opened = openInvoice({ organization_id: aGrant().organization_id }, PERIOD, { ...BUILT_IN, id: "built-in" });
    expect(INVOICE_STEPS.map((step) => nextInvoice(opened, step, NOW))).toEqual(INVOICE_STEPS.map(() => undefined));
  });
});
