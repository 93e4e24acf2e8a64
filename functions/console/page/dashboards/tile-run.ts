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

/** What of the filters says nothing to a tile, in a few words; nothing where all of it does. */
export const passedOver = (tile: Pick<Tile, "variables">, filters: Filters, query: Endpoint["query"]): string | undefined => {
  if (query?.kind !== "HogQLQuery") return undefined;
  const taken = rangeVariables(query, filters);
  const isRangeTaken = DATES.every((name) => !filters[name] || (name in taken && !(name in tile.variables)));
  const words = [!isRangeTaken && "range", (filters.properties ?? []).length > 0 && "filters"].filter(Boolean);
  return words.length > 0 ? `${words.join(" and ")} not applied` : undefined;
};

const isEmpty = ({ date_from, date_to, properties }: Filters): boolean => !date_from && !date_to && (properties ?? []).length === 0;

type Sql = Extract<Endpoint["query"], { kind: "HogQLQuery" }>;

const rangeVariables = ({ variables }: Sql, { date_from, date_to }: Filters): Readonly<Record<string, unknown>> => {
  const names = Object.values(variables ?? {}).map(({ code_name }) => code_name);
  return Object.fromEntries(Object.entries({ date_from, date_to }).filter(([name, date]) => date && names.includes(name)));
};
