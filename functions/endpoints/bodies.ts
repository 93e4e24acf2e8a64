import * as z from "zod";
import { ENGINE_CHOICES, EndpointQuery } from "../../lib/endpoints/definition.ts";

/** Create and update take the same fields, all of them nullable; any other key does not fit. */
export const EndpointBody = z.strictObject({
  name: z.string().nullish(),
  query: EndpointQuery.nullish(),
  description: z.string().nullish(),
  data_freshness_seconds: z.int().nullish(),
  engine: z
    .string()
    .meta({ enum: [...ENGINE_CHOICES] })
    .nullish(),
  is_active: z.boolean().nullish(),
  is_materialized: z.boolean().nullish(),
  derived_from_insight: z.string().nullish(),
  version: z.int().nullish(),
  bucket_overrides: z.record(z.string(), z.string()).nullish(),
  deleted: z.boolean().nullish(),
  tags: z.array(z.string()).nullish(),
  optional_breakdown_properties: z.array(z.string()).nullish(),
});
export type EndpointBody = z.output<typeof EndpointBody>;

/** The fields that a creation needs; whoever leaves it out is told in the words of the operation. */
export const NewEndpointBody = EndpointBody.extend({ name: z.string(), query: EndpointQuery }).meta({ id: "SavedQueryEndpointCreate" });

/**
 * What an update is described with. `deleted: true` is taken, too, and answered as a deletion; who reads the description is sent to
 * DELETE, so that every answer to what it describes is an endpoint.
 */
export const ChangedEndpointBody = EndpointBody.extend({ deleted: z.literal(false).nullish() }).meta({
  id: "SavedQueryEndpointWrite",
  description: "Fields of a saved query endpoint that a caller may set. All are optional and nullable.",
});

const EXAMPLE_VARIABLE = "0190d0aa-0000-7000-8000-000000000001";

export const NEW_ENDPOINT_EXAMPLE = {
  name: "pageviews-by-day",
  description: "Page views of the project, day by day",
  query: {
    kind: "HogQLQuery",
    query: "SELECT toDate(timestamp) AS day, count() AS views FROM events WHERE event = {variables.event_name} GROUP BY day ORDER BY day",
    variables: { [EXAMPLE_VARIABLE]: { variableId: EXAMPLE_VARIABLE, code_name: "event_name", value: "$pageview" } },
  },
} as const;
