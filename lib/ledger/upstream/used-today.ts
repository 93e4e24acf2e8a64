import { DAY_MS } from "../../core/time.ts";
import type { ReadUsage } from "../../lake/usage/roll-ups.ts";
import type { Clock } from "../../ports/clock.ts";
import { BUILT_IN } from "../catalogue/built-in-catalogue.ts";
import { itemsOf } from "../catalogue/catalogue.ts";
import { unitsOf, usageIn } from "../period-usage.ts";

const USAGE_TYPES = new Map(
  itemsOf(BUILT_IN).flatMap(({ usage_key, usage_type }) => (usage_key === null ? [] : [[usage_key, usage_type]])),
);

/** What an organization used today, of which a billing service has not heard yet, by usage key. */
export const usedToday = async (parts: ReadUsage & { readonly clock: Clock }, organization: string): Promise<(key: string) => number> => {
  const start = Math.floor(parts.clock.now() / DAY_MS) * DAY_MS;
  const usage = await usageIn(parts, organization, { start, end: start + DAY_MS });
  return (key) => Number(unitsOf(usage, USAGE_TYPES.get(key) ?? null));
};
