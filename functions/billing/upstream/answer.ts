import type * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import type { Table } from "../../../lib/ports/table.ts";
import type { CsvRow, Rows } from "../series/csv.ts";
import type { Measure, SeriesQuery, SeriesRequest } from "../series/query.ts";
import { findScope, type Scope } from "../series/scope.ts";
import { projectNames, type TimeSeriesResponse, wholeLabel } from "../series/wire.ts";
import { askSeries, type UpstreamAnswer, type UpstreamSeries } from "./series.ts";

/** The billing service's series as they are sent here. */
export const upstreamAnswer = async (
  measure: Measure,
  world: World,
  grant: BillingGrant,
  request: SeriesRequest,
  { page_size, after }: Pick<SeriesQuery, "page_size" | "after">,
): Promise<z.input<typeof TimeSeriesResponse>> => {
  const scope = await findScope(world.table, grant, request.projects, "look");
  const found = await askSeries(measure, world, grant, request, scope, { page_size, after: page_size === undefined ? undefined : after });
  const names = await namesFor(world.table, found.results);
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
      breakdown_value: breakdownValue(series),
    })),
    ...(page_size === undefined ? { team_id_options: team_id_options ?? [] } : { next, total_count: total_count ?? found.results.length }),
  };
};

const breakdownValue = ({ breakdown_value: value }: UpstreamSeries): string | string[] | null =>
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

/** The rows of a file, with the first days of their points: all pages of the billing service's series, each asked for when the one before is written. */
export const upstreamRows = async (
  measure: Measure,
  world: World,
  grant: BillingGrant,
  request: SeriesRequest,
  scope: Scope,
): Promise<Rows> => {
  const ask = (after: string | undefined): Promise<UpstreamAnswer> =>
    askSeries(measure, world, grant, request, scope, request.byProject ? { page_size: PAGE, after } : {});
  const first = await ask(undefined);
  return { dates: first.results[0]?.dates ?? [], rows: pageRows(measure, world.table, first, ask) };
};

async function* pageRows(
  measure: Measure,
  table: Table,
  first: UpstreamAnswer,
  ask: (after: string) => Promise<UpstreamAnswer>,
): AsyncGenerator<CsvRow> {
  let page = first;
  for (let pages = 1; ; pages += 1) {
    const names = await namesFor(table, page.results);
    for (const series of page.results) {
      const { project, product } = labelParts(series, names);
      yield { product: product || wholeLabel(measure), project, id: String(seriesProject(series) ?? ""), points: series.data };
    }
    if (typeof page.next !== "string" || pages === MOST_PAGES) return;
    page = await ask(page.next);
  }
}

const BETWEEN = "::";

/** The project that a series is of; null where it is of none, or of several. */
const seriesProject = ({ breakdown_type, breakdown_value }: UpstreamSeries): number | null => {
  const value = breakdown_type === "multiple" && Array.isArray(breakdown_value) ? breakdown_value[1] : breakdown_value;
  const isOfProject = breakdown_type === "team" || breakdown_type === "multiple";
  return isOfProject && /^\d{1,15}$/.test(String(value)) ? Number(value) : null;
};

/** The billing service knows only ids of projects. */
const namesFor = (table: Table, series: readonly UpstreamSeries[]): Promise<ReadonlyMap<number, string>> =>
  projectNames(
    table,
    series.map((each) => ({ type: null, whose: seriesProject(each) })),
  );

/** A label with the project's name in the place of its id. */
const namedLabel = (series: UpstreamSeries, names: ReadonlyMap<number, string>): string => {
  const { project, product } = labelParts(series, names);
  return [project, product].filter((part) => part !== "").join(BETWEEN);
};

/** The two parts of a label: a project's name, which may be anything, and a product's. */
const labelParts = (series: UpstreamSeries, names: ReadonlyMap<number, string>): { readonly project: string; readonly product: string } => {
  const { label, breakdown_type } = series;
  if (breakdown_type !== "team" && breakdown_type !== "multiple") return { project: "", product: label };
  const at = label.indexOf(BETWEEN);
  const [own, product] = at === -1 ? [label, ""] : [label.slice(0, at), label.slice(at + BETWEEN.length)];
  const project = seriesProject(series);
  return { project: project === null ? own : (names.get(project) ?? String(project)), product };
};
