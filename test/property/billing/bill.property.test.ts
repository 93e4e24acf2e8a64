import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN } from "../../../lib/billing/catalogue/built-in-catalogue.ts";
import { afterUse, giveUseBack } from "../../../lib/billing/customer/coupon-claim.ts";
import { type CreditGrant, deduct, giveBack, payFrom } from "../../../lib/billing/customer/credit-grant.ts";
import { type Bill, computeBill, fixBill, issueInvoice, payWithCredit } from "../../../lib/billing/invoices/bill.ts";
import { openInvoice } from "../../../lib/billing/invoices/open-invoice.ts";
import type { Invoice } from "../../../lib/billing/invoices.ts";
import { aClaim, aGrant, aLine } from "../../support/samples/billing-items.ts";

const NOW = Date.UTC(2026, 7, 3);
const AUGUST = { start: Date.UTC(2026, 6, 1), end: Date.UTC(2026, 7, 1) };
const open = (): Invoice => openInvoice({ organization_id: aGrant().organization_id }, AUGUST, { ...BUILT_IN, id: "built-in" });

/** The invoice of a bill with what grants pay of it. */
const issued = (bill: Bill, grants: readonly CreditGrant[], minimum = 0): Invoice =>
  issueInvoice(payWithCredit(fixBill(open(), bill, []), payFrom(grants, bill.payable, NOW)), "INV-2026-000001", NOW, minimum);

const line = aLine({ quantity: 3_250_000, cents: 9_288 });
const given = aGrant({ id: "given", priority: 1, cents: 2_000, remaining_cents: 2_000, expires_at: NOW + 1 });

