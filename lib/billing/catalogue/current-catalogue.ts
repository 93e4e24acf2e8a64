import type { Table } from "../../ports/table.ts";
import { get, list } from "../../table/store.ts";
import { BUILT_IN } from "./built-in-catalogue.ts";
import { type BillingCatalogue, BillingCatalogues, type Catalogue, PriceList } from "./catalogue.ts";

/** The id under which invoices name the built-in price list. */
const BUILT_IN_ID = "built-in";

const builtIn: Catalogue = { ...BUILT_IN, id: BUILT_IN_ID };

/** The price list that holds now: the newest of those that were given, else the built-in one. */
export const currentCatalogue = async (table: Table, now: number): Promise<Catalogue> => {
  const given = await list(table, BillingCatalogues, "key", {});
  const [newest] = given
    .filter(({ effective_from }) => Date.parse(effective_from) <= now)
    .toSorted((a, b) => Date.parse(b.effective_from) - Date.parse(a.effective_from));
  return newest === undefined ? builtIn : named(newest);
};

/** The price list that an invoice names. */
export const catalogueById = async (table: Table, id: string): Promise<Catalogue> => {
  const found = id === BUILT_IN_ID ? undefined : await get(table, BillingCatalogues, { id });
  return found === undefined ? builtIn : named(found);
};

/** A list that cannot even be read any more leaves the built-in prices under its own name. */
const named = ({ id, document }: BillingCatalogue): Catalogue => {
  const { data = BUILT_IN } = PriceList.safeParse(document);
  return { ...data, id };
};
