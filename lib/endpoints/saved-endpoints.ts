import * as z from "zod";
import { PROPERTY_TYPES } from "../lake/property-types.ts";
import type { BoundedList } from "../table/bounded-list.ts";
import { entity } from "../table/entity.ts";
import { countThrough } from "../table/paging.ts";
import { counterKey, within } from "../table/partitions.ts";
import { ENGINE_CHOICES } from "./definition.ts";

/** A saved query as its clients name it. What a version may change lives with the version. */
export const SavedEndpoints = entity({
  name: "saved_endpoint",
  version: 1,
  schema: z.object({
    project: z.int(),
    name: z.string(),
    id: z.guid(),
    /** ISO 8601 with microseconds, UTC: the order of lists. */
    created_at: z.string(),
    updated_at: z.string(),
    /** User id; null for a user that is gone. */
    created_by: z.int().nullable(),
    is_active: z.boolean(),
    derived_from_insight: z.string().nullable(),
    tags: z.array(z.string()),
    /** Versions are numbered from 1 without gaps, so this is their count too. */
    current_version: z.int(),
    current_version_id: z.guid(),
    last_executed_at: z.string().nullable(),
    /** When rows of the project were last removed: what was kept of them before is not looked for any more. */
    forgotten_at: z.string().optional(),
  }),
  key: within("project", "endpoint#{name}"),
  patterns: { inOrder: { index: "gsi2", pk: "project#{project}#endpoints", sk: "{created_at}#{id}" } },
});
export type SavedEndpoint = z.output<typeof SavedEndpoints.schema>;

/** Endpoints of one project. */
const MOST_ENDPOINTS = 2_000;

/** The endpoints of a project. */
export const endpointsOfProject = (project: number): BoundedList => ({
  counter: counterKey("endpointCount", project),
  most: MOST_ENDPOINTS,
  full: `A project has at most ${MOST_ENDPOINTS} endpoints. Delete one first.`,
  recount: (table) => countThrough(table, SavedEndpoints, "key", { project }),
});

/** One immutable query of a saved endpoint, with the settings that its version carries. */
export const EndpointVersions = entity({
  name: "endpoint_version",
  version: 1,
  schema: z.object({
    project: z.int(),
    endpoint_id: z.guid(),
    version: z.int(),
    id: z.guid(),
    /** JSON text of the query as stored. */
    query: z.string(),
    /** The parsed text, compressed: a run never parses. */
    ast: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    /** Types of the properties that the query names, as they were first: values that come later do not change what it means. */
    property_types: z.record(z.string(), z.enum(PROPERTY_TYPES)).default({}),
    description: z.string(),
    data_freshness_seconds: z.int(),
    engine: z.enum(ENGINE_CHOICES).default("auto"),
    is_active: z.boolean(),
    bucket_overrides: z.record(z.string(), z.string()).nullable(),
    /** A table was switched on: whether there is one says its own item, which runs of the other versions need not look for. */
    has_table: z.boolean().default(false),
    optional_breakdown_properties: z.array(z.string()),
    created_at: z.string(),
    updated_at: z.string().nullable(),
    created_by: z.int().nullable(),
    last_executed_at: z.string().nullable(),
  }),
  key: within("project", "endpoint-version#{endpoint_id}#{version}"),
  patterns: {},
});
export type EndpointVersion = z.output<typeof EndpointVersions.schema>;
