import { roundToCents } from "../../core/money.ts";
import { DAY_MS } from "../../core/time.ts";
import type { ReadUsage } from "../../usage/roll-ups.ts";
import { type Catalogue, findItem, findPlan, ratingTiers } from "../catalogue/catalogue.ts";
import { catalogueById } from "../catalogue/current-catalogue.ts";
import type { Invoice, InvoiceLine } from "../invoices.ts";
import { type DailyUsage, readPeriodUsage, unitsOn } from "../rating/period.ts";
import { tieredCost } from "../rating/rating.ts";

/** So many periods back late events are still billed: a year. */
const LOOK_BACK = 12;

/**
 * Lines for usage that arrived after its period's invoice was made, at the prices of its own period. A unit that
 * late events moved from one period to the one before is billed already: a period that now has fewer units than were billed offsets late units
 * in those before it. Nothing is refunded otherwise.
 */
export const lateLines = async (parts: ReadUsage, invoice: Invoice, made: readonly Invoice[]): Promise<readonly InvoiceLine[]> => {
  const earlier = made.filter(({ period_end, state }) => period_end <= invoice.period_start && state !== "voided").slice(0, LOOK_BACK);
  const oldest = earlier.at(-1);
  if (oldest === undefined) return [];
  const usage = await readPeriodUsage(parts, invoice.organization_id, { start: oldest.period_start, end: invoice.period_start });
  const lines: InvoiceLine[] = [];
  /** By product, the units that were billed and are no longer counted. */
  const moved = new Map<string, bigint>();
  for (const each of earlier) {
    const catalogue = await catalogueById(parts.table, each.catalogue_id);
    for (const line of each.lines) {
      if (line.usage_type === null || line.late_of !== null) continue;
      const { billed, there } = unitsOfLine(each, line, made, usage);
      const paid = moved.get(line.product) ?? 0n;
      const late = there - billed - paid;
      moved.set(line.product, late < 0n ? -late : 0n);
      if (late > 0n) lines.push(...lateLine(each, line, { billed, late }, catalogue));
    }
  }
  return lines;
};

const unitsOfLine = (of: Invoice, line: InvoiceLine, made: readonly Invoice[], usage: DailyUsage) => {
  const to = Math.min(line.last_day ?? Number.POSITIVE_INFINITY, of.period_end / DAY_MS - 1);
  return {
    billed: BigInt(line.quantity) + billedLate(of, line, made),
    there: unitsOn(usage, line.usage_type, { from: of.period_start / DAY_MS, to }),
  };
};

const lateLine = (
  of: Invoice,
  line: InvoiceLine,
  { billed, late }: { readonly billed: bigint; readonly late: bigint },
  catalogue: Catalogue,
): readonly InvoiceLine[] => {
  const item = findItem(catalogue, line.product);
  const plan = item && findPlan(item, line.plan_key);
  if (plan === undefined) return [];
  const tiers = ratingTiers(plan);
  const cents = roundToCents(tieredCost(tiers, billed + late)) - roundToCents(tieredCost(tiers, billed));
  const description = `${line.description}, arrived late`;
  return [{ ...line, description, quantity: Number(late), cents: Number(cents), late_of: of.period_start }];
};

/** The units of a period that later invoices billed as late. */
const billedLate = (of: Invoice, { product }: InvoiceLine, made: readonly Invoice[]): bigint =>
  made
    .filter(({ state }) => state !== "voided")
    .flatMap(({ lines }) => lines)
    .filter((line) => line.late_of === of.period_start && line.product === product)
    .reduce((sum, { quantity }) => sum + BigInt(quantity), 0n);
