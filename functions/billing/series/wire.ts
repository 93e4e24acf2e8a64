import * as z from "zod";
import type { Line } from "./figures/lines.ts";

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

/** What a series is of, as sent. */
export const breakdownOf = ({ type, whose }: Line): Pick<z.input<typeof Series>, "breakdown_type" | "breakdown_value"> => {
  if (type === null && whose === null) return { breakdown_type: null, breakdown_value: null };
  if (whose === null) return { breakdown_type: "type", breakdown_value: type };
  if (type === null) return { breakdown_type: "team", breakdown_value: String(whose) };
  return { breakdown_type: "multiple", breakdown_value: [type, String(whose)] };
};
