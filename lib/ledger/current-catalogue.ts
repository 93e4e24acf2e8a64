import { BillingCatalogues } from "../entities/billing-catalogues.ts";
import type { Table } from "../ports/table.ts";
import { list } from "../table/store.ts";
import { BUILT_IN } from "./built-in-catalogue.ts";
import { type Catalogue, CatalogueDocument } from "./catalogue.ts";

const LISTING = "billing-catalogues";

/** The id under which invoices name the built-in price list. */
const BUILT_IN_ID = "built-in";

const builtIn: Catalogue = { ...BUILT_IN, id: BUILT_IN_ID };

/** The price list that holds now: the newest of those that were given, else the built-in one. */
export const currentCatalogue = async (table: Table, now: number): Promise<Catalogue> => {
  const given = await list(table, BillingCatalogues, "key", { listing: LISTING });
  const [newest] = given
    .filter(({ effective_from }) => Date.parse(effective_from) <= now)
    .toSorted((a, b) => Date.parse(b.effective_from) - Date.parse(a.effective_from));
  return newest === undefined ? builtIn : { ...CatalogueDocument.parse(newest.document), id: newest.id };
};
