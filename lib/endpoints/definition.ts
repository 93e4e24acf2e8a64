import * as z from "zod";
import { invalid } from "../http/errors.ts";
import { breakdownNames, INSIGHTS, type InsightQuery, unknownKind } from "../insight/query.ts";
import type { PropertyType } from "../lake/property-types.ts";

/** A list of variables, or a default alone as a run gives it, is shown what was meant. */
const VARIABLES_SHAPE = {
  error: ({ code, input }: { readonly code?: string | undefined; readonly input?: unknown }): string | undefined =>
    code === "invalid_type" && input !== undefined && input !== null
      ? 'Write variables as {"<UUID>": {"variableId": "<the same UUID>", "code_name": "event_name", "value": "its default"}}.'
      : undefined,
};

/** One variable of a SQL query, as its author defines it inline: `value` is the default, `isNull` says that the default is NULL. */
export const QueryVariable = z.strictObject(
  {
    variableId: z.string(),
    code_name: z.string(),
    value: z.unknown().optional(),
    isNull: z.boolean().nullish(),
  },
  VARIABLES_SHAPE,
);
export type QueryVariable = z.output<typeof QueryVariable>;

/** The `filters` of a SQL query: what `{filters}` in its text stands for. */
export const QueryFilters = z.strictObject({
  dateRange: z
    .strictObject({ date_from: z.string().nullish(), date_to: z.string().nullish(), explicitDate: z.boolean().nullish() })
    .nullish(),
  properties: z.array(z.record(z.string(), z.unknown())).nullish(),
  filterTestAccounts: z.boolean().nullish(),
});
export type QueryFilters = z.output<typeof QueryFilters>;

/** A SQL query as clients send it: every key but `kind` and `query` may be absent, no other key is known. */
export const HogQLQuery = z
  .strictObject({
    kind: z.literal("HogQLQuery"),
    query: z.string(),
    variables: z.record(z.string(), QueryVariable, VARIABLES_SHAPE).nullish(),
    explain: z.boolean().nullish(),
    filters: QueryFilters.nullish(),
    modifiers: z.record(z.string(), z.unknown()).nullish(),
    name: z.string().nullish(),
    response: z.record(z.string(), z.unknown()).nullish(),
    tags: z.record(z.string(), z.unknown()).nullish(),
    values: z.record(z.string(), z.unknown()).nullish(),
    version: z.number().nullish(),
  })
  .meta({ id: "HogQLQuery", description: "A SELECT in the query language, with `{variables.name}` where a run gives values." });

const QUERIES = [HogQLQuery, ...INSIGHTS] as const;

/** The kinds of queries that an endpoint may have. */
export const QUERY_KINDS = QUERIES.map(({ shape }) => shape.kind.value);

/** A query of any kind that an endpoint may have, as clients send it. */
export const EndpointQuery = z.discriminatedUnion("kind", QUERIES, {
  error: (issue) => {
    const sent: unknown = typeof issue.input === "object" && issue.input !== null && "kind" in issue.input ? issue.input.kind : undefined;
    if (issue.code === "invalid_union" && typeof sent === "string" && SHOWING.has(sent))
      return `${sent} only says how a query is shown: send its \`source\` as the query.`;
    return unknownKind(...QUERY_KINDS).error(issue);
  },
});

/** Kinds of nodes around a query. */
const SHOWING: ReadonlySet<string> = new Set(["InsightVizNode", "DataVisualizationNode", "DataTableNode"]);
export type EndpointQuery = z.output<typeof EndpointQuery>;

/** A SQL query as it is stored and sent back: every known key is present, absent ones as null. */
export interface StoredSql {
  readonly kind: "HogQLQuery";
  readonly query: string;
  readonly variables: Readonly<Record<string, QueryVariable>> | null;
  readonly explain: boolean | null;
  readonly filters: QueryFilters | null;
  readonly modifiers: Readonly<Record<string, unknown>> | null;
  readonly name: string | null;
  readonly response: Readonly<Record<string, unknown>> | null;
  readonly tags: Readonly<Record<string, unknown>> | null;
  readonly values: Readonly<Record<string, unknown>> | null;
  readonly version: number | null;
}

/** A query as it is stored and sent back. */
export type StoredQuery = StoredSql | InsightQuery;

/** The stored form of a query that passed `HogQLQuery`, with its variables replaced by those that the text uses. */
export const storedSql = (sent: z.output<typeof HogQLQuery>, variables: StoredSql["variables"]): StoredSql => ({
  explain: sent.explain ?? null,
  filters: sent.filters ?? null,
  kind: "HogQLQuery",
  modifiers: sent.modifiers ?? null,
  name: sent.name ?? null,
  query: sent.query,
  response: sent.response ?? null,
  tags: sent.tags ?? null,
  values: sent.values ?? null,
  variables,
  version: sent.version ?? null,
});

/** A query that may be stored: its normalised form, its tree for the runs, and the columns it returns. */
export interface AcceptedQuery {
  readonly query: StoredQuery;
  readonly ast: Uint8Array;
  readonly columns: { readonly name: string; readonly type: string }[];
  /** Of the properties that it names. */
  readonly property_types: Record<string, PropertyType>;
}

/** The query of a version. Its text is what `storedSql` or the model of an insight made, as JSON. */
export const storedQuery = ({ query }: { readonly query: string }): StoredQuery => JSON.parse(query) as StoredQuery;

/** The names of a query's breakdowns: those of an insight, one that two of them share once; none for SQL. */
export const storedBreakdowns = (query: StoredQuery): readonly string[] =>
  query.kind === "HogQLQuery" ? [] : [...new Set(breakdownNames(query.breakdownFilter))];

/** How old a served result may be, in seconds; each is a refresh interval that clients offer. */
export const FRESHNESS_SECONDS = [900, 1_800, 3_600, 21_600, 43_200, 86_400, 604_800] as const;
export const DEFAULT_FRESHNESS_SECONDS = 86_400;

/** Which engine a version's runs and tables ask for; its rows are the same. `auto`: the one that the size of what is read asks for. */
export const ENGINE_CHOICES = ["auto", "embedded", "clickhouse"] as const;
export type EngineChoice = (typeof ENGINE_CHOICES)[number];

/** The buckets that `materialization.bucket_overrides` may name: the width to which a range variable is rounded. */
export const BUCKETS = ["minute", "fifteen_minutes", "hour", "day", "week", "month"] as const;

const BUCKET_NAMES: readonly string[] = BUCKETS;

/** Refuses buckets that are none. Throws 400. */
export const checkBuckets = (overrides: Readonly<Record<string, string>> | null | undefined): void => {
  const unknown = Object.values(overrides ?? {}).filter((bucket) => !BUCKET_NAMES.includes(bucket));
  if (unknown.length === 0) return;
  throw invalid(null, `Unknown bucket ${unknown.map((bucket) => `"${bucket}"`).join(", ")}. Use one of ${BUCKETS.join(", ")}.`);
};
