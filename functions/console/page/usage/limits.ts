import type { Addon, Overview, Product } from "./calls.ts";

type Item = Pick<Product | Addon, "type" | "usage_key">;

/** The name under which an item's limit of cost is kept: that of the product, or of what it counts. */
export const limitName = ({ custom_limits_usd }: Overview, { type, usage_key }: Item): string =>
  usage_key !== null && custom_limits_usd[type] == null && custom_limits_usd[usage_key] != null ? usage_key : type;

/** What an item may cost in a period, dollars; undefined for no limit. */
export const costLimit = (overview: Overview, item: Item): number | undefined =>
  overview.custom_limits_usd[limitName(overview, item)] ?? undefined;

/** Whether the limit ends with the period. */
export const isLifted = (overview: Overview, item: Item): boolean =>
  overview.next_period_custom_limits_usd[limitName(overview, item)] === null;

/** How an item's use stands to its limit. */
export type Standing = "dropped" | "over" | "passing" | "within";

/** The standing of an item, given the resources of the project whose data are dropped. */
export const standing = (
  {
    usage_key,
    usage_limit,
    has_exceeded_limit,
    projected_usage,
  }: Pick<Product | Addon, "usage_key" | "usage_limit" | "has_exceeded_limit" | "projected_usage">,
  limited: readonly string[],
): Standing => {
  if (usage_key !== null && limited.includes(usage_key)) return "dropped";
  if (has_exceeded_limit) return "over";
  return usage_limit !== null && (projected_usage ?? 0) > usage_limit ? "passing" : "within";
};
