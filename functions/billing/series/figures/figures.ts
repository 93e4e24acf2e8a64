import type { World } from "../../../../lib/app/world.ts";
import type { BillingGrant } from "../../../../lib/auth/billing-access.ts";
import { itemsOf } from "../../../../lib/billing/catalogue/catalogue.ts";
import { readCustomerState } from "../../../../lib/billing/customer-state.ts";
import { pricedPeriods } from "../../../../lib/billing/rating/priced-periods.ts";
import { DAY_MS } from "../../../../lib/core/time.ts";
import { USAGE_TYPES } from "../../../../lib/usage/identifiers.ts";
import { readRollUps } from "../../../../lib/usage/roll-ups.ts";
import { eachCount } from "../../../../lib/usage/runs.ts";
import type { SeriesRequest } from "../query.ts";
import { isIn, type Scope } from "../scope.ts";
import { type Amounts, countedAmounts } from "./amounts.ts";
import type { Measure } from "./points.ts";
import { periodsOf, spentAmounts } from "./spend.ts";

/** What an organization used or spent, of what the caller may be told. */
export interface Figures {
  readonly customer: string;
  readonly amounts: readonly Amounts[];
  /** Projects with any use in the range, ascending. Worked out only for those who are told. */
  projects(): readonly number[];
  /** What is sold, by its type. */
  readonly products: ReadonlyMap<string, string>;
}

type Parts = Pick<World, "table" | "objects" | "clock">;

export const figuresOf = (
  measure: Measure,
  parts: Parts,
  { organization }: Pick<BillingGrant, "organization">,
  request: SeriesRequest,
  scope: Scope,
): Promise<Figures> => (measure === "usage" ? used : spent)(parts, organization.id, request, scope);

const used = async (parts: Parts, organization: string, request: SeriesRequest, scope: Scope): Promise<Figures> => {
  const [{ account }, rollUps] = await Promise.all([
    readCustomerState(parts.table, organization),
    readRollUps(parts, organization, request.from, request.to),
  ]);
  const amounts = countedAmounts(rollUps, scope, request.types);
  const projects = () => usingIn(countedAmounts(rollUps, scope, new Set(USAGE_TYPES)), request);
  return { customer: account.customer_id, amounts, projects, products: new Map() };
};

const spent = async (parts: Parts, organization: string, request: SeriesRequest, scope: Scope): Promise<Figures> => {
  const customer = await readCustomerState(parts.table, organization);
  const periods = periodsOf(customer, request);
  const first = Math.min(request.from, ...periods.map(({ start }) => start / DAY_MS));
  const [priced, rollUps] = await Promise.all([
    pricedPeriods(parts.table, organization, periods, parts.clock.now()),
    readRollUps(parts, organization, first, request.to),
  ]);
  const all = countedAmounts(rollUps, "all", new Set(USAGE_TYPES)).map((amounts) => upTo(amounts, request.to));
  const wanted = { types: request.types, everyType: request.types.size === USAGE_TYPES.length };
  const amounts = spentAmounts(customer, priced, all, wanted).filter(({ project }) =>
    project === null ? scope === "all" : isIn(scope, project),
  );
  const projects = () =>
    usingIn(
      all.filter(({ project }) => project !== null && isIn(scope, project)),
      request,
    );
  const products = new Map(priced.flatMap(({ catalogue }) => itemsOf(catalogue).map(({ type, name }) => [type, name] as const)));
  return { customer: customer.account.customer_id, amounts, projects, products };
};

/** What comes after the range decides nothing in it. */
const upTo = ({ runs, ...rest }: Amounts, to: number): Amounts => ({
  ...rest,
  runs: runs.filter(([, first]) => first <= to),
});

const usingIn = (amounts: readonly Amounts[], { from, to }: SeriesRequest): readonly number[] => {
  const using = new Set<number>();
  for (const { project, runs } of amounts) {
    if (project === null || using.has(project)) continue;
    for (const run of runs)
      eachCount(run, from, to, (_, count) => {
        if (count > 0) using.add(project);
      });
  }
  return [...using].sort((one, other) => one - other);
};
