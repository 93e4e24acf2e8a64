import * as z from "zod";
import { PROPERTY_TYPES } from "../../lib/lake/property-types.ts";

/** An event by its name. */
export const EventDefinition = z
  .object({ name: z.string(), last_seen_at: z.string().nullable(), volume_30_day: z.int() })
  .meta({ id: "EventDefinition" });
export type EventDefinition = z.input<typeof EventDefinition>;

export const OWNER_KINDS = ["event", "person", "group"] as const;

/** A column of its own that a property has in the files of the project, and what named it last. */
export const EarnedPropertyColumn = z
  .object({ type: z.enum(["text", "number"]), since: z.string(), named_at: z.string(), named_by: z.string() })
  .meta({ id: "EarnedPropertyColumn" });

/** A property by whose it is and its name. */
export const PropertyDefinition = z
  .object({
    name: z.string(),
    type: z.enum(OWNER_KINDS),
    group_type_index: z.int().nullable(),
    property_type: z.enum(PROPERTY_TYPES),
    is_numerical: z.boolean(),
    earned_columns: z.array(EarnedPropertyColumn),
  })
  .meta({ id: "PropertyDefinition" });
export type PropertyDefinition = z.input<typeof PropertyDefinition>;

/** The most frequent values of a property. */
export const PropertyValues = z
  .object({ results: z.array(z.object({ name: z.string(), count: z.int() })), refreshing: z.literal(false) })
  .meta({ id: "PropertyValues" });
export type PropertyValues = z.input<typeof PropertyValues>;
