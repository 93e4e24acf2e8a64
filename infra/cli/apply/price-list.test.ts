import { expect, test } from "vitest";
import { systemClock, systemIds } from "../../../lib/app/system.ts";
import { BUILT_IN } from "../../../lib/billing/catalogue/built-in-catalogue.ts";
import { readPriceHistory } from "../../../lib/billing/catalogue/price-history.ts";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { memoryTokenKeys } from "../../../test/support/memory-token-keys.ts";
import { applyDocument } from "./apply.ts";
import { DocumentProblem } from "./problem.ts";

const applied = async (billing_catalogue: unknown) => {
  const table = memoryTable();
  await applyDocument({ table, clock: systemClock, ids: systemIds(systemClock), tokenKeys: memoryTokenKeys() }, { billing_catalogue });
  return (await readPriceHistory(table)).at(systemClock.now());
};

/** What is told of a list that is refused. */
const refusal = (list: unknown): Promise<string> =>
  applied(list).then(
    () => "nothing",
    (error: unknown) => (error instanceof DocumentProblem ? error.message : String(error)),
  );

const TIERS = [
  { up_to: 1_000, unit_amount_usd: "0" },
  { up_to: 5_000, unit_amount_usd: "0.01", flat_amount_usd: "5" },
  { up_to: null, unit_amount_usd: "0.005" },
];

const PAID = { plan_key: "paid", name: "Paid", free_allocation: 1_000, tiers: TIERS };
const PERSONS = { type: "persons", name: "Persons", plans: [{ plan_key: "flat", name: "Flat", flat_amount_usd: "10" }] };
const EVENTS = {
  type: "events",
  name: "Events",
  usage_key: "events",
  usage_type: "event_count_in_period",
  plans: [{ plan_key: "free", name: "Free", is_free: true, free_allocation: 1_000 }, PAID],
  addons: [PERSONS],
};

const withProduct = (change: object) => ({ products: [{ ...EVENTS, ...change }] });
const withPlan = (change: object) => withProduct({ plans: [EVENTS.plans[0], { ...PAID, ...change }] });
const withTiers = (...tiers: readonly object[]) => withPlan({ free_allocation: null, tiers });
const withAddon = (change: object) => withProduct({ addons: [{ ...PERSONS, ...change }] });

test("a list without a mistake is stored, and so is the built-in one", async () => {
  expect(await applied({ products: [EVENTS] })).toMatchObject({
    id: "v000001",
    products: [{ type: "events", addons: [{ type: "persons" }] }],
  });
  expect(await applied(BUILT_IN)).toEqual({ id: "v000001", ...BUILT_IN });
});

const PRODUCT = "billing_catalogue.products[0]";
const UNKNOWN = "there is no such field";

test.each([
  ["a list's field", { products: [EVENTS], currency: "USD" }, `billing_catalogue.currency: ${UNKNOWN}`],
  ["a product's field", withProduct({ usagetype: "event_count_in_period" }), `${PRODUCT}.usagetype: ${UNKNOWN}`],
  ["an addon's field", withAddon({ prise: "1" }), `${PRODUCT}.addons[0].prise: ${UNKNOWN}`],
  ["an addon's addons", withAddon({ addons: [] }), `${PRODUCT}.addons[0].addons: ${UNKNOWN}`],
  ["a trial's field", withAddon({ trial: { length: 30, days: 3 } }), `${PRODUCT}.addons[0].trial.days: ${UNKNOWN}`],
  ["a plan's field", withPlan({ flat_amount: "5" }), `${PRODUCT}.plans[1].flat_amount: ${UNKNOWN}`],
  ["a plan's mode", withPlan({ mode: "volume" }), `${PRODUCT}.plans[1].mode: ${UNKNOWN}`],
  ["a feature's field", withPlan({ features: [{ key: "a", name: "A", max: 3 }] }), `${PRODUCT}.plans[1].features[0].max: ${UNKNOWN}`],
  ["a tier's field", withTiers({ ...TIERS[2], mode: "volume" }), `${PRODUCT}.plans[1].tiers[0].mode: ${UNKNOWN}`],
])("a name that is unknown is refused where it stands: %s", async (_, list, message) => {
  expect(await refusal(list)).toBe(message);
});

