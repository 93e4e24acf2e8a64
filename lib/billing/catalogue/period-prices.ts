import { type Period, periodAt } from "../rating/period.ts";
import { type Catalogue, findItem, findPlan, type Products } from "./catalogue.ts";
import type { ChosenPlan, PricedPlan, PriceHistory } from "./price-history.ts";

/** The prices of one billing period. */
export interface PeriodPrices {
  readonly period: Period;
  /** The list that was in force at its start. */
  readonly catalogue: Catalogue;
  /** The plan that a choice means in this period; `since` is when it was chosen, milliseconds: lists after that may have replaced it. */
  plan(chosen: ChosenPlan, since?: number): PricedPlan | undefined;
}

/** The prices of a period of an account: of the list that its invoice names, else of the one in force at its start. */
export const periodPrices = (history: PriceHistory, anchorDay: number, period: Period, listId?: string): PeriodPrices => {
  const inForce = history.at(period.start);
  const catalogue = listId === undefined || listId === inForce.id ? inForce : history.named(listId);
  return {
    period,
    catalogue,
    plan(chosen, since = period.start) {
      const held = history.heldPlan(chosen, periodAt(anchorDay, since).start, period.start);
      if (catalogue === inForce) return held;
      const item = findItem(catalogue, chosen.product);
      const plan = item && (findPlan(item, held?.plan.plan_key ?? "") ?? findPlan(item, chosen.plan_key));
      return item === undefined || plan === undefined ? held : { item, plan };
    },
  };
};

/**
 * What is sold to whoever goes on by some plans: the products of the list, and behind them, as products of their own, those of lists
 * before that it does not have any more, by these plans alone.
 */
export const soldWith = ({ catalogue }: Pick<PeriodPrices, "catalogue">, plans: readonly (PricedPlan | undefined)[]): Products => {
  const others = plans.filter((priced) => priced !== undefined).filter(({ item }) => findItem(catalogue, item.type) === undefined);
  const left = [...Map.groupBy(others, ({ item }) => item.type).values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    return [{ ...first.item, headline: null, addons: [], trial: null, plans: [...new Set([first, ...more].map(({ plan }) => plan))] }];
  });
  return { products: [...catalogue.products, ...left] };
};
