import * as z from "zod";

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
  })
  .meta({ id: "MaterializationPreview" });
export type Preview = z.input<typeof Preview>;
