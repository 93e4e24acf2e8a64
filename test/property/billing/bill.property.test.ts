import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN } from "../../../lib/billing/catalogue/built-in-catalogue.ts";
import { afterUse } from "../../../lib/billing/customer/coupon-claim.ts";
import { deduct, giveBack } from "../../../lib/billing/customer/credit-grant.ts";
import { computeBill, issueInvoice } from "../../../lib/billing/invoices/bill.ts";
import { openInvoice } from "../../../lib/billing/invoices/open-invoice.ts";
import type { Invoice } from "../../../lib/billing/invoices.ts";
import { aClaim, aGrant, aLine } from "../../support/samples/billing-items.ts";

const NOW = Date.UTC(2026, 7, 3);
const AUGUST = { start: Date.UTC(2026, 6, 1), end: Date.UTC(2026, 7, 1) };
const open = (): Invoice => openInvoice({ organization_id: aGrant().organization_id }, AUGUST, { ...BUILT_IN, id: "built-in" });

const line = aLine({ quantity: 3_250_000, cents: 9_288 });
const given = aGrant({ id: "given", priority: 1, cents: 2_000, remaining_cents: 2_000, expires_at: NOW + 1 });

describe("a bill", () => {
  it("of 92.88 with 20 per cent off and 50.00 of credit leaves 24.30 to pay", () => {
    const bill = computeBill([line], [aClaim()], [aGrant({ id: "bought" }), given], NOW);
    expect(bill.coupon).toBe(1_858n);
    expect(bill.credits.map(({ grant, cents }) => [grant.id, cents])).toEqual([
      ["given", 2_000n],
      ["bought", 3_000n],
    ]);
    expect(bill.due).toBe(2_430n);
    expect(issueInvoice(open(), bill, NOW)).toMatchObject({ state: "issued", subtotal_cents: 9_288, due_cents: 2_430 });
  });
  it("that credit pays whole is paid, and the rest of the credit stays", () => {
    const bought = aGrant({ id: "bought", cents: 8_000, remaining_cents: 8_000 });
    const bill = computeBill([line], [aClaim()], [bought, given], NOW);
    expect(bill.credits.map(({ cents }) => cents)).toEqual([2_000n, 5_430n]);
    expect(issueInvoice(open(), bill, NOW)).toMatchObject({ state: "paid", due_cents: 0 });
    expect(deduct(bought, 5_430n).remaining_cents).toBe(2_570);
  });
  it("applies coupons of some products before those of all", () => {
    const lines = [aLine({ cents: 1_000 }), aLine({ product: "surveys", cents: 1_000 })];
    const half = aClaim({ slug: "half", value: 5_000 });
    const surveys = aClaim({ slug: "surveys", kind: "amount", value: 400, products: ["surveys"], claimed_at: 9 });
    expect(computeBill(lines, [half, surveys], [], NOW).coupons.map(({ claim, cents }) => [claim.slug, cents])).toEqual([
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
    const lines = fc.array(fc.record({ product: fc.constantFrom("a", "b", "c"), cents }), { maxLength: 6 });
    void fc.assert(
      fc.property(lines, claims, grants, (given, coupons, credit) => {
        const held = credit.map((each, at) => aGrant({ ...each, id: String(at) }));
        const bill = computeBill(
          given.map(aLine),
          coupons.map((each, at) => aClaim({ ...each, slug: String(at) })),
          held,
          NOW,
        );
        expect(bill.subtotal - bill.coupon + bill.tax - bill.credit).toBe(bill.due);
        expect(bill.due >= 0n && bill.coupon >= 0n && bill.coupon <= bill.subtotal).toBe(true);
        for (const use of bill.credits) {
          const after = deduct(use.grant, use.cents);
          expect(after.remaining_cents).toBeGreaterThanOrEqual(0);
          expect(giveBack(after, use.cents)).toEqual(use.grant);
        }
        const available = held.reduce((sum, { remaining_cents }) => sum + remaining_cents, 0);
        expect(bill.due === 0n || bill.credit === BigInt(available)).toBe(true);
      }),
    );
  });
});
