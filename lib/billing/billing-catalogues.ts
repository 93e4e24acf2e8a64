import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

/** A price list that replaces the built-in one. Immutable: an invoice names the one it was made with. */
export const BillingCatalogue = z.object({
  /** Digest of the document, so that the same one is stored once. */
  id: z.string(),
  effective_from: z.string(),
  document: z.record(z.string(), z.json()),
});
export type BillingCatalogue = z.output<typeof BillingCatalogue>;

export const BillingCatalogues = entity({
  name: "billing-catalogue",
  version: 1,
  schema: BillingCatalogue,
  key: within("catalogues", "catalogue#{id}"),
  patterns: {},
});
