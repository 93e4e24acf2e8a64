import type { Table } from "../../../../lib/ports/table.ts";
import { Projects } from "../../../../lib/projects/projects.ts";
import { getMany } from "../../../../lib/table/store.ts";
import { isUsageType, USAGE_IDENTIFIERS } from "../../../../lib/usage/identifiers.ts";
import type { Line } from "./lines.ts";
import type { Measure } from "./points.ts";

/** Names of projects by id; one that is gone has none. */
export type Names = ReadonlyMap<number, string>;

/** The names of the projects that the series are of. */
export const namesOf = async (table: Table, lines: readonly Line[]): Promise<Names> => {
  const ids = new Set(lines.flatMap(({ whose }) => (typeof whose === "number" ? [whose] : [])));
  const projects = await getMany(
    table,
    Projects,
    [...ids].map((id) => ({ id })),
  );
  return new Map(projects.filter(({ state }) => state === "active").map(({ id, name }) => [id, name]));
};

/** What a type is called: a usage type by what is counted, a product with a fee by its name. */
export const typeLabel = (type: string, products: ReadonlyMap<string, string>): string =>
  isUsageType(type) ? USAGE_IDENTIFIERS[type].label : (products.get(type) ?? type);

/** The project's side of a label. */
export const whoseLabel = (whose: NonNullable<Line["whose"]>, names: Names): string => {
  if (whose === "other") return "All other projects";
  if (whose === "organization") return "Organization";
  return names.get(whose) ?? String(whose);
};

export const labelOf = ({ type, whose }: Line, measure: Measure, names: Names, products: ReadonlyMap<string, string>): string => {
  const parts = [...(whose === null ? [] : [whoseLabel(whose, names)]), ...(type === null ? [] : [typeLabel(type, products)])];
  return parts.length === 0 ? (measure === "usage" ? "All usage" : "All spend") : parts.join("::");
};
