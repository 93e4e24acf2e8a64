import type * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import type { CsvRow } from "../series/export/csv.ts";
import type { Measure } from "../series/figures/points.ts";
import type { SeriesQuery, SeriesRequest } from "../series/query.ts";
import { type Scope, scopeOf } from "../series/scope.ts";
import type { TimeSeriesResponse } from "../series/wire.ts";
import { namedLabel, partsOf, projectOf, upstreamNames } from "./labels.ts";
import { askSeries, type UpstreamSeries } from "./series.ts";

/** The billing service's series as they are sent here. */
export const upstreamAnswer = async (
  measure: Measure,
  world: World,
  grant: BillingGrant,
  request: SeriesRequest,
  { page_size, after }: Pick<SeriesQuery, "page_size" | "after">,
): Promise<z.input<typeof TimeSeriesResponse>> => {
  const scope = await scopeOf(world.table, grant, request.projects, "look");
  const found = await askSeries(measure, world, grant, request, scope, { page_size, after: page_size === undefined ? undefined : after });
  const names = await upstreamNames(world.table, found.results);
  const { next = null, total_count, team_id_options } = found;
  return {
    status: "ok",
    type: "timeseries",
    customer_id: String(found.customer_id ?? ""),
    results: found.results.map((series, at) => ({
      id: series.id ?? at + 1,
      label: namedLabel(series, names),
      data: series.data,
      dates: series.dates,
      breakdown_type: series.breakdown_type ?? null,
      breakdown_value: valueSent(series),
    })),
    ...(page_size === undefined ? { team_id_options: team_id_options ?? [] } : { next, total_count: total_count ?? found.results.length }),
  };
};

const valueSent = ({ breakdown_value: value }: UpstreamSeries): string | string[] | null =>
  value === undefined || value === null ? null : Array.isArray(value) ? value.map(String) : String(value);

/** Projects that the billing service has heard of. */
export const upstreamProjects = async (
  world: World,
  grant: BillingGrant,
  request: SeriesRequest,
  scope: Scope,
): Promise<readonly number[]> =>
  (await askSeries("usage", world, grant, request, scope)).team_id_options?.toSorted((one, other) => one - other) ?? [];

const PAGE = 1_000;
const MOST_PAGES = 1_000;

/** The rows of a file, with the first days of their points: all pages of the billing service's series. */
export const upstreamRows = async (
  measure: Measure,
  world: World,
  grant: BillingGrant,
  request: SeriesRequest,
  scope: Scope,
): Promise<{ readonly dates: readonly string[]; readonly rows: readonly CsvRow[] }> => {
  const series: UpstreamSeries[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const paging = request.byProject ? { page_size: PAGE, after } : {};
    const { results, next } = await askSeries(measure, world, grant, request, scope, paging);
    series.push(...results);
    after = next ?? undefined;
    if (after === undefined) break;
  }
  const names = await upstreamNames(world.table, series);
  const everything = measure === "usage" ? "All usage" : "All spend";
  const rows = series.map((each) => {
    const { project, product } = partsOf(each, names);
    return { product: product || everything, project, id: String(projectOf(each) ?? ""), points: each.data };
  });
  return { dates: series[0]?.dates ?? [], rows };
};
