import type { NamedMutation } from "../mutate/named-mutant.ts";

/** Faults of one line each, put into the product by hand: each has to be seen by the histories. */
export const FAULTS: readonly NamedMutation[] = [
  {
    name: "of two plans that were in force as long, the earlier rules the day",
    file: "lib/billing/rating/plans-by-day.ts",
    original: "each.ms >= longest.ms",
    replaced: "each.ms > longest.ms",
  },
  {
    name: "a product is due for each day that it was held on for a moment",
    file: "lib/billing/rating/plans-by-day.ts",
    original: "{ nothingCounts: !(isHeldNow && day === dayAt(now)) }",
    replaced: "{ nothingCounts: false }",
  },
  {
    name: "days on a free plan, on trial or on nothing do not move the position",
    file: "lib/billing/rating/charges.ts",
    original: "    .map((position): DayCost => {\n      const { before, units } = position;",
    replaced:
      "    .map((position, at, own): DayCost => {\n      const { units } = position;\n      const before = own.slice(0, at).reduce((sum, each) => sum + each.units, 0n);",
  },
  {
    name: "a trial is charged for",
    file: "lib/billing/rating/charges.ts",
    original: "runs.filter(({ is_trial }) => !is_trial)",
    replaced: "runs.filter(() => true)",
  },
  {
    name: "each day is rounded, and not the line",
    file: "lib/billing/rating/charges.ts",
    original: "cents: roundToCents(costOf(days))",
    replaced: "cents: days.reduce((sum, { nano }) => sum + roundToCents(nano), 0n)",
  },
  {
    name: "a fee is shared among thirty days, however many the period has",
    file: "lib/billing/rating/charges.ts",
    original: "const length = BigInt(daysIn(period));",
    replaced: "const length = 30n;",
  },
  {
    name: "a period has the list in force at its end",
    file: "lib/billing/catalogue/period-prices.ts",
    original: "history.at(period.start)",
    replaced: "history.at(period.end - 1)",
  },
  {
    name: "what a list replaces is not followed",
    file: "lib/billing/catalogue/price-history.ts",
    original: "passed.filter(({ from }) => from > since).reduce((held, { replaces }) => replaces[held] ?? held, plan_key)",
    replaced: "plan_key",
  },
  {
    name: "late use has the prices of the invoice that it stands on",
    file: "lib/billing/invoices/late-lines.ts",
    original: "periodPrices(history, anchorDay, period, of.catalogue_id)",
    replaced: "periodPrices(history, anchorDay, period, invoice.catalogue_id)",
  },
  {
    name: "what was counted too much does not come back",
    file: "lib/billing/invoices/late-lines.ts",
    original: "more < 0 ? -refund(billed, -more) : more",
    replaced: "Math.max(0, more)",
  },
  {
    name: "coupons for all products come before those for some",
    file: "lib/billing/customer/coupon-claim.ts",
    original: "...claims.filter(({ products }) => products !== null),\n  ...claims.filter(({ products }) => products === null),",
    replaced: "...claims.filter(({ products }) => products === null),\n  ...claims.filter(({ products }) => products !== null),",
  },
  {
    name: "credit that was bought is used before what was given",
    file: "lib/billing/customer/credit-grant.ts",
    original: "a.priority - b.priority ||",
    replaced: "b.priority - a.priority ||",
  },
  {
    name: "a trial converts when that is noticed, and not at its end",
    file: "lib/billing/plans.ts",
    original: "addChoices(held, of, choices, trial.expires_at)",
    replaced: "addChoices(held, of, choices, now)",
  },
  {
    name: "a limit hides what is owed already",
    file: "lib/billing/overview/overview-items.ts",
    original: "greatest(current, least(projected, cap))",
    replaced: "least(projected, cap)",
  },
];
