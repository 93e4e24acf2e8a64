import type { StoredQuery } from "../../lib/endpoints/definition.ts";
import type { RunInput } from "../../lib/endpoints/run/run-input.ts";
import { bare, invalid } from "../../lib/http/errors.ts";
import type { RunBody } from "./run-body.ts";

/** Query parameters of a run, as text: what is wrong with them has a body of its own. */
export interface RunQuery {
  readonly version?: string | undefined;
  readonly limit?: string | undefined;
  readonly offset?: string | undefined;
  /** The names of all of them, those that mean nothing here too. */
  readonly names: readonly string[];
}

/** Reads the numbers of a run in the contract's order: version, limit, offset, and no offset without a limit. */
export const runInput = (body: RunBody, query: RunQuery): RunInput => {
  const version = body.version ?? integer("version", query.version);
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

/** Fields of the body that the query string has not. */
const BODY_ALONE: readonly string[] = ["client_query_id", "debug", "filters_override", "refresh", "variables"];

/** A query parameter that was meant to change the answer, and does not, would be answered with the default's numbers. Throws 400. */
export const checkPlaces = (names: readonly string[], variables: readonly string[]): void => {
  const field = names.find((name) => BODY_ALONE.includes(name));
  if (field !== undefined)
    throw invalid(field, `Send ${field} in the JSON body of a POST. The query string takes version, limit and offset.`);
  const variable = names.find((name) => variables.includes(name) && !NUMBERS.includes(name));
  if (variable === undefined) return;
  throw invalid(
    variable,
    `Send the variable '${variable}' in the JSON body of a POST, as {"variables": {${JSON.stringify(variable)}: …}}.`,
  );
};

const NUMBERS: readonly string[] = ["version", "limit", "offset"];

/** What only some kinds of endpoints take is refused by its name. */
export const checkKind = ({ kind }: StoredQuery, { filtersOverride, offset, refresh }: RunInput, hasTable: boolean): void => {
  if (kind === "HogQLQuery" && filtersOverride !== undefined) {
    throw invalid("filters_override", "Only endpoints made from an insight take filters_override. Use variables instead.");
  }
  if (kind !== "HogQLQuery" && offset !== undefined) {
    throw invalid("offset", "An insight answers all of its rows. Leave out limit and offset, or save a SQL query to page through.");
  }
  if (refresh === "direct" && !hasTable) {
    throw invalid("refresh", "This version is not materialized, so there is nothing to go past. Use cache or force.");
  }
};

/** Longest values of a run, in characters of their JSON: ten thousand ids fit, and as much of an override as is saved with an insight. */
const MAX_VARIABLES = 500_000;
const MAX_OVERRIDE = 100_000;

const checkLength = (name: string, value: unknown, most: number): void => {
  const length = JSON.stringify(value ?? null).length;
  if (length > most) throw invalid(name, `The JSON of ${name} has ${length} characters, and may have ${most}. Split the run into several.`);
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
