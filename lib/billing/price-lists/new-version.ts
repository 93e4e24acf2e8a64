import { jsonDigest } from "../../core/canonical-json.ts";
import type { BillingCatalogue } from "../catalogue/catalogue.ts";
import { productsItem } from "../catalogue/stored-lists.ts";
import { type CatalogueDocument, PriceListProblem } from "../catalogue-document.ts";

/** A price list as it is given, or null for the built-in one. */
export type GivenList = CatalogueDocument | null;

/** The version that was given last. Those of releases that did not count come before all others. */
export const lastVersion = (versions: readonly BillingCatalogue[]): BillingCatalogue | undefined =>
  versions.toSorted((a, b) => a.number - b.number || Date.parse(a.effective_from) - Date.parse(b.effective_from)).at(-1);

/** Whether applying a list makes no version: it is the one that was applied last, or says the same products for the same time. */
export const isLast = (given: GivenList, last: BillingCatalogue | undefined, now: number): boolean => {
  if (last === undefined) return given === null;
  if ((last.given_digest ?? last.id) === jsonDigest(given)) return true;
  if (given === null || given.replaces !== undefined) return false;
  const from = Date.parse(last.effective_from);
  const isSameTime = given.effective_from === undefined ? from <= now : Date.parse(given.effective_from) === from;
  return isSameTime && productsItem(given).digest === last.products_digest;
};

const NUMBER_DIGITS = 6;

/**
 * The version that a list makes. It comes into force with the next month unless it says otherwise; the first of all at once, and where
 * nothing was opened yet also for the time before. Throws `PriceListProblem` for a past moment where something was.
 */
export const newVersion = async (
  given: GivenList,
  last: BillingCatalogue | undefined,
  now: number,
  isAnythingOpened: () => Promise<boolean>,
): Promise<BillingCatalogue> => {
  const number = (last?.number ?? 0) + 1;
  const { effective_from, replaces = {}, products } = given ?? {};
  const stated = effective_from === undefined ? undefined : Date.parse(effective_from);
  const isFirst = last === undefined && stated === undefined;
  const isPast = stated !== undefined && stated < now;
  const isOpened = (isFirst || isPast) && (await isAnythingOpened());
  if (isPast && isOpened) {
    const message = `periods that are billed have begun since then: give a moment to come, or leave it out for ${iso(nextMonth(now))}`;
    throw new PriceListProblem(["effective_from"], message);
  }
  return {
    id: `v${String(number).padStart(NUMBER_DIGITS, "0")}`,
    number,
    effective_from: iso(stated ?? (isFirst ? now : nextMonth(now))),
    from_beginning: isFirst && !isOpened,
    replaces,
    given_digest: jsonDigest(given),
    ...(products && { products_digest: productsItem({ products }).digest }),
  };
};

const iso = (moment: number): string => new Date(moment).toISOString();

const nextMonth = (now: number): number => {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
};
