import type { PropertyFilter } from "./filters/property-filter.ts";
import { INSIGHT_KINDS } from "./kinds.ts";
import type { DashboardFilter, InsightQuery } from "./query.ts";

/** Dates that a run gives; one that it leaves out stays as the insight has it. */
export interface GivenDates {
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
}

/** The insight with a run's dates in the place of its own. */
export const withDates = <Q extends InsightQuery>(query: Q, { date_from, date_to }: GivenDates): Q => {
  if (date_from === undefined && date_to === undefined) return query;
  const { dateRange } = query;
  return {
    ...query,
    dateRange: {
      date_from: date_from ?? dateRange?.date_from ?? null,
      date_to: date_to ?? dateRange?.date_to ?? null,
      explicitDate: dateRange?.explicitDate ?? null,
    },
  };
};

/** The insight with a dashboard's filter laid over it: a given date replaces both, properties are further conditions, the rest replaces. */
export const withDashboardFilter = <Q extends InsightQuery>(query: Q, filter: DashboardFilter): Q => ({
  ...query,
  ...(filter.date_from === null && filter.date_to === null
    ? {}
    : { dateRange: { date_from: filter.date_from, date_to: filter.date_to, explicitDate: filter.explicitDate } }),
  ...(filter.properties === null || filter.properties.length === 0
    ? {}
    : { properties: joinProperties(query.properties, filter.properties) }),
  ...(filter.breakdown_filter === null ? {} : { breakdownFilter: filter.breakdown_filter }),
  ...(filter.filterTestAccounts === null ? {} : { filterTestAccounts: filter.filterTestAccounts }),
  ...INSIGHT_KINDS[query.kind].overrides(filter),
});

const joinProperties = (own: InsightQuery["properties"], more: PropertyFilter[]): InsightQuery["properties"] => {
  if (own === null) return more;
  if (Array.isArray(own)) return [...own, ...more];
  return { type: "AND", values: [own, ...more] };
};
