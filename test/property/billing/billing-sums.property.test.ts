import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { CreditEntries } from "../../../lib/billing/customer/credit-grant.ts";
import { type Invoice, Invoices } from "../../../lib/billing/invoices.ts";
import { list } from "../../../lib/table/store.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

type Customer = Awaited<ReturnType<typeof billingWorld>>;

const TYPES = {
  product_analytics: "event_count_in_period",
  error_tracking: "exceptions_captured_in_period",
  surveys: "survey_responses_count_in_period",
} as const;

const july = fc.integer({ min: 1, max: 31 });

/** What is used on a day by a project; many in the first tiers, some far beyond. */
const use = fc.record({
  date: july,
  project: fc.integer({ min: 1, max: 4 }),
  product: fc.constantFrom("product_analytics", "error_tracking", "surveys"),
  units: fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 4_000_000 })),
});

const step = fc.record({
  date: july,
  kind: fc.constantFrom("activate", "deactivate", "cancel"),
  product: fc.constantFrom("product_analytics", "error_tracking", "surveys", "boost", "teams"),
});

const coupon = fc.oneof(
  fc.record({ kind: fc.constant("percent" as const), percent: fc.integer({ min: 1, max: 60 }) }),
  fc.record({
    kind: fc.constant("percent" as const),
    percent: fc.integer({ min: 1, max: 60 }),
    products: fc.constant<string[]>(["surveys"]),
  }),
  fc.record({ kind: fc.constant("amount" as const), amount_cents: fc.integer({ min: 1, max: 20_000 }) }),
);

const month = fc.record({
  uses: fc.array(use, { maxLength: 25 }),
  steps: fc.array(step, { maxLength: 6 }),
  coupons: fc.array(coupon, { maxLength: 3 }),
  credits: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 3 }),
});

type Lived = typeof month extends fc.Arbitrary<infer T> ? T : never;

const Answer = z.looseObject({
  results: z.array(z.looseObject({ data: z.array(z.number()), breakdown_value: z.union([z.string(), z.array(z.string())]).nullable() })),
});
type Answer = z.output<typeof Answer>;

const spendBy = async (customer: Customer, breakdowns: readonly string[], more = ""): Promise<Answer> =>
  Answer.parse(
    await customer.get(
      `spend/?start_date=2026-07-01&end_date=2026-07-31&breakdowns=${encodeURIComponent(JSON.stringify(breakdowns))}${more}`,
    ),
  );

const sumOf = ({ results }: Answer, of: (value: Answer["results"][number]["breakdown_value"]) => boolean = () => true): number =>
  results
    .filter(({ breakdown_value }) => of(breakdown_value))
    .reduce((sum, { data }) => sum + data.reduce((all, each) => all + each, 0), 0);

/** What all series come to on each day, whole millionths of a dollar. */
const microsByDay = ({ results }: Answer): readonly number[] =>
  Array.from({ length: 31 }, (_, at) => results.reduce((sum, { data }) => sum + Math.round((data[at] ?? 0) * 1e6), 0));

/** A month of a product is days of six places, each rounded by itself. */
const ROUNDING = 31 * 0.5e-6;
const HALF_A_CENT = 0.005;

const live = async (customer: Customer, { uses, steps, coupons, credits }: Lived): Promise<void> => {
  await applyDocument(customer.world, {
    coupon_campaigns: coupons.map((each, at) => ({ slug: `c${at}`, name: "C", duration: "forever" as const, codes: [`C${at}`], ...each })),
  });
  for (const { date, kind, product } of steps.toSorted((a, b) => a.date - b.date)) {
    customer.at(day(7, date) + 1_000);
    const body = kind === "activate" ? { products: `${product}:` } : { products: product, cancel_at_period_end: kind === "cancel" };
    expect((await customer.post(kind === "activate" ? "activate/" : "deactivate/", body)).status).toBe(200);
  }
  for (const at of coupons.keys()) await customer.post("coupons/claim/", { code: `C${at}` });
  for (const usd of credits)
    await customer.post("credits/purchase/", { annual_amount_usd: usd, discount_percent: 0, collection_method: "charge_automatically" });
  const counted = new Map<string, number>();
  for (const { date, project, product, units } of uses) {
    const name = `${date} ${project} ${product}`;
    counted.set(name, (counted.get(name) ?? 0) + units);
    await customer.use(day(7, date), counted.get(name) ?? 0, { type: TYPES[product], project });
  }
};

const linesByType = ({ lines }: Invoice): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { usage_type, product, cents } of lines) sums.set(usage_type ?? product, (sums.get(usage_type ?? product) ?? 0) + cents);
  return sums;
};

it("series, overview and invoice say the same of a month, however it was used, split, subscribed, reduced and paid", async () => {
  await fc.assert(
    fc.asyncProperty(month, async (lived) => {
      const customer = await billingWorld(day(7, 1));
      await live(customer, lived);
      customer.at(day(8, 1) - 1);
      const before = {
        types: await spendBy(customer, ["type"]),
        both: await spendBy(customer, ["type", "team"]),
        folded: await spendBy(customer, ["team", "type"], "&top_projects=1"),
        all: await spendBy(customer, []),
      };
      const overview = Object(await customer.get(""));
      for (const each of [before.both, before.folded, before.all]) expect(microsByDay(each)).toEqual(microsByDay(before.types));
      customer.at(day(8, 8) + 1);
      await customer.close();
      const [invoice] = await list(customer.world.table, Invoices, "key", { organization_id: customer.organization.id });
      if (invoice === undefined) {
        expect([overview.current_total_amount_usd, sumOf(before.types)]).toEqual(["0.00", 0]);
        return;
      }
      const dollars = (cents: number): string => (cents / 100).toFixed(2);
      expect(overview.current_total_amount_usd).toBe(dollars(invoice.subtotal_cents));
      expect(overview.current_total_amount_usd_after_discount).toBe(dollars(invoice.subtotal_cents - invoice.coupon_cents));
      expect(invoice.lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(invoice.subtotal_cents);
      for (const [type, cents] of linesByType(invoice)) {
        const spent = sumOf(before.types, (value) => value === type);
        expect(Math.abs(spent - cents / 100)).toBeLessThanOrEqual(HALF_A_CENT + ROUNDING);
      }
      expect(new Set(before.types.results.map(({ breakdown_value }) => breakdown_value))).toEqual(
        new Set([...linesByType(invoice)].flatMap(([type]) => (sumOf(before.types, (value) => value === type) > 0 ? [type] : []))),
      );
      expect(await spendBy(customer, ["type", "team"])).toEqual(before.both);
      const entries = await list(customer.world.table, CreditEntries, "key", { organization_id: customer.organization.id });
      const used = -entries.filter(({ reason }) => reason === "invoice").reduce((sum, { delta_cents }) => sum + delta_cents, 0);
      expect(invoice.subtotal_cents - invoice.coupon_cents + invoice.tax_cents - used).toBe(invoice.due_cents);
      expect(invoice.due_cents === 0 || used === lived.credits.reduce((sum, usd) => sum + usd * 100, 0)).toBe(true);
    }),
    { numRuns: 100 },
  );
});
