import type { Endpoint, Filters, Tile } from "./calls.ts";

/** What a run of a tile is asked with, beside its endpoint. */
interface TileRun {
  readonly version?: number;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly filters_override?: Filters;
}

/**
 * The run of a tile under filters. An insight takes them as its override. SQL takes the dates for its variables `date_from` and
 * `date_to`, where it has them and the tile gives none; conditions say nothing to it. So does the public page of a dashboard.
 */
export const tileRun = ({ version, variables }: Tile, filters: Filters, query: Endpoint["query"]): TileRun => {
  const given = query?.kind === "HogQLQuery" ? { ...rangeVariables(query, filters), ...variables } : variables;
  return {
    ...(version !== null && { version }),
    ...(Object.keys(given).length > 0 && { variables: given }),
    ...(query?.kind !== "HogQLQuery" && !isEmpty(filters) && { filters_override: filters }),
  };
};

const DATES = ["date_from", "date_to"] as const;

/** Whether a part of the filters says nothing to a tile. */
export const isUnfiltered = (tile: Pick<Tile, "variables">, filters: Filters, query: Endpoint["query"]): boolean => {
  if (query?.kind !== "HogQLQuery") return false;
  const taken = rangeVariables(query, filters);
  const isRangeTaken = DATES.every((name) => !filters[name] || (name in taken && !(name in tile.variables)));
  return !isRangeTaken || (filters.properties ?? []).length > 0;
};

const isEmpty = ({ date_from, date_to, properties }: Filters): boolean => !date_from && !date_to && (properties ?? []).length === 0;

type Sql = Extract<Endpoint["query"], { kind: "HogQLQuery" }>;

const rangeVariables = ({ variables }: Sql, { date_from, date_to }: Filters): Readonly<Record<string, unknown>> => {
  const names = Object.values(variables ?? {}).map(({ code_name }) => code_name);
  return Object.fromEntries(Object.entries({ date_from, date_to }).filter(([name, date]) => date && names.includes(name)));
};
