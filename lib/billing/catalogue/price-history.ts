import type { Table } from "../../ports/table.ts";
import { list } from "../../table/store.ts";
import { BUILT_IN } from "./built-in-catalogue.ts";
import {
  type BillingCatalogue,
  BillingCatalogues,
  type Catalogue,
  findItem,
  findPlan,
  type Item,
  type Plan,
  PriceList,
} from "./catalogue.ts";

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

/** Reads all price lists. */
export const readPriceHistory = async (table: Table): Promise<PriceHistory> => {
  const given = await list(table, BillingCatalogues, "key", {});
  return priceHistory(given);
};

/** A history of lists as they are stored, in any order. */
export const priceHistory = (given: readonly BillingCatalogue[]): PriceHistory => {
  const versions = given
    .map((stored) => ({ stored, from: comesIntoForce(stored) }))
    .toSorted((a, b) => a.from - b.from || a.stored.number - b.stored.number)
    .map(({ stored, from }): Version => ({ from, replaces: stored.replaces, catalogue: namedList(stored) }));
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
        const plan = item && (findPlan(item, key) ?? findPlan(item, plan_key));
        if (item !== undefined && plan !== undefined) return { item, plan };
      }
      return undefined;
    },
  };
};

/** The first list holds from the beginning where nothing had been opened when it was given. */
const comesIntoForce = ({ effective_from, from_beginning }: BillingCatalogue): number =>
  from_beginning ? Number.NEGATIVE_INFINITY : Date.parse(effective_from);

/** A list that cannot even be read any more leaves the built-in prices under its own name. */
const namedList = ({ id, document }: BillingCatalogue): Catalogue => {
  const { data = BUILT_IN } = PriceList.safeParse(document);
  return { ...data, id };
};
