import { queryOf, type StoredSql } from "../../../lib/endpoint/definition.ts";
import { variablesIn } from "../../../lib/endpoint/materialisation/checks/variable-uses.ts";
import { typed } from "../../../lib/endpoint/materialisation/refresh.ts";
import { rewritten } from "../../../lib/endpoint/materialisation/rewrite.ts";
import { transformed } from "../../../lib/endpoint/materialisation/transform.ts";
import { unpackAst } from "../../../lib/endpoint/stored-ast.ts";
import type { EndpointVersion } from "../../../lib/entities/endpoints/saved-endpoints.ts";
import type { LowerOptions } from "../../../lib/hogql/analysis/options.ts";
import { check } from "../../../lib/hogql/check.ts";
import type { Ast } from "../../../lib/hogql/syntax/ast.ts";
import { parse } from "../../../lib/hogql/syntax/parse.ts";
import { queryText } from "../../../lib/hogql/syntax/query-text.ts";
import { bare } from "../../../lib/http/errors.ts";
import type { World } from "../../../lib/world/world.ts";
import type { Suggestion } from "./suggestion-wire.ts";

const NO_MODEL = "No language model is configured, and none of the known rewrites makes this query materializable.";

/** A form of a version's query that can be materialised: from the known rewrites. Nothing is saved. */
export const suggestFor = async (
  world: Pick<World, "table" | "clock">,
  project: { readonly id: number; readonly timezone: string },
  version: EndpointVersion,
): Promise<Suggestion> => {
  const query = queryOf(version);
  if (query.kind !== "HogQLQuery") throw bare(400, { error: "Suggestions are made for SQL endpoints only." });
  const ast = unpackAst(version.ast);
  const original = await typed(world, project, query, ast, (options) => transformed(query, ast, version.bucket_overrides, options));
  if (original.kind === "transform") throw bare(400, { error: "This query is already materializable." });
  const known = rewritten(ast);
  const suggested = known === null ? undefined : queryText(known.ast);
  if (known === null || suggested === undefined || !(await keepsContract(world, project, { version, query, ast, suggested })))
    throw bare(503, { error: NO_MODEL });
  return {
    suggestion_status: "ok",
    suggested_query: suggested,
    explanation: known.explanation,
    attempts: 1,
    error: null,
    original_reason: original.reason.text,
  };
};

interface Candidate {
  readonly version: EndpointVersion;
  readonly query: StoredSql;
  readonly ast: Ast;
  readonly suggested: string;
}

/** It passes the live checks, and has the variables, the columns and the types of the original. */
const keepsContract = async (
  world: Pick<World, "table" | "clock">,
  project: { readonly id: number; readonly timezone: string },
  { version, query, ast, suggested }: Candidate,
): Promise<boolean> => {
  const tree = await parse(suggested);
  const described = (of: Ast, options: Omit<LowerOptions, "variables" | "page">): string =>
    JSON.stringify([check(of, options).columns, variablesIn(of).toSorted()]);
  return typed(world, project, query, tree, (options) => {
    const found = transformed({ ...query, query: suggested }, tree, version.bucket_overrides, options);
    return found.kind === "transform" && described(tree, options) === described(ast, options);
  });
};
