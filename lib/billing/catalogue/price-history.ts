import type { Table } from "../../ports/table.ts";
import { list } from "../../table/store.ts";
import { BUILT_IN } from "./built-in-catalogue.ts";
import { type BillingCatalogue, BillingCatalogues, type Catalogue, findItem, findPlan, type Item, type Plan } from "./catalogue.ts";
import { type Lists, readLists, storedList } from "./stored-lists.ts";

/** The id under which invoices name the built-in price list. */
const BUILT_IN_ID = "built-in";

const builtIn: Catalogue = { ...BUILT_IN, id: BUILT_IN_ID };

/** A product under a plan of it, as it was chosen. */
export interface ChosenPlan {
  readonly product: string;
  readonly plan_key: string;
}

/** An item of a price list and the plan that it is sold by. */
export interface PricedPlan {
  readonly item: Item;
  readonly plan: Plan;
}

/** All price lists that were ever given, and when each is in force. */
export interface PriceHistory {
  /** The list in force at a moment, milliseconds since 1970: that of a period is the one at its start. */
  at(moment: number): Catalogue;
  /** The list that an invoice names. */
  named(id: string): Catalogue;
  /**
   * The plan that a choice means in the period that begins at `start`, when it was made in the one that began at `since`: the lists
   * between may replace it. One that no list of today has any more is sold as the last list had it; undefined where none ever did.
   */
  heldPlan(chosen: ChosenPlan, since: number, start: number): PricedPlan | undefined;
}

interface Version {
  readonly from: number;
  readonly replaces: Readonly<Record<string, string>>;
  readonly catalogue: Catalogue;
}

/** Reads all price lists: one query of a few short items, besides products that this process has not read before. */
export const readPriceHistory = async (table: Table): Promise<PriceHistory> => {
  const given = await list(table, BillingCatalogues, "key", {});
  return priceHistory(given, await readLists(table, given));
};

/** A history of lists as they are stored, in any order; with the products of those that do not hold them themselves. */
export const priceHistory = (given: readonly BillingCatalogue[], lists: Lists = new Map()): PriceHistory => {
  const versions = inTime(given).map(
    (stored): Version => ({
      from: comesIntoForce(stored),
      replaces: stored.replaces,
      catalogue: { ...storedList(stored, lists), id: stored.id },
    }),
  );
  // Of lists that come into force at once, the one that was given last is in force.
  const inForce = versions.filter(({ from }, at) => versions[at + 1]?.from !== from);
  const known = (moment: number): readonly Version[] => inForce.filter(({ from }) => from <= moment);
  const at = (moment: number): Catalogue => known(moment).at(-1)?.catalogue ?? builtIn;
  return {
    at,
    named: (id) => versions.find(({ catalogue }) => catalogue.id === id)?.catalogue ?? builtIn,
    heldPlan({ product, plan_key }, since, start) {
      const passed = known(start);
      const key = passed.filter(({ from }) => from > since).reduce((held, { replaces }) => replaces[held] ?? held, plan_key);
      for (const catalogue of [...passed.map((each) => each.catalogue).reverse(), builtIn]) {
        const item = findItem(catalogue, product);
        const plan = item && findPlan(item, key);
        if (item !== undefined && plan !== undefined) return { item, plan };
      }
      return undefined;
    },
  };
};

/** Versions in the order in which they come into force; of several at one moment the last is in force. */
export const inTime = (given: readonly BillingCatalogue[]): readonly BillingCatalogue[] =>
  given.toSorted((a, b) => comesIntoForce(a) - comesIntoForce(b) || a.number - b.number);

/** When a version comes into force. The first one holds from the beginning where nothing had been opened when it was given. */
export const comesIntoForce = ({ effective_from, from_beginning }: BillingCatalogue): number =>
  from_beginning ? Number.NEGATIVE_INFINITY : Date.parse(effective_from);
