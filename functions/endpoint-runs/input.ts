import * as z from "zod";
import { type AskedVersion, askedVersion } from "../../lib/endpoints/asked-version.ts";
import { bare, invalid } from "../../lib/http/errors.ts";
import { DashboardFilter } from "../../lib/insight/query.ts";

/** The body of a run; a field that is not named here is refused by its name. */
export const RunBody = z
  .strictObject({
    client_query_id: z.string().nullish(),
    debug: z.boolean().nullish(),
    filters_override: DashboardFilter.nullish(),
    limit: z.int().meta({ minimum: 1 }).nullish(),
    offset: z.int().meta({ minimum: 0 }).nullish(),
    refresh: z.enum(["cache", "force", "direct"]).nullish(),
    variables: z.record(z.string(), z.unknown()).nullish(),
    version: z.int().meta({ minimum: 1 }).nullish(),
  })
  .meta({ id: "EndpointRunRequest" });
export type RunBody = z.output<typeof RunBody>;

/** Query parameters of a run, as text: what is wrong with them has a body of its own. */
export interface RunQuery {
  readonly version?: string | undefined;
  readonly limit?: string | undefined;
  readonly offset?: string | undefined;
  /** The names of all of them, those that mean nothing here too. */
  readonly names: readonly string[];
}

/** Reads the numbers of a run in the contract's order: version, limit, offset, and no offset without a limit. */
export const runInput = (body: RunBody, query: RunQuery) => {
  const version = body.version ?? versionNumber(query.version);
  const limit = atLeast("limit", 1, body.limit ?? integer("limit", query.limit));
  const offset = atLeast("offset", 0, body.offset ?? integer("offset", query.offset));
  if (offset !== undefined && limit === undefined) throw bare(400, { error: "offset requires limit to be set" });
  checkLength("variables", body.variables, MAX_VARIABLES);
  checkLength("filters_override", body.filters_override, MAX_OVERRIDE);
  return {
    version,
    limit,
    offset,
    refresh: body.refresh ?? "cache",
    debug: body.debug === true,
    variables: body.variables ?? {},
    filtersOverride: body.filters_override ?? undefined,
  };
};

/** Longest values of a run, in characters of their JSON: ten thousand ids fit, and as much of an override as is saved with an insight. */
const MAX_VARIABLES = 500_000;
const MAX_OVERRIDE = 100_000;

const checkLength = (name: string, value: unknown, most: number): void => {
  const length = JSON.stringify(value ?? null).length;
  if (length > most) throw invalid(name, `The JSON of ${name} has ${length} characters, and may have ${most}. Split the run into several.`);
};

const versionNumber = (text: string | undefined): AskedVersion | undefined => {
  if (text === undefined) return undefined;
  const asked = askedVersion(text);
  if (asked === undefined) throw bare(400, { error: `Invalid version parameter: ${text}` });
  return asked;
};

const integer = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^[+-]?\d{1,15}$/.test(text.trim())) throw bare(400, { error: `Invalid ${name} parameter: ${text}` });
  return Number(text);
};

const atLeast = (name: string, least: number, value: number | undefined): number | undefined => {
  if (value !== undefined && value < least) throw bare(400, { error: `Invalid ${name} parameter: ${value}` });
  return value;
};
