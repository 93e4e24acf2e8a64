import { type QueryVariable, type StoredQuery, storedBreakdowns, storedQuery } from "../../../lib/endpoints/definition.ts";
import type { EndpointVersion, SavedEndpoint } from "../../../lib/endpoints/saved-endpoints.ts";
import { type Dialect, endpointPath } from "../wire.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** The variables of a run: a schema for each, and those that a run must give. */
interface VariableSchemas {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

/** The subject of a description: a version, whether it has a table of its own, what its rows are, and the base URL of the API. */
export interface DescribedVersion {
  readonly endpoint: SavedEndpoint;
  readonly version: EndpointVersion;
  readonly hasTable: boolean;
  readonly row: JsonObject;
  readonly origin: string;
  readonly dialect: Dialect;
}

/** Names of the dialects as a document gives them. */
const VERSIONS: Readonly<Record<Dialect, string>> = { "3.0": "3.0.3", "3.1": "3.1.0" };

/** An OpenAPI description of running one version, from which typed clients are generated. */
export const describeVersion = ({ endpoint, version, hasTable, row, origin, dialect }: DescribedVersion): JsonObject => {
  const query = storedQuery(version);
  const variables = variableSchemas(query, version, hasTable);
  const mustGive = variables.required.length > 0;
  return {
    openapi: VERSIONS[dialect],
    info: {
      title: endpoint.name,
      description: version.description || `Runs the saved query endpoint "${endpoint.name}".`,
      version: String(version.version),
    },
    servers: [{ url: origin }],
    paths: {
      [endpointPath(endpoint)]: {
        post: {
          operationId: `run_${endpoint.name.replaceAll("-", "_")}`,
          summary: `Run ${endpoint.name}`,
          security: [{ PersonalAPIKey: [] }],
          requestBody: { required: mustGive, content: jsonContent({ $ref: "#/components/schemas/EndpointRunRequest" }) },
          responses: {
            200: { description: "The rows of the query.", content: jsonContent(RESULT) },
            400: { description: "The run, its variables or its query cannot be served." },
            401: { description: "No key was sent, or it is not valid." },
            404: { description: "There is no such endpoint, or it is inactive." },
          },
        },
      },
    },
    components: {
      securitySchemes: { PersonalAPIKey: { type: "http", scheme: "bearer" } },
      schemas: {
        EndpointRunRequest: requestSchema(query, variables),
        DashboardFilter: DASHBOARD_FILTER,
        PropertyFilter: PROPERTY_FILTER,
        Row: row,
        ...(hasAny(variables) && { Variables: variablesSchema(variables) }),
      },
    },
  };
};

const jsonContent = (schema: JsonObject) => ({ "application/json": { schema } });

const hasAny = ({ properties }: VariableSchemas): boolean => Object.keys(properties).length > 0;

const RESULT = {
  type: "object",
  required: ["results"],
  properties: {
    results: { type: "array", items: { $ref: "#/components/schemas/Row" } },
    columns: { type: "array", items: { type: "string" }, description: "Names of the columns, in the order of each row; only of SQL." },
    hasMore: { type: "boolean", description: "Whether there are more rows than were sent; only with a `limit`." },
  },
} as const;

const DASHBOARD_FILTER = {
  type: "object",
  properties: {
    date_from: { type: "string" },
    date_to: { type: "string" },
    properties: { type: "array", items: { $ref: "#/components/schemas/PropertyFilter" } },
  },
} as const;

const PROPERTY_FILTER = {
  type: "object",
  required: ["key"],
  properties: { key: { type: "string" }, value: {}, operator: { type: "string" }, type: { type: "string" } },
} as const;

const requestSchema = (query: StoredQuery, variables: VariableSchemas): JsonObject => ({
  type: "object",
  ...(variables.required.length > 0 && { required: ["variables"] }),
  properties: {
    client_query_id: { type: "string", description: "An id of the caller's own for this run." },
    debug: { type: "boolean", description: "Whether the reply says more about how the run was made." },
    filters_override: { $ref: "#/components/schemas/DashboardFilter" },
    limit: { type: "integer", minimum: 1, description: "Rows at most." },
    ...(query.kind === "HogQLQuery" && {
      offset: { type: "integer", minimum: 0, description: "Rows to pass over; needs `limit`." },
    }),
    refresh: {
      type: "string",
      enum: ["cache", "force", "direct"],
      default: "cache",
      description: "Whether a result that is fresh enough will do, it is computed now, or the version's table is passed over.",
    },
    ...(hasAny(variables) && { variables: { $ref: "#/components/schemas/Variables" } }),
    version: { type: "integer", minimum: 1, description: "The version to run; the newest when left out." },
  },
});

const variablesSchema = ({ properties, required }: VariableSchemas): JsonObject => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

/** A table holds the rows of every value, so that runs of it have to say which they want, and those of its own dates alone. */
const variableSchemas = (query: StoredQuery, version: EndpointVersion, hasTable: boolean): VariableSchemas =>
  query.kind === "HogQLQuery"
    ? sqlVariables(Object.values(query.variables ?? {}), hasTable)
    : insightVariables(storedBreakdowns(query), version, hasTable);

/** Of two definitions of one name a run takes the later. */
const sqlVariables = (defined: readonly QueryVariable[], hasTable: boolean): VariableSchemas => {
  const variables = [...new Map(defined.map((variable) => [variable.code_name, variable])).values()];
  return {
    properties: Object.fromEntries(variables.map((variable) => [variable.code_name, valueSchema(variable.value ?? null)])),
    required: variables
      .filter(({ value, isNull }) => hasTable || (isNull !== true && (value === null || value === undefined)))
      .map((variable) => variable.code_name)
      .sort(),
  };
};

/** A default says which values are meant; without one any value is. */
const valueSchema = (value: unknown): JsonObject => {
  if (Array.isArray(value)) return { type: "array", items: {} };
  return ["string", "number", "boolean"].includes(typeof value) ? { type: typeof value } : {};
};

const DATE = { type: "string", description: 'A date such as "2026-01-31", or a relative one such as "-7d".' } as const;

/** The value of a breakdown narrows the rows to it; the dates stand in for the insight's own. */
const insightVariables = (breakdowns: readonly string[], version: EndpointVersion, hasTable: boolean): VariableSchemas => ({
  properties: {
    ...Object.fromEntries(breakdowns.map((name) => [name, { type: "string" }])),
    ...(hasTable ? {} : { date_from: DATE, date_to: DATE }),
  },
  required: breakdowns.filter((name) => !version.optional_breakdown_properties.includes(name)).toSorted(),
});
