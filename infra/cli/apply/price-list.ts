import { PriceListProblem } from "../../../lib/billing/catalogue-document.ts";
import { giveCatalogue, type PlannedPriceList, planPriceList } from "../../../lib/billing/price-lists.ts";
import type { Document } from "./document.ts";
import type { Parts } from "./parts.ts";
import { DocumentProblem } from "./problem.ts";

/** The version that the document's price list makes; undefined where it has none, or the one that was applied last. Throws `DocumentProblem`. */
export const planPrices = async (parts: Parts, { billing_catalogue: given }: Document): Promise<PlannedPriceList | undefined> =>
  given === undefined ? undefined : placed(planPriceList(parts, given));

/** Stores a planned version. Throws `DocumentProblem` where another list was applied meanwhile. */
export const ensurePriceList = ({ table }: Parts, planned: PlannedPriceList): Promise<void> => placed(giveCatalogue(table, planned));

/** What a list is refused for, with its place in the document. */
const placed = async <T>(asked: Promise<T>): Promise<T> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PriceListProblem) throw new DocumentProblem(["billing_catalogue", ...error.path], error.message);
    throw error;
  }
};
