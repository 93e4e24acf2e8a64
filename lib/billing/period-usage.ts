import { DAY_MS } from "../core/time.ts";
import type { ReadUsage } from "../usage/roll-ups.ts";
import { organizationUsage } from "../usage/roll-ups.ts";
import type { Period } from "./period.ts";

/** Units by usage type and UTC day (days since 1970). */
export type DailyUsage = ReadonlyMap<string, ReadonlyMap<number, bigint>>;

/** What an organization used in a period, all projects together. */
export const usageIn = async (parts: ReadUsage, organization: string, { start, end }: Period): Promise<DailyUsage> => {
  const projects = await organizationUsage(parts, organization, start / DAY_MS, end / DAY_MS - 1);
  const usage = new Map<string, Map<number, bigint>>();
  for (const days of projects.values()) {
    for (const [day, counts] of Object.entries(days)) {
      for (const [type, units] of Object.entries(counts)) {
        const known = usage.get(type) ?? new Map<number, bigint>();
        usage.set(type, known.set(Number(day), (known.get(Number(day)) ?? 0n) + BigInt(units)));
      }
    }
  }
  return usage;
};

/** The first and the last day that are counted, both inclusive. */
export interface Days {
  readonly from?: number;
  readonly to?: number;
}

/** Units of one type on some days; on all of them where none are named. */
export const unitsOf = (
  usage: DailyUsage,
  type: string | null,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: Days = {},
): bigint => {
  let units = 0n;
  for (const [day, count] of usage.get(type ?? "") ?? []) if (day >= from && day <= to) units += count;
  return units;
};
