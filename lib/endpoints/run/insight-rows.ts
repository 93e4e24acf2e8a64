import * as z from "zod";

const Breakdown = z.union([z.string(), z.number(), z.null()]);

/** A row of a trend: one series or formula, of one value of its breakdown. */
export const TrendRow = z
  .object({
    data: z.array(z.number()),
    days: z.array(z.string()),
    labels: z.array(z.string()).optional(),
    count: z.number(),
    aggregated_value: z.number().optional(),
    label: z.string(),
    order: z.int(),
    filter: z.record(z.string(), z.unknown()),
    action: z
      .object({
        days: z.array(z.string()),
        id: z.string().nullable(),
        type: z.string(),
        order: z.int(),
        name: z.string(),
        custom_name: z.string().nullable(),
        math: z.string().nullable(),
        math_property: z.string().nullable(),
        math_hogql: z.string().nullable(),
        math_group_type_index: z.int().nullable(),
        properties: z.record(z.string(), z.unknown()),
      })
      .nullable(),
    breakdown_value: z.union([Breakdown, z.array(Breakdown)]).optional(),
    compare: z.literal(true).optional(),
    compare_label: z.enum(["current", "previous"]).optional(),
  })
  .meta({ id: "TrendResultRow" });

/** A row of a retention: those who began in one period, of one value of its breakdown. */
export const RetentionRow = z
  .object({
    values: z.array(z.object({ count: z.int(), label: z.string(), aggregation_value: z.number().optional() })),
    label: z.string(),
    date: z.string(),
    breakdown_value: z.string().nullable(),
  })
  .meta({ id: "RetentionResultRow" });