describe("a bill", () => {
  it("of 92.88 with 20 per cent off and 50.00 of credit leaves 24.30 to pay", () => {
    const bill = computeBill([line], [aClaim()], NOW);
    expect(bill.coupon).toBe(1_858n);
    expect(issued(bill, [aGrant({ id: "bought" }), given])).toMatchObject({
      state: "issued",
      subtotal_cents: 9_288,
      credits: [
        { id: "given", cents: 2_000 },
        { id: "bought", cents: 3_000 },
      ],
      due_cents: 2_430,
    });
  });
  it("that credit pays whole is paid, and the rest of the credit stays", () => {
    const bought = aGrant({ id: "bought", cents: 8_000, remaining_cents: 8_000 });
    const invoice = issued(computeBill([line], [aClaim()], NOW), [bought, given]);
    expect(invoice.credits.map(({ cents }) => cents)).toEqual([2_000, 5_430]);
    expect(invoice).toMatchObject({ state: "paid", due_cents: 0 });
    expect(deduct(bought, 5_430n).remaining_cents).toBe(2_570);
  });
  it("of less than can be collected is paid, and left to the next one", () => {
    const bill = computeBill([aLine({ cents: 40 })], [], NOW);
    expect(issued(bill, [], 50)).toMatchObject({ state: "paid", due_cents: 0, carried_cents: 40 });
    expect(issued(bill, [], 40)).toMatchObject({ state: "issued", due_cents: 40, carried_cents: 0 });
    expect(issued(bill, [given], 50)).toMatchObject({ state: "paid", due_cents: 0, carried_cents: 0 });
  });
  it("that takes back more than it asks for leaves nothing to coupons of all products", () => {
    const lines = [aLine({ cents: 1_000 }), aLine({ cents: -1_200, late_of: 0 }), aLine({ product: "surveys", cents: 500 })];
    const half = aClaim({ value: 5_000 });
    const ofBoth = computeBill(lines, [half], NOW);
    expect(ofBoth).toMatchObject({ subtotal: 300n, coupon: 150n, payable: 150n, returned: 0n });
    expect(computeBill(lines, [aClaim({ value: 10_000, products: ["surveys"] })], NOW)).toMatchObject({ coupon: 500n, returned: 200n });
    expect(computeBill(lines, [aClaim({ products: ["product_analytics"] })], NOW)).toMatchObject({ coupon: 0n, payable: 300n });
    const carried = aLine({ product: "carried", cents: 40, carried_from: 1 });
    expect(computeBill([aLine({ cents: -100 }), carried], [half], NOW)).toMatchObject({ coupon: 0n, payable: 0n, returned: 60n });
  });
  it("applies coupons of some products before those of all", () => {
    const lines = [aLine({ cents: 1_000 }), aLine({ product: "surveys", cents: 1_000 })];
    const half = aClaim({ slug: "half", value: 5_000 });
    const surveys = aClaim({ slug: "surveys", kind: "amount", value: 400, products: ["surveys"], claimed_at: 9 });
    expect(computeBill(lines, [half, surveys], NOW).coupons.map(({ claim, cents }) => [claim.slug, cents])).toEqual([
      ["surveys", 400n],
      ["half", 800n],
    ]);
  });
  it("uses coupons up: one of an amount over as many bills as it takes, one of periods by periods", () => {
    const amount = aClaim({ kind: "amount", value: 500, remaining_cents: 500 });
    expect(afterUse(amount, 300n)).toMatchObject({ status: "claimed", remaining_cents: 200 });
    expect(afterUse(amount, 500n)).toMatchObject({ status: "exhausted", remaining_cents: 0 });
    expect(afterUse(aClaim({ remaining_periods: 1 }), 1n)).toMatchObject({ status: "exhausted" });
    expect(afterUse(aClaim({ remaining_periods: 1 }), 0n)).toMatchObject({ status: "claimed", remaining_periods: 1 });
  });
  it("always adds up, never below zero, never from more than what is left; and what is given back is what was taken", () => {
    const cents = fc.integer({ min: 0, max: 100_000 });
    const claims = fc.array(
      fc.record({
        kind: fc.constantFrom("percent" as const, "amount" as const),
        value: fc.integer({ min: 1, max: 10_000 }),
        products: fc.constantFrom<string[] | null>(null, ["a"], ["b"], ["a", "c"]),
      }),
      { maxLength: 5 },
    );
    const grants = fc.array(fc.record({ remaining_cents: cents, priority: fc.constantFrom(1, 10) }), { maxLength: 6 });
    const amount = fc.oneof({ arbitrary: cents, weight: 3 }, fc.integer({ min: -100_000, max: 0 }));
    const lines = fc.array(
      fc.record({ product: fc.constantFrom("a", "b", "c"), cents: amount, carried_from: fc.constantFrom(null, null, null, 1) }),
      { maxLength: 6 },
    );
    void fc.assert(
      fc.property(lines, claims, grants, fc.constantFrom(0, 50, 50_000), (some, coupons, credit, minimum) => {
        const held = credit.map((each, at) => aGrant({ ...each, id: String(at) }));
        const owed = some.map((each) => aLine(each.carried_from === null ? each : { ...each, cents: Math.abs(each.cents) }));
        const bill = computeBill(
          owed,
          coupons.map((each, at) => aClaim({ ...each, slug: String(at) })),
          NOW,
        );
        const invoice = issued(bill, held, minimum);
        const { subtotal_cents, coupon_cents, tax_cents, credit_cents, due_cents, carried_cents, returned_cents } = invoice;
        expect(subtotal_cents).toBe(owed.reduce((sum, each) => sum + each.cents, 0));
        expect(subtotal_cents + returned_cents + tax_cents).toBe(coupon_cents + credit_cents + due_cents + carried_cents);
        expect(Math.min(coupon_cents, credit_cents, due_cents, carried_cents, returned_cents)).toBeGreaterThanOrEqual(0);
        expect(returned_cents === 0 || credit_cents + due_cents + carried_cents === 0).toBe(true);
        expect(due_cents === 0 || due_cents >= minimum).toBe(true);
        expect(carried_cents === 0 || carried_cents < minimum).toBe(true);
        // Nothing is taken off what is carried, nor off what was taken back.
        const sums = Map.groupBy(
          owed.filter(({ carried_from }) => carried_from === null),
          ({ product }) => product,
        );
        const nets = [...sums.values()].map((own) => own.reduce((sum, each) => sum + each.cents, 0));
        expect(coupon_cents).toBeLessThanOrEqual(nets.reduce((sum, net) => sum + Math.max(0, net), 0));
        for (const { id, cents: used } of invoice.credits) {
          const grant = held[Number(id)] ?? aGrant();
          const after = deduct(grant, BigInt(used));
          expect(after.remaining_cents).toBeGreaterThanOrEqual(0);
          expect(giveBack(after, BigInt(used))).toEqual(grant);
        }
        const available = held.reduce((sum, { remaining_cents }) => sum + remaining_cents, 0);
        expect(due_cents + carried_cents === 0 || credit_cents === available).toBe(true);
      }),
    );
  });
  it("gives a coupon back as it was before an invoice used it", () => {
    const terms = fc.record({
      remaining_periods: fc.option(fc.integer({ min: 1, max: 3 })),
      remaining_cents: fc.option(fc.integer({ min: 1, max: 500 })),
    });
    void fc.assert(
      fc.property(terms, fc.integer({ min: 1, max: 500 }), (left, cents) => {
        const claim = aClaim(left);
        const used = BigInt(Math.min(cents, left.remaining_cents ?? cents));
        expect(giveUseBack(afterUse(claim, used), used)).toEqual(claim);
      }),
    );
  });
});