test.each([
  [
    "an identifier without its end",
    withProduct({ usage_type: "event_count" }),
    `${PRODUCT}.usage_type: unknown usage identifier "event_count"; did you mean "event_count_in_period"?`,
  ],
  [
    "an identifier with a letter too many",
    withAddon({ usage_type: "ai_events_count_in_period" }),
    `${PRODUCT}.addons[0].usage_type: unknown usage identifier "ai_events_count_in_period"; did you mean "ai_event_count_in_period"?`,
  ],
  ["an identifier like no other", withProduct({ usage_type: "cakes" }), `${PRODUCT}.usage_type: unknown usage identifier "cakes"`],
  ["an identifier that says nothing", withProduct({ usage_type: "" }), `${PRODUCT}.usage_type: unknown usage identifier ""`],
  ["a key", withProduct({ usage_key: "event" }), `${PRODUCT}.usage_key: unknown usage key "event"; did you mean "events"?`],
  ["a name that objects have", withProduct({ usage_key: "constructor" }), `${PRODUCT}.usage_key: unknown usage key "constructor"`],
])("what nothing is counted by is refused, with what may have been meant: %s", async (_, list, message) => {
  expect(await refusal(list)).toBe(message);
});

test.each([
  ["tiers that price what nothing counts", withProduct({ usage_type: null }), `${PRODUCT}.usage_type: `],
  ["a last tier with an end", withTiers({ up_to: 10, unit_amount_usd: "1" }), `${PRODUCT}.plans[1].tiers[0].up_to: `],
  ["an endless tier before another", withTiers(...TIERS.toReversed()), `${PRODUCT}.plans[1].tiers[0].up_to: `],
  ["tiers that do not ascend", withTiers(TIERS[1] ?? {}, TIERS[0] ?? {}, TIERS[2] ?? {}), `${PRODUCT}.plans[1].tiers[1].up_to: `],
  ["no tier at all", withTiers(), `${PRODUCT}.plans[1].tiers: `],
  ["free units that the first tier prices", withPlan({ tiers: TIERS.slice(1) }), `${PRODUCT}.plans[1].free_allocation: `],
  ["free units that a later tier prices", withPlan({ free_allocation: 1_001 }), `${PRODUCT}.plans[1].free_allocation: `],
  [
    "free units that cost a fee",
    withPlan({ tiers: [{ ...TIERS[0], flat_amount_usd: "1" }, TIERS[2]] }),
    `${PRODUCT}.plans[1].free_allocation: `,
  ],
  ["a free plan with a price", withPlan({ is_free: true }), `${PRODUCT}.plans[1].is_free: `],
  ["a free plan with a fee", withPlan({ is_free: true, tiers: null, flat_amount_usd: "1" }), `${PRODUCT}.plans[1].is_free: `],
  ["a moment that is none", { products: [EVENTS], effective_from: "next week" }, "billing_catalogue.effective_from: "],
  ["a moment without a zone", { products: [EVENTS], effective_from: "2027-01-01T00:00:00" }, "billing_catalogue.effective_from: "],
  ["a price of ten decimal places", withPlan({ flat_amount_usd: "0.0000000001" }), `${PRODUCT}.plans[1].flat_amount_usd: `],
  ["a price in another notation", withTiers({ up_to: null, unit_amount_usd: "1e-5" }), `${PRODUCT}.plans[1].tiers[0].unit_amount_usd: `],
  ["a fee that is no number", withPlan({ is_free: true, tiers: null, flat_amount_usd: "NaN" }), `${PRODUCT}.plans[1].flat_amount_usd: `],
  ["a product without plans", withProduct({ plans: [] }), `${PRODUCT}.plans: `],
  ["one key for two plans", withProduct({ plans: [PAID, PAID] }), `${PRODUCT}.plans[1].plan_key: `],
  ["one type for two products", { products: [EVENTS, { ...EVENTS, addons: [] }] }, "billing_catalogue.products[1].type: "],
  ["one type for a product and its addon", withAddon({ type: "events" }), `${PRODUCT}.addons[0].type: `],
])("prices that say no one thing are refused where they stand: %s", async (_, list, place) => {
  expect(await refusal(list)).toMatch(new RegExp(`^${place.replace(/[[\].]/g, "\\$&")}\\S`));
});
