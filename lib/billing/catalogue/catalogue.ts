import * as z from "zod";
import { parseUsd } from "../../core/money.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import type { Tier } from "../rating/rating.ts";

/**
 * Price lists as they are stored. What is stored was checked when it was given (`catalogue-document.ts`), by the rules of its day:
 * here it is read whatever they are by now, because invoices name it.
 */

/** Aborts: what is checked of prices beside each other reads them as numbers. */
const Price = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, { message: "A price is a decimal number of at most nine places.", abort: true });

export const PriceTier = z.object({
  /** The last unit of the tier; null for a tier without an end. */
  up_to: z.int().positive().nullable(),
  unit_amount_usd: Price,
  flat_amount_usd: Price.default("0"),
});

export const Feature = z.object({
  key: z.string().min(1).max(100),
  name: z.string().max(200),
  description: z.string().max(1_000).default(""),
  unit: z.string().max(100).nullable().default(null),
  limit: z.int().nullable().default(null),
  note: z.string().max(200).nullable().default(null),
  /** How much is made of it where plans are compared. */
  type: z.enum(["primary", "secondary"]).nullable().default(null),
});
export type Feature = z.output<typeof Feature>;

const Key = z.string().regex(/^[a-z0-9][\w.-]{0,99}$/i, "A key is made of letters, digits, `_`, `-` and `.`.");

export const Plan = z.object({
  plan_key: Key,
  name: z.string().max(200),
  description: z.string().max(1_000).default(""),
  is_free: z.boolean().default(false),
  /** Graduated prices of a unit; null for a plan that is not priced by use. */
  tiers: z.array(PriceTier).nullable().default(null),
  /** The fee of a period, whatever is used; null for none. */
  flat_amount_usd: Price.nullable().default(null),
  /** Units that a free plan gives; null for no limit. */
  free_allocation: z.int().min(0).nullable().default(null),
  features: z.array(Feature).default([]),
  note: z.string().max(200).nullable().default(null),
  contact_support: z.boolean().default(false),
});
export type Plan = z.output<typeof Plan>;

export const Trial = z.object({ length: z.int().positive().max(366) });

export const Addon = z.object({
  type: Key,
  usage_key: z.string().nullable().default(null),
  /** The identifier under which its use is counted. */
  usage_type: z.string().nullable().default(null),
  name: z.string().max(200),
  description: z.string().max(1_000).default(""),
  unit: z.string().max(100).nullable().default(null),
  icon_key: z.string().max(100).default(""),
  docs_url: z.string().max(1_000).default(""),
  contact_support: z.boolean().default(false),
  trial: Trial.nullable().default(null),
  plans: z.array(Plan),
});

export const Product = Addon.extend({
  headline: z.string().max(200).nullable().default(null),
  addons: z.array(Addon).default([]),
});
export type Product = z.output<typeof Product>;

/** Something that is sold by itself: a product or an addon of one. */
export type Item = z.output<typeof Addon>;

export const PriceList = z.object({ products: z.array(Product) });
export type PriceList = z.output<typeof PriceList>;

/** A price list under the id that invoices name it by. */
export interface Catalogue extends PriceList {
  readonly id: string;
}

/** Products with their addons: those of a list, or others that are sold with them. */
export type Products = { readonly products: readonly Product[] };

/** Products and addons in the order of the list. */
export const allItems = ({ products }: Products): readonly Item[] => products.flatMap((product) => [product, ...product.addons]);

export const findItem = (catalogue: Products, type: string): Item | undefined => allItems(catalogue).find((item) => item.type === type);

export const findPlan = (item: Item, key: string): Plan | undefined => item.plans.find((plan) => plan.plan_key === key);

/** The plan that a subscription to an item begins with: the first that costs something, else its first. */
export const defaultPlan = (item: Item): Plan | undefined => item.plans.find((plan) => !plan.is_free) ?? item.plans[0];

/** The plan of those who pay nothing, where an item has one. */
export const freePlan = (item: Item): Plan | undefined => item.plans.find((plan) => plan.is_free);

/** A plan's tiers as they are rated; none where use costs nothing. */
export const ratingTiers = (plan: Plan): readonly Tier[] =>
  (plan.tiers ?? []).map(({ up_to, unit_amount_usd, flat_amount_usd }) => ({
    upTo: up_to === null ? null : BigInt(up_to),
    unitNano: parseUsd(unit_amount_usd),
    flatNano: parseUsd(flat_amount_usd),
  }));

/** A version of the price list, in the place of the built-in one. Immutable: an invoice names the one it was made with. */
export const BillingCatalogue = z.object({
  id: z.string(),
  /** Counts the lists that were given; 0 for those of releases that did not count. */
  number: z.int().min(0).default(0),
  effective_from: z.string(),
  /** Whether it also holds for all time before, because it was the first and nothing had been billed yet. */
  from_beginning: z.boolean().default(false),
  /** Plans of lists before it, by key, and those that come in their place with it. */
  replaces: z.record(z.string(), z.string()).default({}),
  /** Digest of the document that gave it; a list of a release that did not count has it as its id. */
  given_digest: z.string().optional(),
  /** Digest of its products, which lie under it. A version that has neither this nor a document is the built-in list. */
  products_digest: z.string().optional(),
  /** The products of a list of a release that did not count. */
  document: z.record(z.string(), z.unknown()).optional(),
});
export type BillingCatalogue = z.output<typeof BillingCatalogue>;

export const BillingCatalogues = entity({
  name: "billing-catalogue",
  version: 1,
  schema: BillingCatalogue,
  key: within("catalogues", "catalogue#{id}"),
  patterns: {},
});

/** The products of price lists, each once however many versions have them. */
export const ListedProducts = entity({
  name: "price-list-products",
  version: 1,
  schema: z.object({
    digest: z.string(),
    /** JSON, compressed. */
    products: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  }),
  key: within("catalogues", "products#{digest}"),
  patterns: {},
});
