import { DAY_MS } from "../../core/time.ts";
import type { Clock } from "../../ports/clock.ts";
import { USAGE_IDENTIFIERS, USAGE_TYPES, type UsageType } from "../../usage/identifiers.ts";
import type { ReadUsage } from "../../usage/roll-ups.ts";
import { unitsOf, usageIn } from "../period-usage.ts";

const USAGE_TYPE_BY_KEY: ReadonlyMap<string | null, UsageType> = new Map(USAGE_TYPES.map((type) => [USAGE_IDENTIFIERS[type].key, type]));

/** What an organization used today, of which a billing service has not heard yet, by usage key. */
export const usedToday = async (parts: ReadUsage & { readonly clock: Clock }, organization: string): Promise<(key: string) => number> => {
  const start = Math.floor(parts.clock.now() / DAY_MS) * DAY_MS;
  const usage = await usageIn(parts, organization, { start, end: start + DAY_MS });
  return (key) => Number(unitsOf(usage, USAGE_TYPE_BY_KEY.get(key) ?? null));
};
