import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { BillingAccounts } from "../../../lib/billing/customer/account.ts";
import { CreditEntries } from "../../../lib/billing/customer/credit-grant.ts";
import { Subscriptions } from "../../../lib/billing/customer/subscription.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { ConditionFailed } from "../../../lib/ports/table.ts";
import { list } from "../../../lib/table/store.ts";
import { nextVersion } from "../../../lib/table/versions.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

type Customer = Awaited<ReturnType<typeof billingWorld>>;

/** What a customer ought to have, by the simplest means. */
interface Model {
  held: Map<string, string>;
  /** What of it ends with the period. */
  ending: Set<string>;
  tried: Set<string>;
  trial: string | null;
  claimed: Set<string>;
  cents: number;
}

const PRODUCTS = ["surveys", "product_analytics", "teams", "boost"] as const;
const planOf = (product: string): string => (product === "teams" || product === "boost" ? `${product}-20260101` : "paid-20260101");

type Command =
  | { readonly kind: "activate" | "deactivate" | "end"; readonly product: string }
  | { readonly kind: "switch"; readonly from: string; readonly to: string }
  | { readonly kind: "try"; readonly target: string }
  | { readonly kind: "cancel" }
  | { readonly kind: "claim"; readonly code: string }
  | { readonly kind: "buy"; readonly usd: number };

const request = (command: Command): readonly [path: string, body: object] => {
  switch (command.kind) {
    case "activate":
      return ["activate/", { products: `${command.product}:` }];
    case "deactivate":
      return ["deactivate/", { products: command.product }];
    case "end":
      return ["deactivate/", { products: command.product, cancel_at_period_end: true }];
    case "switch": {
      const { from, to } = command;
      const names = { from_product_key: from, from_plan_key: planOf(from), to_product_key: to, to_plan_key: planOf(to) };
      return ["subscription/switch-plan/", names];
    }
    case "try":
      return ["trials/activate/", { type: "standard", target: command.target }];
    case "cancel":
      return ["trials/cancel/", {}];
    case "claim":
      return ["coupons/claim/", { code: command.code }];
    case "buy":
      return ["credits/purchase/", { annual_amount_usd: command.usd, discount_percent: 0, collection_method: "charge_automatically" }];
  }
};

/** Carries a command out on the model; the code that it is refused with, or null. */
const expected = (model: Model, command: Command): string | null => {
  switch (command.kind) {
    case "activate":
      model.held.set(command.product, planOf(command.product));
      model.ending.delete(command.product);
      return null;
    case "deactivate":
      model.held.delete(command.product);
      model.ending.delete(command.product);
      return null;
    case "end":
      if (model.held.has(command.product)) model.ending.add(command.product);
      return null;
    case "switch":
      if (!model.held.has(command.from)) return "invalid_plan_switch";
      if (command.from === command.to) return null;
      if (model.held.has(command.to)) return "invalid_plan_switch";
      model.held.delete(command.from);
      model.ending.delete(command.from);
      model.held.set(command.to, planOf(command.to));
      return null;
    case "try":
      if (model.trial !== null || model.tried.has(command.target)) return "trial_already_used";
      model.trial = command.target;
      model.tried.add(command.target);
      return null;
    case "cancel":
      if (model.trial === null) return "no_active_trial";
      model.trial = null;
      return null;
    case "claim":
      if (model.claimed.has(command.code)) return "coupon_already_claimed";
      model.claimed.add(command.code);
      return null;
    case "buy":
      model.cents += command.usd * 100;
      return null;
  }
};

const Overview = z.looseObject({
  has_active_subscription: z.boolean(),
  products: z.array(
    z.looseObject({
      type: z.string(),
      subscribed: z.boolean(),
      addons: z.array(z.looseObject({ type: z.string(), subscribed: z.boolean() })),
    }),
  ),
  trial: z.looseObject({ status: z.string(), target: z.string() }).nullable(),
});

