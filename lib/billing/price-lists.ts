import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, type Table } from "../ports/table.ts";
import { get, list, put } from "../table/store.ts";
import { ABSENT } from "../table/transact.ts";
import { BUILT_IN } from "./catalogue/built-in-catalogue.ts";
import { type BillingCatalogue, BillingCatalogues, type Catalogue, findItem, ListedProducts } from "./catalogue/catalogue.ts";
import { comesIntoForce, inTime, priceHistory } from "./catalogue/price-history.ts";
import { productsItem, readLists, storedList } from "./catalogue/stored-lists.ts";
import { CatalogueDocument, PriceListProblem } from "./catalogue-document.ts";
import { heldPlans } from "./price-lists/held-plans.ts";
import { listChanges, type ProductChange } from "./price-lists/list-changes.ts";
import { type GivenList, isLast, lastVersion, newVersion } from "./price-lists/new-version.ts";
import { isAnythingOpened } from "./price-lists/opened.ts";
import { type PlanHolders, planHolders } from "./price-lists/plan-holders.ts";
import { checkReplaced } from "./price-lists/replaced-plans.ts";

/** A version that applying a price list makes. */
export interface PlannedPriceList {
  readonly version: BillingCatalogue;
  readonly list: Catalogue;
  /** When a list that was given before comes into its place, ISO 8601; null where none waits. */
  readonly until: string | null;
  /** What is otherwise when it comes into force, against the list that would be in force then without it. */
  readonly changes: readonly ProductChange[];
  /** How many organizations hold a plan that it changes or replaces. */
  readonly organizations: number;
}

/**
 * The list that was given last, as it is given to a deployment that had none: one that is to come says when. Null for the built-in one, and
 * undefined where none was ever given.
 */
export const lastGivenList = async ({ table, clock }: Pick<Ports, "table" | "clock">): Promise<GivenList | undefined> => {
  const last = lastVersion(await list(table, BillingCatalogues, "key", {}, { consistent: true }));
  if (last === undefined) return undefined;
  if (last.document === undefined && last.products_digest === undefined) return null;
  const { products } = storedList(last, await readLists(table, [last]));
  const { effective_from } = last;
  return CatalogueDocument.parse({ products, ...(Date.parse(effective_from) > clock.now() && { effective_from }) });
};

/** The products of one version together, compressed: an item holds little more. */
const MAX_PRODUCTS_BYTES = 350_000;

/**
 * The version that a price list makes, null for the built-in one; undefined where it is the list that was applied last. Writes nothing.
 * Throws `PriceListProblem` for a list that would change the past, or that leaves somebody without the plan that they hold.
 */
export const planPriceList = async (
  { table, clock }: Pick<Ports, "table" | "clock">,
  given: GivenList,
): Promise<PlannedPriceList | undefined> => {
  const now = clock.now();
  const versions = await list(table, BillingCatalogues, "key", {}, { consistent: true });
  const last = lastVersion(versions);
  if (isLast(given, last, now)) return undefined;
  const { products } = given ?? BUILT_IN;
  if (productsItem({ products }).products.length > MAX_PRODUCTS_BYTES)
    throw new PriceListProblem(["products"], "all of them together are too long to be kept: shorten what is said of products and plans");
  const version = await newVersion(given, last, now, () => isAnythingOpened(table));
  const next: Catalogue = { id: version.id, products };
  const lists = await readLists(table, versions);
  checkReplaced(version.replaces, [BUILT_IN, ...lists.values()], next);

  const from = Date.parse(version.effective_from);
  const before = priceHistory(versions, lists);
  // Who tries something already tries it by an older list, also where the first one counts from the beginning.
  const after = priceHistory([...versions, { ...version, from_beginning: false }], new Map([...lists, [version.id, next]]));
  const held = planHolders();
  const dropped = planHolders();
  for await (const each of heldPlans(table, before.at(now), { now, until: from })) {
    const old = before.heldPlan(each, each.since, from);
    if (old === undefined) continue;
    const name = [each.product, old.plan.plan_key, each.organization_id] as const;
    held.add(...name);
    const plan = after.heldPlan(each, each.since, from)?.plan;
    if (!findItem(next, each.product)?.plans.some((sold) => sold === plan)) dropped.add(...name);
  }
  refuseDropped(dropped, next);
  const changes = listChanges(before.at(from), next, version.replaces, (...plan) => held.holding(...plan).size);
  const until = inTime(versions).find((each) => comesIntoForce(each) > from)?.effective_from ?? null;
  return { version, list: next, until, changes, organizations: affected(changes, held) };
};

const refuseDropped = (dropped: PlanHolders, { products }: Catalogue): void => {
  const plans = dropped.plans();
  const [first] = plans;
  if (first === undefined) return;
  const told = plans.map(({ product, plan_key, organizations }) => {
    return `${JSON.stringify(plan_key)} of ${product} (${organizations} ${organizations === 1 ? "organization" : "organizations"})`;
  });
  const message = `plans that are held are not in this list: ${told.join(", ")}. Keep each, or name in replaces the plan of the same product that takes its place`;
  throw new PriceListProblem(plansPath(products, first.product), message);
};

/** The place of a product's or addon's plans; of all products where it is not there. */
const plansPath = (products: Catalogue["products"], type: string): readonly PropertyKey[] => {
  for (const [at, product] of products.entries()) {
    if (product.type === type) return ["products", at, "plans"];
    const place = product.addons.findIndex((addon) => addon.type === type);
    if (place >= 0) return ["products", at, "addons", place, "plans"];
  }
  return ["products"];
};

/** How many organizations hold a plan that does not stay as it is. */
const affected = (changes: readonly ProductChange[], held: PlanHolders): number =>
  new Set(changes.flatMap(({ product, plans }) => plans.flatMap(({ plan_key }) => [...held.holding(product, plan_key)]))).size;

/** Stores a planned version. Throws `PriceListProblem` where another list was applied since it was planned. */
export const giveCatalogue = async (table: Table, { version, list: { products } }: PlannedPriceList): Promise<void> => {
  // Before the version, so that whoever sees that one finds them.
  if (version.products_digest !== undefined) await put(table, ListedProducts, productsItem({ products }));
  try {
    await put(table, BillingCatalogues, version, ABSENT);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const stored = await get(table, BillingCatalogues, { id: version.id }, { consistent: true });
    if (stored?.given_digest === version.given_digest) return;
    throw new PriceListProblem([], `another list was applied at the same moment, as number ${version.number}: apply this one again`);
  }
};
