import { applyDocument } from "../../infra/cli/apply/apply.ts";
import { giveCredit } from "../../lib/billing/credit.ts";
import { CreditGrants } from "../../lib/billing/customer/credit-grant.ts";
import { stepInvoice } from "../../lib/billing/invoices.ts";
import { list } from "../../lib/table/store.ts";
import type { Campaign } from "../model/billing/coupons.ts";
import { heldAt, planIn } from "../model/billing/holdings.ts";
import { Ledger } from "../model/billing/ledger.ts";
import { closesAt, DAY_MS, type Month, monthAt, shifted, yearLater } from "../model/billing/months.ts";
import { listAt, type PriceList } from "../model/billing/price-lists.ts";
import { Refusal } from "../model/billing/refusal.ts";
import { billingWorld } from "../support/worlds/billing-world.ts";
import { BREAKDOWNS, type Customer, compareOverview, compareSeries, rangeUntil } from "./compare.ts";
import { compareInvoices } from "./compare-invoices.ts";
import { Difference, same } from "./difference.ts";
import {
  type Act,
  type Count,
  type History,
  type ListChange,
  type Look,
  MONTHS,
  momentOf,
  monthNumber,
  type Settlement,
} from "./history.ts";
import { keyIn, listDocument, replacements } from "./price-list.ts";

/** A history as it is lived: by the product, and beside it by the ledger. */
interface Life {
  readonly customer: Customer;
  readonly ledger: Ledger;
  readonly history: History;
  readonly limits: Map<string, bigint>;
  /** Lists as they were given, also such as were never in force. */
  readonly lists: PriceList[];
  readonly grantIds: string[];
  now: number;
}

type Happening = { readonly at: number; readonly do: (life: Life) => Promise<void> };

/** Lives a history and compares every figure on its way. Throws a `Difference` at the first one. */
export const live = async (history: History): Promise<void> => {
  const start = monthNumber(0).start;
  const customer = await billingWorld(start);
  const life: Life = { customer, ledger: new Ledger(), history, limits: new Map(), lists: [], grantIds: [], now: start };
  life.ledger.pass(start);
  await applyDocument(customer.world, { coupon_campaigns: history.campaigns.map(campaignEntry) });
  await giveList(life, history.list, start);
  for (const { at, do: happen } of timeline(history)) {
    await passTo(life, at);
    await happen(life);
  }
  await compareInvoices(customer, life.ledger, await grantIds(life), { now: life.now, fresh: 0 });
};

const campaignEntry = ({ slug, kind, value, duration, periods, products, validDays }: Campaign) => ({
  slug,
  name: slug,
  codes: [slug],
  duration,
  ...(kind === "percent" ? { kind, percent: value / 100 } : { kind, amount_cents: value }),
  ...(periods !== null && { periods }),
  ...(products !== null && { products: [...products] }),
  ...(validDays !== null && { valid_days: validDays }),
});

/** Everything that happens, in its order. */
const timeline = (history: History): readonly Happening[] => {
  const acts = history.acts.flatMap(({ when, act }): Happening[] => {
    const at = momentOf(when);
    if (act.kind !== "excursion") return [{ at, do: (life) => perform(life, act) }];
    return excursion(at, act.to, act.lengthMs);
  });
  const lists = history.lists.map((change): Happening => ({ at: momentOf(change.when), do: (life) => changeList(life, change) }));
  const settlements = history.settlements.flatMap(({ step, days }, month): Happening[] => {
    const at = closesAt(monthNumber(month)) + history.lagMs + days * DAY_MS + 1;
    return step === null ? [] : [{ at, do: (life) => settle(life, monthNumber(month), step) }];
  });
  const counts = history.counts.flatMap(counting);
  const looks = history.looks.map((look): Happening => ({ at: momentOf(look.when), do: (life) => lookAt(life, look) }));
  const ends = history.settlements.flatMap((_, month): Happening[] => [
    { at: monthNumber(month).end - 1, do: (life) => lookAt(life, { when: { month, day: 0, time: 0 }, days: 30, interval: "day" }) },
  ]);
  const last: Happening = {
    at: monthNumber(MONTHS).start + 9 * DAY_MS,
    do: (life) => lookAt(life, { when: { month: 0, day: 0, time: 0 }, days: 365, interval: "month" }),
  };
  return [...acts, ...lists, ...counts, ...looks, ...settlements, ...ends, last]
    .filter(({ at }) => at <= last.at)
    .toSorted((one, other) => one.at - other.at);
};

