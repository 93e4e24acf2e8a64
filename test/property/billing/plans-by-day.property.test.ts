import fc from "fast-check";
import { expect, it } from "vitest";
import { periodPrices } from "../../../lib/billing/catalogue/period-prices.ts";
import { priceHistory } from "../../../lib/billing/catalogue/price-history.ts";
import { addChoices, endProducts, type Subscription } from "../../../lib/billing/customer/subscription.ts";
import type { Trial } from "../../../lib/billing/customer/trial.ts";
import { periodAt } from "../../../lib/billing/rating/period.ts";
import type { PlanDays } from "../../../lib/billing/rating/plan-days.ts";
import { foldDays, plansByDay } from "../../../lib/billing/rating/plans-by-day.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 6, 1);
const DAYS = 70;
const OF = { organization_id: "0190d0aa-0000-7000-8000-000000000001", id: "s" };

const plan = (plan_key: string, usd: string | null) => ({
  plan_key,
  name: plan_key,
  is_free: usd === null,
  tiers: usd === null ? null : [{ up_to: null, unit_amount_usd: usd }],
});
const list = (...plans: readonly (readonly [string, string | null])[]) => ({
  products: ["one", "two"].map((type) => ({
    type,
    name: type,
    usage_type: "event_count_in_period",
    plans: plans.map(([key, usd]) => plan(key, usd)),
  })),
});
const version = (number: number, at: number, document: ReturnType<typeof list>, replaces: Record<string, string> = {}) => ({
  id: `v${number}`,
  number,
  effective_from: new Date(at).toISOString(),
  from_beginning: number === 1,
  replaces,
  document,
});
const history = priceHistory([
  version(1, START, list(["free", null], ["a", "1"], ["b", "2"])),
  version(2, Date.UTC(2026, 7, 1), list(["free", null], ["a", "3"], ["c", "4"]), { b: "c" }),
]);
const pricesAt = (moment: number) => periodPrices(history, 1, periodAt(1, moment));

const action = fc.record({
  /** Often at once or nearly, and often around midnight. */
  hours: fc.oneof(fc.constantFrom(0, 0.01, 12, 24), fc.double({ min: 0, max: 200, noNaN: true })),
  product: fc.constantFrom("one", "two"),
  to: fc.constantFrom("a", "b", "free", "nothing", "at the end"),
});

const changed = (
  held: Subscription | undefined,
  { product, to }: { product: string; to: string },
  now: number,
): Subscription | undefined => {
  if (to === "nothing") return held && endProducts(held, [product], now);
  if (to === "at the end") return held && endProducts(held, [product], now, periodAt(1, now).end);
  const key = to === "b" && now >= Date.UTC(2026, 7, 1) ? "c" : to;
  return addChoices(held, OF, [{ product, plan_key: key }], now);
};

/** One entry for each product and day. */
const told = (runs: readonly PlanDays[]): readonly string[] =>
  runs
    .flatMap(({ product, plan_key, is_trial, first_day, last_day }) =>
      Array.from({ length: last_day - first_day + 1 }, (_, at) => `${first_day + at} ${product} ${plan_key} ${is_trial}`),
    )
    .sort();

const trial: Trial = {
  organization_id: OF.organization_id,
  target: "one",
  type: "standard",
  status: "active",
  started_at: START + 20 * DAY_MS + 5 * HOUR_MS,
  expires_at: START + 41 * DAY_MS + 13 * HOUR_MS,
  cancelled_at: null,
  due_at: null,
  version: 1,
};

it("days that are over are told the same whether they were folded at each change or never", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 25 }), fc.boolean(), (actions, isTrying) => {
      const trials = isTrying ? [trial] : [];
      let now = START;
      let plain: Subscription | undefined;
      let folded: Subscription | undefined;
      for (const each of actions) {
        now = Math.min(now + Math.round(each.hours * HOUR_MS), START + DAYS * DAY_MS);
        // A plan that the list has replaced is known by its new key to whoever changes something.
        folded = changed(folded && foldDays(folded, trials, pricesAt, now), each, now);
        plain = changed(plain, each, now);
      }
      const end = START + DAYS * DAY_MS;
      for (const moment of [START, Date.UTC(2026, 7, 1), Date.UTC(2026, 8, 1)]) {
        const [one, other] = [plain, folded].map((subscription) => told(plansByDay({ subscription, trials }, pricesAt(moment), end)));
        expect(other).toEqual(one);
      }
      expect((folded?.items ?? []).length).toBeLessThanOrEqual(actions.length);
    }),
    { numRuns: 500 },
  );
});

it("the plan of a day is the one of most of its minutes, nothing among them, and of two as long the later", () => {
  const minute = 60_000;
  const changes = fc.array(fc.record({ at: fc.integer({ min: 0, max: 3 * 1_440 }), to: fc.constantFrom("a", "b", "free", "nothing") }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(changes, (given) => {
      const ordered = given.toSorted((a, b) => a.at - b.at);
      let held: Subscription | undefined;
      for (const { at, to } of ordered) held = changed(held, { product: "one", to }, START + at * minute);
      const runs = plansByDay({ subscription: held, trials: [] }, pricesAt(START), START + 20 * DAY_MS);
      const inForce = (at: number): string => ordered.findLast((each) => each.at <= at)?.to ?? "nothing";
      for (const day of [0, 1, 2]) {
        const minutes = Array.from({ length: 1_440 }, (_, at) => inForce(day * 1_440 + at));
        const count = (plan: string): number => minutes.filter((each) => each === plan).length;
        const [longest] = [...new Set(minutes)].toSorted((a, b) => count(b) - count(a) || minutes.lastIndexOf(b) - minutes.lastIndexOf(a));
        const own = runs.find(({ first_day, last_day }) => START / DAY_MS + day >= first_day && START / DAY_MS + day <= last_day);
        expect(own?.plan_key ?? "nothing").toBe(longest);
      }
    }),
    { numRuns: 300 },
  );
});
