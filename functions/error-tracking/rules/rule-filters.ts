import * as z from "zod";
import { checkFilters } from "../../../lib/error-tracking/filters.ts";
import { type Fields, isFields } from "../../../lib/event/fields.ts";
import { invalid } from "../../../lib/http/errors.ts";

/** Of one rule as JSON. A list shows all rules of a project in one answer. */
const MOST_BYTES = 16 * 1024;

const refusing = (context: z.RefinementCtx, code: string, message: string): never => {
  context.addIssue({ code: "custom", message, params: { code } });
  return z.NEVER;
};

/** The property group of a rule, as any object; what it must look like inside is `filtersText`'s matter. */
export const FiltersField = z
  .unknown()
  .transform((sent, context): Fields => {
    if (sent === undefined) return refusing(context, "required", "This field is required.");
    if (sent === null) return refusing(context, "null", "This field may not be null.");
    return isFields(sent) ? sent : refusing(context, "invalid_input", "Filters are an object with `type` and `values`.");
  })
  .meta({ id: "ErrorTrackingFilters", type: "object", description: "A group `{type: AND | OR, values: [conditions and groups]}`." });

/** Filters as a rule has them. */
export const FILTERS_EXAMPLE = {
  type: "AND",
  values: [{ type: "event", key: "$exception_types", operator: "icontains", value: "Timeout" }],
};

/** The text under which a rule keeps its filters, once they can be asked. Throws 400 for those that cannot. */
export const filtersText = (filters: Fields, timezone: string, { needsCondition }: { readonly needsCondition: boolean }): string => {
  const checked = checkFilters(filters, timezone);
  if (checked.fault !== null) throw invalid(checked.fault.kind === "meaning" ? null : "filters", checked.fault.message);
  if (needsCondition && !checked.hasCondition) throw invalid("filters", "Filters need at least one condition.");
  const text = JSON.stringify(filters);
  if (Buffer.byteLength(text) > MOST_BYTES) throw invalid(null, `The filters of a rule have at most ${MOST_BYTES} bytes as JSON.`);
  return text;
};