const counting = ({ month, day, type, project, units, again, lateDays }: Count): readonly Happening[] => {
  const on = momentOf({ month, day, time: 0 });
  const counted = (at: number, so: number): Happening => ({
    at,
    async do({ customer, ledger }) {
      ledger.count(on / DAY_MS, type, project, BigInt(so));
      await customer.use(on, so, { type, project });
    },
  });
  const known = on + DAY_MS / 2 + lateDays * DAY_MS;
  return [counted(known, units), ...(again === null ? [] : [counted(known + again.days * DAY_MS, again.units)])];
};

/** Lets time pass, with runs of the schedule for everything that is due on the way. */
const passTo = async (life: Life, to: number): Promise<void> => {
  const { lagMs } = life.history;
  for (let due = life.ledger.nextDue(); due + lagMs <= to; due = life.ledger.nextDue()) {
    turn(life, Math.max(due + lagMs, life.now));
    const before = life.ledger.invoices.length;
    await runSchedule(life);
    if (life.ledger.invoices.length === before) continue;
    await compareInvoices(life.customer, life.ledger, await grantIds(life), { now: life.now, fresh: before });
  }
  turn(life, to);
};

/** Runs the schedule twice: what one run opens is made by the next. What it fails at is in the log. */
const runSchedule = async ({ customer, ledger, now }: Life): Promise<void> => {
  ledger.close();
  for (let runs = 0; runs < 2; runs += 1) {
    await customer.close().catch(() => {
      const fault = customer.log.lines.findLast(({ level }) => level === "error");
      throw new Difference(`closing at ${new Date(now).toISOString()}`, "no fault", fault);
    });
  }
};

const turn = (life: Life, now: number): void => {
  life.now = now;
  life.ledger.pass(now);
  life.customer.at(now);
};

/** Grants in the order in which they were made; the ledger knows them by that. */
const grantIds = async ({ customer, ledger, grantIds: known }: Life): Promise<readonly string[]> => {
  if (known.length < ledger.grants.length) {
    const stored = await list(customer.world.table, CreditGrants, "key", { organization_id: customer.organization.id });
    known.push(
      ...stored
        .map(({ id }) => id)
        .filter((id) => !known.includes(id))
        .sort(),
    );
  }
  return known;
};

/** The operator writes a payment down, forgives what is owed, or gives it up. */
const settle = async (life: Life, month: Month, step: NonNullable<Settlement["step"]>): Promise<void> => {
  const { customer, ledger } = life;
  await runSchedule(life);
  const expected = ledger.settle(month, step);
  const key = { organization_id: customer.organization.id, period_start: month.start };
  same(`${step} of ${new Date(month.start).toISOString().slice(0, 7)}`, expected, await stepInvoice(customer.world, key, step));
};

/** Gives a list, with what takes the place of plans that it does not have. */
const giveList = async ({ customer, ledger, lists }: Life, priceList: PriceList, from: number, said?: string): Promise<void> => {
  const replaces = replacements(priceList, lists);
  const more = { ...(said !== undefined && { effective_from: said }), ...(Object.keys(replaces).length > 0 && { replaces }) };
  await applyDocument(customer.world, { billing_catalogue: { ...listDocument(priceList), ...more } });
  ledger.give(priceList, from, replaces);
  lists.push(priceList);
};

const changeList = async (life: Life, { list: change, from }: ListChange): Promise<void> => {
  const next = change === "the one before" ? life.lists.at(-2) : change;
  if (next === undefined || next === life.lists.at(-1)) return;
  if (from === "by default") return giveList(life, next, shifted(life.now, 1).start);
  const at = from === "a month later" ? shifted(life.now, 2).start : shifted(life.now, 1).start + 14 * DAY_MS;
  return giveList(life, next, at, new Date(at).toISOString());
};

const lookAt = async ({ customer, ledger, limits, now }: Life, { days, interval }: Look): Promise<void> => {
  await compareOverview(customer, ledger, limits, now);
  const range = rangeUntil(now, days);
  for (const by of BREAKDOWNS) await compareSeries(customer, ledger, { ...range, interval, by });
};

/** Away to another plan, and back to what was held: twice a switch, where something was held. */
const excursion = (at: number, to: { readonly product: string; readonly role: string }, lengthMs: number): Happening[] => {
  let from: string | undefined;
  return [
    {
      at,
      async do(life) {
        from = heldKey(life, to.product);
        if (from !== undefined)
          await switchPlan(life, { product: to.product, plan: from }, { product: to.product, plan: keyNow(life, to.role) });
      },
    },
    {
      at: at + lengthMs,
      async do(life) {
        const held = heldKey(life, to.product);
        if (from !== undefined && held !== undefined) {
          await switchPlan(
            life,
            { product: to.product, plan: held },
            { product: to.product, plan: keyNow(life, from.replace(/-\d+$/, "")) },
          );
        }
      },
    },
  ];
};

