import * as z from "zod";
import { withOffset } from "../../lib/core/time.ts";
import { ENGINE_CHOICES, EndpointQuery, storedQuery } from "../../lib/endpoints/definition.ts";
import { MATERIALISATION_STATES } from "../../lib/endpoints/materialisations.ts";
import type { EndpointVersion, SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import { PROPERTY_TYPES } from "../../lib/lake/property-types.ts";
import { type People, userSummary } from "../../lib/organizations/people.ts";
import { UserSummary } from "../../lib/organizations/user-summary.ts";

export const Materialization = z
  .object({
    name: z.string(),
    enabled: z.boolean(),
    ready: z.boolean(),
    hibernated: z.boolean(),
    can_materialize: z.boolean(),
    reason: z.string().nullable().optional(),
    status: z.enum(MATERIALISATION_STATES).optional(),
    last_materialized_at: z.string().nullable().optional(),
    error: z.string().optional(),
    saved_query_id: z.guid().optional(),
  })
  .meta({
    id: "EndpointMaterialization",
    description: "Of a version without a table: whether it can have one. Of one that has: how that stands.",
  });
export type Materialization = z.input<typeof Materialization>;

/** A saved query endpoint as sent; the version fields are there where one version is shown. */
export const SavedQueryEndpoint = z
  .object({
    id: z.guid(),
    name: z.string(),
    description: z.string().nullable(),
    query: EndpointQuery.nullable(),
    is_active: z.boolean(),
    data_freshness_seconds: z.int(),
    engine: z.enum(ENGINE_CHOICES),
    endpoint_path: z.string(),
    url: z.string().nullable(),
    ui_url: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    created_by: UserSummary.nullable(),
    is_materialized: z.boolean(),
    current_version: z.int(),
    current_version_id: z.guid(),
    versions_count: z.int(),
    derived_from_insight: z.string().nullable(),
    last_executed_at: z.string().nullable(),
    materialization: Materialization,
    bucket_overrides: z.record(z.string(), z.string()).nullable(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    property_types: z.record(z.string(), z.enum(PROPERTY_TYPES)),
    tags: z.array(z.string()),
    optional_breakdown_properties: z.array(z.string()),
    version: z.int().optional(),
    version_id: z.guid().optional(),
    endpoint_is_active: z.boolean().optional(),
    version_created_at: z.string().optional(),
    version_updated_at: z.string().nullable().optional(),
    version_created_by: UserSummary.nullable().optional(),
    materialization_error: z.string().optional(),
  })
  .meta({ id: "SavedQueryEndpoint" });
type Sent = z.input<typeof SavedQueryEndpoint>;

/** How the tables of the versions that are shown stand. */
export interface Tables {
  /** The version's table exists. */
  has(version: EndpointVersion): boolean;
  of(version: EndpointVersion): Materialization;
}

/** The endpoint with the query and settings of its current version. `origin` is the base URL of links. */
export const endpointForm = (endpoint: SavedEndpoint, current: EndpointVersion, people: People, tables: Tables, origin: string): Sent => ({
  ...shared(endpoint, current, people, tables),
  is_active: endpoint.is_active,
  url: `${origin}${endpointPath(endpoint)}`,
  ui_url: `${origin}/project/${endpoint.project}/endpoints/${endpoint.name}`,
  current_version_id: endpoint.current_version_id,
  last_executed_at: offsetOrNull(endpoint.last_executed_at),
});

/** The fields that say which version is shown. */
export const versionFields = (endpoint: SavedEndpoint, version: EndpointVersion, people: People) => ({
  version: version.version,
  version_id: version.id,
  endpoint_is_active: endpoint.is_active,
  version_created_at: withOffset(version.created_at),
  version_updated_at: offsetOrNull(version.updated_at),
  version_created_by: userSummary(version.created_by, people),
});

/** One version: its own flag and execution time, and by the contract its own id as `current_version_id` and no links. */
export const versionForm = (endpoint: SavedEndpoint, version: EndpointVersion, people: People, tables: Tables): Sent => ({
  ...shared(endpoint, version, people, tables),
  is_active: version.is_active,
  url: null,
  ui_url: null,
  current_version_id: version.id,
  last_executed_at: offsetOrNull(version.last_executed_at),
  ...versionFields(endpoint, version, people),
});

/** Where an endpoint is run, without a final slash. */
export const endpointPath = (endpoint: SavedEndpoint): string => `/api/projects/${endpoint.project}/endpoints/${endpoint.name}/run`;

const shared = (endpoint: SavedEndpoint, version: EndpointVersion, people: People, tables: Tables) => ({
  id: endpoint.id,
  name: endpoint.name,
  description: version.description,
  query: storedQuery(version),
  data_freshness_seconds: version.data_freshness_seconds,
  engine: version.engine,
  endpoint_path: endpointPath(endpoint),
  created_at: endpoint.created_at,
  updated_at: endpoint.updated_at,
  created_by: userSummary(endpoint.created_by, people),
  is_materialized: tables.has(version),
  current_version: endpoint.current_version,
  versions_count: endpoint.current_version,
  derived_from_insight: endpoint.derived_from_insight,
  materialization: tables.of(version),
  bucket_overrides: version.bucket_overrides,
  columns: version.columns,
  property_types: version.property_types,
  tags: endpoint.tags,
  optional_breakdown_properties: version.optional_breakdown_properties,
});

const offsetOrNull = (iso: string | null): string | null => (iso === null ? null : withOffset(iso));

/** The versions of OpenAPI in which a run is described; only the newer one can type the rows of SQL column by column. */
export const DIALECTS = ["3.0", "3.1"] as const;
export type Dialect = (typeof DIALECTS)[number];
