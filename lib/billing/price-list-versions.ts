import type { Ports } from "../ports/ports.ts";
import { list } from "../table/store.ts";
import { allItems, BillingCatalogues, type Catalogue } from "./catalogue/catalogue.ts";
import { comesIntoForce, inTime, priceHistory } from "./catalogue/price-history.ts";
import { readLists } from "./catalogue/stored-lists.ts";
import { heldPlans } from "./price-lists/held-plans.ts";
import { type PlanHolders, planHolders } from "./price-lists/plan-holders.ts";

/** A price list among all that there are. */
export interface PriceListVersion {
  readonly id: string;
  /** Null for the built-in list of a deployment that had been given none. */
  readonly number: number | null;
  /** ISO 8601; null for what was in force from the beginning. */
  readonly effective_from: string | null;
  /** `superseded`: another one that was given later comes into force at the same moment. */
  readonly state: "past" | "in_force" | "to_come" | "superseded";
  /** Types of products and addons. */
  readonly products: readonly string[];
  readonly replaces: Readonly<Record<string, string>>;
  /** The plans that organizations hold or try by it in the periods that run. */
  readonly held: readonly { readonly product: string; readonly plan_key: string; readonly organizations: number }[];
}

/** All price lists in the order in which they come into force. Reads what every organization holds. */
export const readPriceListVersions = async ({ table, clock }: Pick<Ports, "table" | "clock">): Promise<readonly PriceListVersion[]> => {
  const now = clock.now();
  const given = await list(table, BillingCatalogues, "key", {}, { consistent: true });
  const history = priceHistory(given, await readLists(table, given));
  const held = new Map<string, PlanHolders>();
  for await (const each of heldPlans(table, history.at(now), { now, until: now })) {
    const { id } = history.at(each.period.start);
    const plan = history.heldPlan(each, each.since, each.period.start)?.plan;
    const holders = held.get(id) ?? planHolders();
    if (plan !== undefined) held.set(id, holders.add(each.product, plan.plan_key, each.organization_id));
  }
  const soldBy = (catalogue: Catalogue) => ({
    products: allItems(catalogue).map(({ type }) => type),
    held: held.get(catalogue.id)?.plans() ?? [],
  });
  const ordered = inTime(given);
  const versions = ordered.map((version, at): PriceListVersion => {
    const { id, number, effective_from, from_beginning, replaces } = version;
    const [from, next] = [comesIntoForce(version), ordered[at + 1]];
    const isSuperseded = next !== undefined && comesIntoForce(next) === from;
    const state = isSuperseded ? "superseded" : from > now ? "to_come" : history.at(now).id === id ? "in_force" : "past";
    return { id, number, effective_from: from_beginning ? null : effective_from, state, replaces, ...soldBy(history.named(id)) };
  });
  const first = history.at(Number.NEGATIVE_INFINITY);
  if (given.some(({ id }) => id === first.id)) return versions;
  const state = history.at(now).id === first.id ? "in_force" : "past";
  return [{ id: first.id, number: null, effective_from: null, state, replaces: {}, ...soldBy(first) }, ...versions];
};
