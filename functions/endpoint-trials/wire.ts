import * as z from "zod";

const Side = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.unknown()),
    row_count: z.int(),
    ms: z.number(),
    bytes: z.int(),
    error: z.string().nullable(),
  })
  .meta({ id: "MaterializationComparisonSide" });

/** How a version would be divided, as sent. */
export const Preview = z
  .object({
    can_materialize: z.boolean(),
    reason: z.string().nullable(),
    transformed_query: z.string().nullable(),
    execution_query: z.string().nullable(),
    display_execution_query: z.string().nullable(),
    range_pairs: z.array(z.object({ column: z.string(), variables: z.array(z.string()), bucket_fn: z.string().nullable() })),
    aggregates: z.array(z.object({ expression: z.string(), reaggregate_fn: z.string().nullable() })),
    comparison: z
      .object({
        live: Side,
        materialised: Side,
        table: z.object({ bytes: z.int(), made_ms: z.number().nullable() }).nullable(),
        equal: z.boolean(),
      })
      .optional(),
  })
  .meta({ id: "MaterializationPreview" });
export type Preview = z.input<typeof Preview>;

/** A rewrite of a query, as sent. */
export const Suggestion = z
  .object({
    suggestion_status: z.enum(["ok", "cannot_fix", "invalid", "model_error"]),
    suggested_query: z.string().nullable(),
    explanation: z.string().nullable(),
    attempts: z.int(),
    error: z.string().nullable(),
    original_reason: z.string(),
  })
  .meta({ id: "MaterializationSuggestion" });
