import * as z from "zod";

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
export type Suggestion = z.input<typeof Suggestion>;
