import type { StoredQuery } from "../endpoints/definition.ts";
import type { DashboardFilters, Tile } from "./tiles.ts";

/** The part of a run's input that a tile and its dashboard give. */
export interface TileInput {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly filtersOverride: OverridingFilters | undefined;
}

/** Filters as a run takes them: what a dashboard does not have is null. */
type OverridingFilters = DashboardFilters & {
  readonly explicitDate: null;
  readonly breakdown_filter: null;
  readonly filterTestAccounts: null;
  readonly interval: null;
};

/**
 * The input of the run of a tile: its own values, and the dashboard's filters. An insight takes these as its override. SQL takes the
 * dates for its variables `date_from` and `date_to`, where it has them and the tile gives none; conditions say nothing to it.
 */
export const tileInput = ({ variables }: Pick<Tile, "variables">, filters: DashboardFilters, query: StoredQuery): TileInput => {
  if (query.kind !== "HogQLQuery") return { variables, filtersOverride: override(filters) };
  const names = Object.values(query.variables ?? {}).map(({ code_name }) => code_name);
  const dates = Object.entries({ date_from: filters.date_from, date_to: filters.date_to }).filter(
    ([name, date]) => date !== null && names.includes(name),
  );
  return { variables: { ...Object.fromEntries(dates), ...variables }, filtersOverride: undefined };
};

/** None where the filters change nothing, so that a table of the endpoint still serves. */
const override = (filters: DashboardFilters): OverridingFilters | undefined => {
  const { date_from, date_to, properties } = filters;
  if (date_from === null && date_to === null && (properties ?? []).length === 0) return undefined;
  return { ...filters, explicitDate: null, breakdown_filter: null, filterTestAccounts: null, interval: null };
};
