import * as z from "zod";
import { checkInput } from "../../lib/endpoints/check-input.ts";
import { parseVersion, type RequestedVersion } from "../../lib/endpoints/requested-version.ts";
import { bare } from "../../lib/http/errors.ts";
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
  const limit = body.limit ?? integer("limit", query.limit);
  const offset = body.offset ?? integer("offset", query.offset);
  checkInput({ ...body, limit, offset });
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

const versionNumber = (text: string | undefined): RequestedVersion | undefined => {
  if (text === undefined) return undefined;
  const version = parseVersion(text);
  if (version === undefined) throw bare(400, { error: `Invalid version parameter: ${text}` });
  return version;
};

const integer = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^[+-]?\d{1,15}$/.test(text.trim())) throw bare(400, { error: `Invalid ${name} parameter: ${text}` });
  return Number(text);
};
