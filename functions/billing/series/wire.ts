import * as z from "zod";
import type { Table } from "../../../lib/ports/table.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { getMany } from "../../../lib/table/store.ts";
import { isUsageType, USAGE_IDENTIFIERS } from "../../../lib/usage/identifiers.ts";
import type { Subject } from "./lines.ts";
import type { Measure } from "./query.ts";

const BreakdownValue = z.union([z.string(), z.array(z.string())]).nullable();

const Series = z
  .object({
    id: z.int(),
    label: z.string(),
    data: z.array(z.number()),
    dates: z.array(z.string()),
    breakdown_type: z.enum(["type", "team", "multiple"]).nullable(),
    breakdown_value: BreakdownValue,
  })
  .meta({ id: "BillingSeries" });

export const TimeSeriesResponse = z
  .object({
    status: z.literal("ok"),
    type: z.literal("timeseries"),
    customer_id: z.string(),
    results: z.array(Series),
    team_id_options: z.array(z.int()).optional(),
    next: z.string().nullable().optional(),
    total_count: z.int().optional(),
  })
  .meta({ id: "BillingTimeSeriesResponse" });

/** The breakdown of a series, as sent. */
export const breakdown = ({ type, whose }: Subject): Pick<z.input<typeof Series>, "breakdown_type" | "breakdown_value"> => {
  if (type === null && whose === null) return { breakdown_type: null, breakdown_value: null };
  if (whose === null) return { breakdown_type: "type", breakdown_value: type };
  if (type === null) return { breakdown_type: "team", breakdown_value: String(whose) };
  return { breakdown_type: "multiple", breakdown_value: [type, String(whose)] };
};

/** Names of projects by id; one that is gone has none. */
export type Names = ReadonlyMap<number, string>;

/** The names of the projects that the series are of. */
export const projectNames = async (table: Table, subjects: readonly Subject[]): Promise<Names> => {
  const ids = new Set(subjects.flatMap(({ whose }) => (typeof whose === "number" ? [whose] : [])));
  const projects = await getMany(
    table,
    Projects,
    [...ids].map((id) => ({ id })),
  );
  return new Map(projects.filter(({ state }) => state === "active").map(({ id, name }) => [id, name]));
};

/** The label of a type: a usage type's own, or the name of a product with a fee. */
export const typeLabel = (type: string, products: ReadonlyMap<string, string>): string =>
  isUsageType(type) ? USAGE_IDENTIFIERS[type].label : (products.get(type) ?? type);

/** The project's side of a label. */
export const whoseLabel = (whose: NonNullable<Subject["whose"]>, names: Names): string => {
  if (whose === "other") return "All other projects";
  if (whose === "organization") return "Organization";
  return names.get(whose) ?? String(whose);
};

/** The label of a series of everything. */
export const wholeLabel = (measure: Measure): string => (measure === "usage" ? "All usage" : "All spend");

/** The label of a series, as `Project::Events`. */
export const label = ({ type, whose }: Subject, measure: Measure, names: Names, products: ReadonlyMap<string, string>): string => {
  const parts = [...(whose === null ? [] : [whoseLabel(whose, names)]), ...(type === null ? [] : [typeLabel(type, products)])];
  return parts.length === 0 ? wholeLabel(measure) : parts.join("::");
};