const check = async (customer: Customer, model: Model): Promise<void> => {
  const overview = Overview.parse(await customer.get(""));
  const subscribed = overview.products.flatMap((product) => [product, ...product.addons]).filter((item) => item.subscribed);
  expect(new Set(subscribed.map(({ type }) => type))).toEqual(new Set(model.held.keys()));
  expect(overview.has_active_subscription).toBe(model.held.size > 0);
  expect(overview.trial?.status === "active" ? overview.trial.target : null).toBe(model.trial);
  expect(Object(await customer.get("coupons/overview/")).claimed_coupons).toHaveLength(model.claimed.size);
  const organization_id = customer.organization.id;
  const entries = await list(customer.world.table, CreditEntries, "key", { organization_id });
  const { grants, subscription } = await readCustomerState(customer.world.table, organization_id);
  const goesOn = [...model.held.keys()].some((product) => !model.ending.has(product));
  expect(subscription?.state ?? "ended").toBe(model.held.size === 0 ? "ended" : goesOn ? "active" : "canceling");
  expect(entries.reduce((sum, { delta_cents }) => sum + delta_cents, 0)).toBe(model.cents);
  expect(grants.reduce((sum, { remaining_cents }) => sum + remaining_cents, 0)).toBe(model.cents);
};

/** Writes from a reading that is out of date never happen. */
const checkStale = async (customer: Customer, before: Awaited<ReturnType<typeof readCustomerState>>): Promise<void> => {
  const now = await readCustomerState(customer.world.table, customer.organization.id);
  const stale = [
    ...(now.account.version > before.account.version ? [nextVersion(BillingAccounts, before.account)] : []),
    ...(before.subscription && now.subscription && now.subscription.version > before.subscription.version
      ? [nextVersion(Subscriptions, before.subscription)]
      : []),
  ];
  for (const write of stale) await expect(customer.world.table.transact([write])).rejects.toThrow(ConditionFailed);
};

const product = fc.constantFrom(...PRODUCTS);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constantFrom("activate" as const, "deactivate" as const, "end" as const), product }),
  fc.record({ kind: fc.constant("switch" as const), from: product, to: product }),
  fc.record({ kind: fc.constant("try" as const), target: fc.constantFrom("paid", "teams", "enterprise") }),
  fc.constant({ kind: "cancel" as const }),
  fc.record({ kind: fc.constant("claim" as const), code: fc.constantFrom("A", "B") }),
  fc.record({ kind: fc.constant("buy" as const), usd: fc.integer({ min: 1, max: 50 }) }),
);

it("every command does what a simple model says, once however often it is sent, and never from an old reading", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(command, fc.integer({ min: 1, max: 3 }), fc.boolean()), { maxLength: 10 }), async (commands) => {
      const customer = await billingWorld(day(7, 9));
      const campaigns = ["A", "B"].map((code) => ({ slug: code, name: code, kind: "percent" as const, percent: 5, codes: [code] }));
      await applyDocument(customer.world, { coupon_campaigns: campaigns });
      const model: Model = { held: new Map(), ending: new Set(), tried: new Set(), trial: null, claimed: new Set(), cents: 0 };
      for (const [at, [each, times, atOnce]] of commands.entries()) {
        const before = await readCustomerState(customer.world.table, customer.organization.id);
        const refusal = expected(model, each);
        const [path, body] = request(each);
        const send = () => customer.post(path, body, `key-${at}`);
        const answers = [];
        if (atOnce) answers.push(...(await Promise.all(Array.from({ length: times }, send))));
        else for (let sent = 0; sent < times; sent += 1) answers.push(await send());
        for (const { status, json } of answers) {
          expect([status, status === 200 ? null : Object(json).code]).toEqual([refusal === null ? 200 : 400, refusal]);
          expect(json).toEqual(answers[0]?.json);
        }
        await checkStale(customer, before);
        await check(customer, model);
      }
    }),
    { numRuns: 30 },
  );
});
