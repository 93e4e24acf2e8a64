import * as z from "zod";
import { EndpointQuery } from "../../lib/endpoint/definition.ts";

/** Create and update take the same fields, all of them nullable; any other key does not fit. */
export const EndpointBody = z
  .strictObject({
    name: z.string().nullish(),
    query: EndpointQuery.nullish(),
    description: z.string().nullish(),
    data_freshness_seconds: z.int().nullish(),
    is_active: z.boolean().nullish(),
    is_materialized: z.boolean().nullish(),
    derived_from_insight: z.string().nullish(),
    version: z.int().nullish(),
    bucket_overrides: z.record(z.string(), z.string()).nullish(),
    deleted: z.boolean().nullish(),
    tags: z.array(z.string()).nullish(),
    optional_breakdown_properties: z.array(z.string()).nullish(),
  })
  .meta({
    id: "SavedQueryEndpointWrite",
    description: "Fields of a saved query endpoint that a caller may set. All are optional and nullable.",
  });
export type EndpointBody = z.output<typeof EndpointBody>;
