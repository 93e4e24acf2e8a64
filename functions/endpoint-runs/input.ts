import { bare, invalid } from "../../lib/http/errors.ts";
import type { RunBody } from "./run-body.ts";

/** What a run was asked for, from body and query string; the body wins. */
export interface RunInput {
  readonly version: number | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly refresh: "cache" | "force" | "direct";
  readonly debug: boolean;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Query parameters of a run, as text: what is wrong with them has a body of its own. */
export interface RunQuery {
  readonly version?: string | undefined;
  readonly limit?: string | undefined;
  readonly offset?: string | undefined;
}

/** Reads the numbers of a run in the contract's order: version, limit, offset, and no offset without a limit. */
export const runInput = (body: RunBody, query: RunQuery): RunInput => {
  const version = body.version ?? integer("version", query.version);
  const limit = atLeast("limit", 1, body.limit ?? integer("limit", query.limit));
  const offset = atLeast("offset", 0, body.offset ?? integer("offset", query.offset));
  if (offset !== undefined && limit === undefined) throw bare(400, { error: "offset requires limit to be set" });
  return { version, limit, offset, refresh: body.refresh ?? "cache", debug: body.debug === true, variables: body.variables ?? {} };
};

/** What only an insight or a materialised endpoint takes is refused by its name. */
export const checkKind = (body: RunBody): void => {
  if (body.filters_override)
    throw invalid("filters_override", "Only endpoints made from an insight take filters_override. Use variables instead.");
  if (body.refresh === "direct") {
    throw invalid("refresh", "This version is not materialized, so there is nothing to go past. Use cache or force.");
  }
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