/** The key of the plan that is held of a product. */
const heldKey = ({ ledger, now }: Life, product: string): string | undefined => {
  const held = heldAt(ledger.holdings, now).find((each) => each.product === product);
  return held && planIn(ledger.given, held, monthAt(now))?.key;
};

const keyNow = ({ ledger, now }: Life, role: string): string => keyIn(listAt(ledger.given, monthAt(now).start), role);

/** Does what an act says by the product's door and in the ledger; both do it, or refuse it by the same rule. */
const perform = async (life: Life, act: Exclude<Act, { readonly kind: "excursion" }>): Promise<void> => {
  const { customer, ledger, limits, history, now } = life;
  switch (act.kind) {
    case "activate": {
      const plan = keyNow(life, act.plan.role);
      const products = `${act.plan.product}:${plan}`;
      return both(
        products,
        () => ledger.activate([{ product: act.plan.product, plan }]),
        () => customer.post("activate/", { products }),
      );
    }
    case "activate all": {
      const products = "all_products:";
      return both(
        products,
        () => ledger.activate([{ product: "all_products", plan: null }]),
        () => customer.post("activate/", { products }),
      );
    }
    case "deactivate": {
      const { product, atEnd } = act;
      const body = { products: product, cancel_at_period_end: atEnd };
      return both(
        `end of ${product}`,
        () => ledger.deactivate([product], atEnd),
        () => customer.post("deactivate/", body),
      );
    }
    case "switch": {
      const from = { product: act.product, plan: heldKey(life, act.product) ?? "none" };
      return switchPlan(life, from, { product: act.to.product, plan: keyNow(life, act.to.role) });
    }
    case "try": {
      const { type, target } = act;
      return both(
        `trial of ${target}`,
        () => ledger.try({ type, target }),
        () => customer.post("trials/activate/", { type, target }),
      );
    }
    case "cancel trial":
      return both(
        "end of a trial",
        () => ledger.cancelTrial(),
        () => customer.post("trials/cancel/", {}),
      );
    case "limit": {
      const { product, cents } = act;
      if (cents === null) limits.delete(product);
      else limits.set(product, BigInt(cents));
      const body = { custom_limits_usd: { [product]: cents === null ? null : cents / 100 } };
      return both(
        "a limit",
        () => undefined,
        () => customer.call("PATCH", "", { body }),
      );
    }
    case "claim": {
      const campaign = history.campaigns[act.campaign];
      if (campaign === undefined) return;
      return both(
        `claim of ${campaign.slug}`,
        () => ledger.claim(campaign),
        () => customer.post("coupons/claim/", { code: campaign.slug }),
      );
    }
    case "credit": {
      if (act.isBought) {
        ledger.credit(BigInt(act.usd * 100), yearLater(now), true);
        const body = { annual_amount_usd: act.usd, discount_percent: 0, collection_method: "charge_automatically" };
        await customer.post("credits/purchase/", body);
      } else {
        const expiresAt = act.days === null ? null : now + act.days * DAY_MS;
        ledger.credit(BigInt(act.usd * 100), expiresAt, false);
        await giveCredit(customer.world, customer.organization.id, { cents: act.usd * 100, expires_at: expiresAt });
      }
      await grantIds(life);
    }
  }
};

interface Chosen {
  readonly product: string;
  readonly plan: string;
}

const switchPlan = ({ customer, ledger }: Life, from: Chosen, to: Chosen): Promise<void> => {
  const body = { from_product_key: from.product, from_plan_key: from.plan, to_product_key: to.product, to_plan_key: to.plan };
  return both(
    `switch of ${from.product} ${from.plan} to ${to.product} ${to.plan}`,
    () => ledger.switch(from, to),
    () => customer.post("subscription/switch-plan/", body),
  );
};

const both = async (
  what: string,
  own: () => void,
  call: () => Promise<{ readonly status: number; readonly json: unknown }>,
): Promise<void> => {
  let expected = "200";
  try {
    own();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    expected = `400 ${refusal.code}`;
  }
  const { status, json } = await call();
  same(what, expected, status === 200 ? "200" : `${status} ${Object(json).code}`);
};
