import * as z from "zod";
import { parseUsd } from "../core/money.ts";
import { nearest } from "../core/suggest.ts";
import { USAGE_KEYS, USAGE_TYPES } from "../usage/identifiers.ts";
import { Addon, Feature, Plan, PriceTier, Product, Trial } from "./catalogue/catalogue.ts";

/**
 * A price list as `admin apply` takes it and as it is built in: unknown names, and prices that contradict each other, are refused
 * where they stand, because a list with a mistake in it would bill the wrong amount, or nothing, in silence.
 */

/** One of the names; another is refused as `unknown usage key "event"; did you mean "events"?`. */
const nameAmong = <const Name extends string>(what: string, names: readonly Name[]) =>
  z.enum(names, { error: ({ input }) => `unknown ${what} ${JSON.stringify(input)}${meant(input, names)}` });

/** The nearest name; or, because a name without its ending is more than a few letters away, the first that begins like that. */
const meant = (input: unknown, names: readonly string[]): string => {
  if (typeof input !== "string" || input === "") return "";
  const name = nearest(input, names) ?? names.find((each) => each.startsWith(input));
  return name === undefined ? "" : `; did you mean ${JSON.stringify(name)}?`;
};

const Tiers = z
  .array(PriceTier.strict())
  .min(1, "a plan that is priced by use needs at least one tier")
  .superRefine((tiers, context) => {
    for (const [at, { up_to }] of tiers.entries()) {
      const below = tiers[at - 1]?.up_to ?? 0;
      const isLast = at === tiers.length - 1;
      const message =
        isLast && up_to !== null
          ? "units above it would have no price: the last tier ends nowhere (null)"
          : !isLast && up_to === null
            ? "only the last tier ends nowhere"
            : up_to !== null && up_to <= below
              ? `tiers ascend: this must be above ${below}`
              : undefined;
      if (message !== undefined) context.addIssue({ code: "custom", path: [at, "up_to"], message });
    }
  });

const PlanEntry = Plan.strict()
  .extend({ tiers: Tiers.nullable().default(null), features: z.array(Feature.strict()).default([]) })
  .superRefine(({ free_allocation, tiers }, context) => {
    const charging = (tiers ?? []).findIndex((tier) => isCharged(tier.unit_amount_usd) || isCharged(tier.flat_amount_usd));
    const free = tiers?.[charging - 1]?.up_to ?? 0;
    if (charging === -1 || (free_allocation ?? 0) <= free) return;
    const message =
      charging === 0
        ? "the first tier charges for these units: put a tier with a price of 0 before it"
        : `the tiers charge for units above ${free}`;
    context.addIssue({ code: "custom", path: ["free_allocation"], message });
  })
  .superRefine(({ is_free, flat_amount_usd, tiers }, context) => {
    const charges = (tiers ?? []).some((tier) => isCharged(tier.unit_amount_usd) || isCharged(tier.flat_amount_usd));
    if (!is_free || (!charges && !isCharged(flat_amount_usd))) return;
    context.addIssue({ code: "custom", path: ["is_free"], message: "a free plan bills nothing, but this one has prices" });
  });

const isCharged = (usd: string | null): boolean => usd !== null && parseUsd(usd) > 0n;

const Plans = z
  .array(PlanEntry)
  .min(1, "there is no plan to sell it by")
  .max(20)
  .superRefine((plans, context) => {
    for (const at of repeated(plans.map(({ plan_key }) => plan_key))) {
      context.addIssue({ code: "custom", path: [at, "plan_key"], message: "another plan of the same product has this key" });
    }
  });

/** Fields of products and addons that are checked more strictly here than when a stored list is read. */
const ENTRY = {
  usage_key: nameAmong("usage key", USAGE_KEYS).nullable().default(null),
  usage_type: nameAmong("usage identifier", USAGE_TYPES).nullable().default(null),
  trial: Trial.strict().nullable().default(null),
  plans: Plans,
};

type Entry = Pick<z.output<typeof Addon>, "usage_type" | "plans">;

/** Tiers price what is counted under an identifier; without one they would bill nothing. */
const requireUsageType = ({ usage_type, plans }: Entry, context: z.RefinementCtx): void => {
  if (usage_type !== null || plans.every(({ tiers }) => tiers === null)) return;
  context.addIssue({ code: "custom", path: ["usage_type"], message: "a product whose plans have tiers needs the identifier of its use" });
};

const AddonEntry = Addon.strict().extend(ENTRY).superRefine(requireUsageType);

const ProductEntry = Product.strict()
  .extend({ ...ENTRY, addons: z.array(AddonEntry).max(50).default([]) })
  .superRefine(requireUsageType);

const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "expected a day such as 2027-01-01, or a time with zone such as 2027-01-01T00:00:00Z",
});

export const CatalogueDocument = z.strictObject({
  /** From when on periods that begin have these prices; a day is meant as its beginning in UTC. */
  effective_from: Moment.optional(),
  /** Keys of plans of earlier lists, and those of the plans that take their places. */
  replaces: z.record(z.string(), z.string()).optional(),
  products: z
    .array(ProductEntry)
    .min(1)
    .max(200)
    .superRefine((products, context) => {
      const items = products.flatMap((product, at) => [
        { type: product.type, path: [at, "type"] },
        ...product.addons.map(({ type }, place) => ({ type, path: [at, "addons", place, "type"] })),
      ]);
      for (const at of repeated(items.map(({ type }) => type))) {
        context.addIssue({ code: "custom", path: [...(items[at]?.path ?? [])], message: "another product or addon has this type" });
      }
    }),
});
export type CatalogueDocument = z.output<typeof CatalogueDocument>;

/** The places of names that stand in the list before. */
const repeated = (names: readonly string[]): readonly number[] => names.flatMap((name, at) => (names.indexOf(name) < at ? [at] : []));

/** A price list whose document is sound by itself and which may not be applied. `path` leads to the place in it that the message speaks of. */
export class PriceListProblem extends Error {
  override readonly name = "PriceListProblem";
  readonly path: readonly PropertyKey[];
  constructor(path: readonly PropertyKey[], message: string) {
    super(message);
    this.path = path;
  }
}
