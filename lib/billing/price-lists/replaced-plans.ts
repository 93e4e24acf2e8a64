import { nearest } from "../../core/suggest.ts";
import { type Catalogue, findItem, findPlan, type PriceList } from "../catalogue/catalogue.ts";
import { PriceListProblem } from "../catalogue-document.ts";

/**
 * Refuses replacements that mean nothing: of a plan that no earlier list had, or by one that the new list does not sell the same
 * product by. Throws `PriceListProblem`.
 */
export const checkReplaced = (replaces: Readonly<Record<string, string>>, earlier: readonly PriceList[], next: Catalogue): void => {
  const items = earlier.flatMap(({ products }) => products.flatMap((product) => [product, ...product.addons]));
  for (const [old, fresh] of Object.entries(replaces)) {
    const path = ["replaces", old];
    const sold = new Set(items.filter((item) => findPlan(item, old) !== undefined).map(({ type }) => type));
    if (sold.size === 0) {
      const keys = items.flatMap(({ plans }) => plans.map(({ plan_key }) => plan_key));
      throw new PriceListProblem(path, `no list before this one has a plan ${JSON.stringify(old)}${meant(old, keys)}`);
    }
    const sells = [...sold].flatMap((type) => findItem(next, type) ?? []);
    if (sells.some((item) => findPlan(item, fresh) !== undefined)) continue;
    const keys = sells.flatMap(({ plans }) => plans.map(({ plan_key }) => plan_key));
    const message = `this list has no plan ${JSON.stringify(fresh)} of ${[...sold].join(" or ")}, of which ${JSON.stringify(old)} was one`;
    throw new PriceListProblem(path, `${message}${meant(fresh, keys)}`);
  }
};

const meant = (key: string, known: readonly string[]): string => {
  const name = nearest(key, known);
  return name === undefined ? "" : `; did you mean ${JSON.stringify(name)}?`;
};
