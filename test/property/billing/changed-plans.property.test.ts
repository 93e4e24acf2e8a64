import fc from "fast-check";
import { expect, it } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { readInvoices } from "../../../lib/billing/invoices.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { keyIn, listDocument, priceList, replacements } from "../../histories/price-list.ts";
import { halfEven, NANO_PER_CENT } from "../../model/billing/amounts.ts";
import { monthAt, shifted } from "../../model/billing/months.ts";
import { findItem, type Plan, type PriceList, tieredCost } from "../../model/billing/price-lists.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const JULY = day(7, 1);
const HALF_DAY_MS = DAY_MS / 2;

/** Units of events by day of the month. */
const usage = fc.array(fc.record({ date: fc.integer({ min: 0, max: 29 }), units: fc.integer({ min: 1, max: 3_000 }) }), { maxLength: 12 });

const aCustomer = async (list: PriceList) => {
  const customer = await billingWorld(JULY);
  await applyDocument(customer.world, { billing_catalogue: listDocument(list) });
  await customer.post("activate/", { products: `product_analytics:${keyIn(list, "paid")},surveys:,boost:` });
  return {
    ...customer,
    async used(month: number, days: readonly { readonly date: number; readonly units: number }[]) {
      for (const { date, units } of days) await customer.use(month + date * DAY_MS, units);
    },
    async switchAt(at: number, from: string, to: string) {
      customer.at(at);
      const [from_product_key, to_product_key] = ["product_analytics", "product_analytics"];
      const reply = await customer.post("subscription/switch-plan/", {
        from_product_key,
        from_plan_key: from,
        to_product_key,
        to_plan_key: to,
      });
      expect(reply.status).toBe(200);
    },
    /** What the invoice of a month says: its lines without their names, and their sum. */
    async bill(month: number) {
      customer.at(monthAt(month).end + 8 * DAY_MS);
      for (let times = 0; times < 3; times += 1) await customer.close();
      const made = (await readInvoices(customer.world.table, customer.organization.id)).find(({ period_start }) => period_start === month);
      const lines = made?.lines.filter(({ cents }) => cents !== 0) ?? [];
      return { cents: made?.subtotal_cents, lines: lines.map(({ product, quantity, cents }) => ({ product, quantity, cents })) };
    },
  };
};

it("a switch away and back within less than half a day, also across midnight, changes the bill by nothing, whatever either plan costs", async () => {
  await fc.assert(
    fc.asyncProperty(
      priceList,
      usage,
      fc.integer({ min: 1, max: 31 * DAY_MS - HALF_DAY_MS }),
      fc.integer({ min: 1, max: HALF_DAY_MS - 1 }),
      fc.constantFrom("free", "scale"),
      async (list, days, at, lengthMs, away) => {
        const [stays, goes] = [await aCustomer(list), await aCustomer(list)];
        for (const customer of [stays, goes]) await customer.used(JULY, days);
        await goes.switchAt(JULY + at, keyIn(list, "paid"), keyIn(list, away));
        await goes.switchAt(JULY + at + lengthMs, keyIn(list, away), keyIn(list, "paid"));
        expect(await goes.bill(JULY)).toEqual(await stays.bill(JULY));
      },
    ),
    { numRuns: 20 },
  );
});

const cost = ({ isFree, tiers }: Plan, before: bigint, units: bigint): bigint =>
  isFree || tiers === null ? 0n : tieredCost(tiers, before + units) - tieredCost(tiers, before);

it("a switch of some days changes the bill by what their units cost at their positions in either list, and by nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(
      priceList,
      usage,
      fc.integer({ min: 1, max: 28 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom("free", "scale"),
      async (list, days, first, length, away) => {
        const [stays, goes] = [await aCustomer(list), await aCustomer(list)];
        for (const customer of [stays, goes]) await customer.used(JULY, days);
        // Away before the noon of the first day and back before that of the day after the last.
        await goes.switchAt(JULY + first * DAY_MS + HALF_DAY_MS - 1, keyIn(list, "paid"), keyIn(list, away));
        await goes.switchAt(JULY + (first + length) * DAY_MS + HALF_DAY_MS - 1, keyIn(list, away), keyIn(list, "paid"));
        const plans = findItem(list, "product_analytics")?.plans ?? [];
        const [own, other] = ["paid", away].map((role) => plans.find(({ key }) => key === keyIn(list, role)));
        if (own === undefined || other === undefined) throw new Error("the list lacks a plan");
        const counted = new Map(days.map(({ date, units }) => [date, BigInt(units)]));
        const nano = { own: 0n, ownAndAway: 0n, away: 0n };
        let before = 0n;
        for (let date = 0; date < 31; date += 1) {
          const units = counted.get(date) ?? 0n;
          const isAway = date >= first && date < first + length;
          nano.ownAndAway += cost(own, before, units);
          if (isAway) nano.away += cost(other, before, units);
          else nano.own += cost(own, before, units);
          before += units;
        }
        const cents = (amount: bigint): number => Number(halfEven(amount, NANO_PER_CENT));
        const change = cents(nano.own) + cents(nano.away) - cents(nano.ownAndAway);
        expect((await goes.bill(JULY)).cents).toBe(Number((await stays.bill(JULY)).cents) + change);
      },
    ),
    { numRuns: 20 },
  );
});

it("the list before the last one, applied again, gives the bills before the last one's", async () => {
  await fc.assert(
    fc.asyncProperty(priceList, priceList, usage, async (list, between, days) => {
      const customer = await aCustomer(list);
      // Months of 31, 31 and 30 days; days of use are the same in each, and a fee is a month's.
      const [first, second, third] = [0, 1, 2].map((months) => shifted(JULY, months).start) as [number, number, number];
      for (const month of [first, second, third]) await customer.used(month, days);
      const give = async (at: number, next: PriceList, before: readonly PriceList[]) => {
        customer.at(at);
        await applyDocument(customer.world, { billing_catalogue: { ...listDocument(next), replaces: replacements(next, before) } });
      };
      await give(JULY + 3 * DAY_MS, between, [list]);
      const inFirst = await customer.bill(first);
      await give(second + 20 * DAY_MS, list, [list, between]);
      await customer.bill(second);
      const inThird = await customer.bill(third);
      const withoutDays = ({ lines }: typeof inFirst) => lines.map(({ product, cents }) => ({ product, cents }));
      expect(withoutDays(inThird)).toEqual(withoutDays(inFirst));
    }),
    { numRuns: 20 },
  );
});
