import * as z from "zod";
import type { Line } from "./figures/lines.ts";

const BreakdownValue = z.union([z.string(), z.array(z.string())]).nullable();

const Series = z
  .object({
    id: z.int().meta({ description: "Its place among the series of this answer, from 1." }),
    label: z.string(),
    data: z.array(z.number()),
    dates: z.array(z.string()).meta({ description: "The first day of each point." }),
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
    team_id_options: z.array(z.int()).optional().meta({ description: "Projects with usage in the range; not with paging." }),
    next: z.string().nullable().optional().meta({ description: "With paging: `after` of the next page, null on the last." }),
    total_count: z.int().optional().meta({ description: "With paging: the series of all pages." }),
  })
  .meta({ id: "BillingTimeSeriesResponse" });

/** What a series is of, as sent. */
export const breakdownOf = ({ type, whose }: Line): Pick<z.input<typeof Series>, "breakdown_type" | "breakdown_value"> => {
  if (type === null && whose === null) return { breakdown_type: null, breakdown_value: null };
  if (whose === null) return { breakdown_type: "type", breakdown_value: type };
  if (type === null) return { breakdown_type: "team", breakdown_value: String(whose) };
  return { breakdown_type: "multiple", breakdown_value: [type, String(whose)] };
};
