import type { Table } from "../../../lib/ports/table.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { getMany } from "../../../lib/table/store.ts";
import type { UpstreamSeries } from "./series.ts";

const BETWEEN = "::";

/** The project that a series is of; null where it is of none, or of several. */
export const projectOf = ({ breakdown_type, breakdown_value }: UpstreamSeries): number | null => {
  const value = breakdown_type === "multiple" && Array.isArray(breakdown_value) ? breakdown_value[1] : breakdown_value;
  const isOfProject = breakdown_type === "team" || breakdown_type === "multiple";
  return isOfProject && /^\d{1,15}$/.test(String(value)) ? Number(value) : null;
};

/** The names of the projects that the series are of: the billing service knows only their ids. */
export const upstreamNames = async (table: Table, series: readonly UpstreamSeries[]): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set(series.flatMap((each) => projectOf(each) ?? []))];
  const projects = await getMany(
    table,
    Projects,
    ids.map((id) => ({ id })),
  );
  return new Map(projects.filter(({ state }) => state === "active").map(({ id, name }) => [id, name]));
};

/** A label with the project's name in the place of its id. */
export const namedLabel = (series: UpstreamSeries, names: ReadonlyMap<number, string>): string => {
  const { project, product } = partsOf(series, names);
  return [project, product].filter((part) => part !== "").join(BETWEEN);
};

/** What a series is of, apart: a project's name, which may be anything, and a product's. */
export const partsOf = (
  series: UpstreamSeries,
  names: ReadonlyMap<number, string>,
): { readonly project: string; readonly product: string } => {
  const { label, breakdown_type } = series;
  if (breakdown_type !== "team" && breakdown_type !== "multiple") return { project: "", product: label };
  const at = label.indexOf(BETWEEN);
  const [own, product] = at === -1 ? [label, ""] : [label.slice(0, at), label.slice(at + BETWEEN.length)];
  const project = projectOf(series);
  return { project: project === null ? own : (names.get(project) ?? String(project)), product };
};
