import { DAY_MS } from "../../core/time.ts";
import { isUsageType } from "../../usage/identifiers.ts";
import { type Item, tiersOf } from "../catalogue/catalogue.ts";
import { nanoOfCents } from "../money.ts";
import type { Period } from "../period.ts";
import type { DailyUsage } from "../period-usage.ts";
import type { Charge } from "./charges.ts";
import { costOf } from "./rating.ts";

/** What a subscribed item costs on each day of a period (days since 1970), in nano-dollars. */
export interface DailySpend {
  /** The type under which it is shown: what is counted for it, or its own for what is sold on another's count or at a fee. */
  readonly type: string;
  /** Whose use it follows; null for a fee. */
  readonly usageType: string | null;
  readonly days: ReadonlyMap<number, bigint>;
}

/** The charges of a period spread over its days: use costs what it adds to the bill on its day, a fee falls on the first day. */
export const dailySpend = (charges: readonly Charge[], period: Period, usage: DailyUsage): readonly DailySpend[] =>
  charges.map((charge) => ({
    type: shownType(charge.item),
    usageType: charge.kind === "use" ? charge.item.usage_type : null,
    days: charge.kind === "use" ? useByDay(charge, usage) : new Map([[period.start / DAY_MS, nanoOfCents(charge.cents)]]),
  }));

const shownType = ({ type, usage_type }: Item): string => (isUsageType(type) ? type : (usage_type ?? type));

const useByDay = ({ item, plan, quantity }: Charge, usage: DailyUsage): ReadonlyMap<number, bigint> => {
  const tiers = tiersOf(plan);
  const spend = new Map<number, bigint>();
  let used = 0n;
  let cost = 0n;
  for (const [day, units] of [...(usage.get(item.usage_type ?? "") ?? [])].sort(([one], [other]) => one - other)) {
    // What is counted after the item ended is no part of the charge.
    if (used === quantity) break;
    used += units;
    const through = costOf(tiers, used);
    if (through !== cost) spend.set(day, through - cost);
    cost = through;
  }
  return spend;
};
